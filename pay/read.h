/* Reading what providers write: members of JSON objects, taken only when they are what they should be. Pure,
 * any thread. */
#ifndef RUMMYD_PAY_READ_H
#define RUMMYD_PAY_READ_H

#include "pay/pay.h"

#include <jansson.h>

#define PAY_TIME_S_MAX 253402300799 /* the year 9999 */

/* A text of an object; empty when it is missing, null, no text, or does not fit. */
void pay_read_text(const json_t *object, const char *name, char *out, size_t cap);
/* Whether the object has this text. */
bool pay_read_is(const json_t *object, const char *name, const char *wanted);
/* An order's token; empty when it is none: other shops on the same account have names of their own in there.
 */
void pay_read_token(const json_t *object, const char *name, char out[PAY_TOKEN_MAX]);
/* Seconds since 1970 of an RFC 3339 time in UTC ("2026-11-22T10:00:00Z", with or without fractions); 0: none.
 */
int64_t pay_read_time(const json_t *object, const char *name);
/* Whether a name may be part of a key of the ledger: not empty, printed ASCII without a blank. */
bool pay_read_printed(const char *name);
/* A whole body as an object without duplicate members; NULL: it is none. Release it by json_decref. */
json_t *pay_read_object(const char *body, size_t len);

#endif
