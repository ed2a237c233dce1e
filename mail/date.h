/* Dates in an email, from the placeholders {{day:date}} or {{until:time}}, in the language of the email
 * (dates.def): "November 30, 2026" or "November 30, 2026, at 4:05 PM UTC". The reader's time zone is
 * unknown, so times are in UTC. Pure, any thread. */
#ifndef RUMMYD_MAIL_DATE_H
#define RUMMYD_MAIL_DATE_H

#include "base/buf.h"

#include <stdbool.h>

enum mail_date_form { MAIL_DATE_DAY, MAIL_DATE_TIME };

/* Writes a UTC date ("2026-11-30", and anything after it) or a UTC time ("2026-11-30T16:05", and anything
 * after it). language: a tag in dates.def; if it is not there, the first one is used. false: `at` is not
 * such a date. */
bool mail_date_write(struct buf *out, const char *language, const char *at, enum mail_date_form form);

#endif
