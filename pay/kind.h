/* Names of event kinds. Pure, any thread. */
#ifndef RUMMYD_PAY_KIND_H
#define RUMMYD_PAY_KIND_H

#include "pay/pay.h"

/* The database's name of a kind: "paid"; NULL for PAY_NOTHING and PAY_NEWS. */
const char *pay_kind_name(enum pay_kind kind);

#endif
