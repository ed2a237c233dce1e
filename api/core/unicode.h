/* Unicode normalization with ICU. Texts are UTF-8. Pure, any thread. */
#ifndef RUMMYD_API_UNICODE_H
#define RUMMYD_API_UNICODE_H

#include <stdbool.h>
#include <stddef.h>

/* Normalization form C: the same characters have the same bytes, however they were typed. false: invalid
 * UTF-8, or it does not fit into cap bytes with its NUL; out is empty then. */
bool api_unicode_nfc(const char *text, char *out, size_t cap);
/* Normalization form D: letters and their marks separately. Otherwise as above. */
bool api_unicode_nfd(const char *text, char *out, size_t cap);
/* Normalization form KC: also folds compatibility forms, "Ａ" to "A". Otherwise as above. */
bool api_unicode_nfkc(const char *text, char *out, size_t cap);
/* NFKC_Casefold, for comparisons that treat "Ａ", "A", and "a" as equal; otherwise as above. */
bool api_unicode_fold(const char *text, char *out, size_t cap);
/* Code points of well-formed UTF-8. */
size_t api_unicode_length(const char *text);

#endif
