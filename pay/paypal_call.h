/* Requests to PayPal's REST API: the access token, a request and its JSON. Waits for the network. */
#ifndef RUMMYD_PAY_PAYPAL_CALL_H
#define RUMMYD_PAY_PAYPAL_CALL_H

#include "pay/pay.h"

#include <jansson.h>

enum { PAY_PAYPAL_ISSUE_MAX = 64 };

struct pay_paypal_call {
    const char *path; /* behind paypal_url */
    const char *json; /* NULL: GET; else POST */
    const char *id;   /* PayPal-Request-Id, by which PayPal knows a repeat; NULL: none */
};

/* *root: the answer's object on PAY_OK, else NULL; release it by json_decref. issue: PayPal's word for what
 * is wrong ("ORDER_NOT_APPROVED"), empty when there is none. why: for the log, on anything but PAY_OK. */
enum pay_outcome pay_paypal_ask(const struct pay_shop *shop, const struct pay_paypal_call *call,
                                json_t **root, char issue[PAY_PAYPAL_ISSUE_MAX], char why[PAY_WHY_MAX]);

#endif
