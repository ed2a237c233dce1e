/* Exact conversion of amounts to and from decimal strings: "4.99" is 499 of the smallest unit of its
 * currency (ISO 4217). Pure, any thread. */
#ifndef RUMMYD_PAY_AMOUNT_H
#define RUMMYD_PAY_AMOUNT_H

#include <stdbool.h>
#include <stdint.h>

enum { PAY_AMOUNT_MAX = 24 }; /* bytes of a string, including the NUL */

/* decimals_max: how many decimals the recipient accepts; if the currency has more, only whole amounts can
 * be written. false: the amount cannot be written, or is not positive. */
bool pay_amount_write(int64_t minor, const char *currency, int decimals_max, char out[PAY_AMOUNT_MAX]);
/* Parses "4.99", "4.9", or "5", without a sign, space, or exponent. Decimals that the currency does not
 * have must be zeros. */
bool pay_amount_read(const char *text, const char *currency, int64_t *minor);

#endif
