/* Verifies calls signed with a shared secret: "t=1492774577,v1=5257a8…", where each v1 is
 * HMAC-SHA-256(secret, prefix t "." body) in hex. While a secret is being rotated, there are several, and
 * any of them may match. Pure, any thread. */
#ifndef RUMMYD_PAY_SIGNED_H
#define RUMMYD_PAY_SIGNED_H

#include "pay/pay.h"

/* header: NULL if the call has none. prefix: prevents signatures from being used for another purpose.
 * Returns PAY_HOOK_OK, PAY_HOOK_UNSIGNED, or PAY_HOOK_STALE. */
enum pay_hook_result pay_signed_check(const char *secret, const char *prefix, const char *header,
                                      const struct pay_hook *call);

#endif
