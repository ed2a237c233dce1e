/* Unicode normalization with ICU. Texts are UTF-8. Pure, any thread. */
#ifndef RUMMYD_API_UNICODE_H
#define RUMMYD_API_UNICODE_H

#include <stdbool.h>
#include <stddef.h>

/* Normalization form C: the same characters have the same bytes, no matter how they were typed. false:
 * invalid UTF-8, or the result does not fit into cap bytes with its NUL; out is then empty. */
bool api_unicode_nfc(const char *text, char *out, size_t cap);
/* Normalization form D: separates letters and their marks. Otherwise like api_unicode_nfc. */
bool api_unicode_nfd(const char *text, char *out, size_t cap);
/* Normalization form KC: also folds compatibility forms, "Ａ" to "A". Otherwise like api_unicode_nfc. */
bool api_unicode_nfkc(const char *text, char *out, size_t cap);
/* NFKC_Casefold, for comparisons that treat "Ａ", "A", and "a" as equal; otherwise like api_unicode_nfc. */
bool api_unicode_fold(const char *text, char *out, size_t cap);
/* Number of code points in valid UTF-8. */
size_t api_unicode_length(const char *text);

#endif
