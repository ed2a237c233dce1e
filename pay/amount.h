/* Amounts as decimal strings, exactly: "4.99" is 499 of the smallest unit of its currency (ISO 4217). Pure,
 * any thread. */
#ifndef RUMMYD_PAY_AMOUNT_H
#define RUMMYD_PAY_AMOUNT_H

#include <stdbool.h>
#include <stdint.h>

enum { PAY_AMOUNT_MAX = 24 }; /* bytes of a text, including the NUL */

/* decimals_max: how many the reader accepts; fewer than the currency has only work for whole amounts. false:
 * the amount cannot be written this way, or is not positive. */
bool pay_amount_write(int64_t minor, const char *currency, int decimals_max, char out[PAY_AMOUNT_MAX]);
/* "4.99", "4.9", "5"; decimals beyond the currency's must be zeros. No sign, space, or exponent. */
bool pay_amount_read(const char *text, const char *currency, int64_t *minor);

#endif
