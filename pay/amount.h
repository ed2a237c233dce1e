/* Amounts as decimal texts, exactly: "4.99" is 499 of the smallest unit of its currency (ISO 4217). Pure, any
 * thread. */
#ifndef RUMMYD_PAY_AMOUNT_H
#define RUMMYD_PAY_AMOUNT_H

#include <stdbool.h>
#include <stdint.h>

enum { PAY_AMOUNT_MAX = 24 }; /* bytes of a text, with the NUL */

/* decimals_max: how many the reader takes; fewer than the currency has are fine for whole amounts only.
 * false: the amount cannot be written so, or is not positive. */
bool pay_amount_write(int64_t minor, const char *currency, int decimals_max, char out[PAY_AMOUNT_MAX]);
/* "4.99", "4.9", "5"; decimals beyond those of the currency must be zeros. No sign, blank or exponent. */
bool pay_amount_read(const char *text, const char *currency, int64_t *minor);

#endif
