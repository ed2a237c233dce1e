/* Reads providers' JSON beyond plain strings (net/read.h). Pure, any thread. */
#ifndef RUMMYD_PAY_READ_H
#define RUMMYD_PAY_READ_H

#include "pay/pay.h"

#include <jansson.h>

#define PAY_TIME_S_MAX 253402300799 /* the year 9999 */

/* An order's token; empty if it is not a valid one: other shops on the same account use their own ids
 * there. */
void pay_read_token(const json_t *object, const char *name, char out[PAY_TOKEN_MAX]);
/* A currency (ISO 4217) in lower case; empty if it is invalid. */
void pay_read_currency(const json_t *object, const char *name, char out[PAY_CURRENCY_MAX]);
/* Unix time from a number of milliseconds, or from a string of it; 0: none. */
int64_t pay_read_ms(const json_t *object, const char *name);
/* Unix time from an RFC 3339 time in UTC ("2026-11-22T10:00:00Z", with or without fractions); 0: none. */
int64_t pay_read_time(const json_t *object, const char *name);

#endif
