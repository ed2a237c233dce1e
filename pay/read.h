/* Reads members of providers' JSON that are not plain strings (see net/read.h). Pure, any thread. */
#ifndef RUMMYD_PAY_READ_H
#define RUMMYD_PAY_READ_H

#include "pay/pay.h"

#include <jansson.h>

#define PAY_TIME_S_MAX 253402300799 /* the year 9999 */

/* Reads an order's token; empty if it is invalid, because other shops on the same account use their own ids
 * there. */
void pay_read_token(const json_t *object, const char *name, char out[PAY_TOKEN_MAX]);
/* Reads a currency (ISO 4217) in lower case; empty if it is invalid. */
void pay_read_currency(const json_t *object, const char *name, char out[PAY_CURRENCY_MAX]);
/* Unix time from milliseconds, given as a number or a string; 0: none. */
int64_t pay_read_ms(const json_t *object, const char *name);
/* Unix time from an RFC 3339 time in UTC ("2026-11-22T10:00:00Z", with or without fractions); 0: none. */
int64_t pay_read_time(const json_t *object, const char *name);

#endif
