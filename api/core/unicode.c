/* Normalization with ICU; see unicode.h. */
#include "api/core/unicode.h"

#include "base/bug.h"

#include <sodium.h>
#include <string.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

enum { UNITS_MAX = 2048 }; /* UTF-16 units of a text, before and after normalization */

static bool normalize(const UNormalizer2 *how, const char *text, char *out, size_t cap)
{
    UChar before[UNITS_MAX], after[UNITS_MAX];
    UErrorCode error = U_ZERO_ERROR;
    int32_t n = 0, bytes = 0;
    ASSERT(how && cap > 0 && cap <= INT32_MAX);
    u_strFromUTF8(before, UNITS_MAX, &n, text, -1, &error);
    int32_t m = unorm2_normalize(how, before, n, after, UNITS_MAX, &error); /* no effect after an error */
    u_strToUTF8(out, (int32_t)cap - 1, &bytes, after, m, &error);
    sodium_memzero(before, sizeof(before)); /* may be a password */
    sodium_memzero(after, sizeof(after));
    out[U_SUCCESS(error) ? bytes : 0] = '\0';
    return U_SUCCESS(error);
}

bool api_unicode_nfc(const char *text, char *out, size_t cap)
{
    UErrorCode error = U_ZERO_ERROR;
    const UNormalizer2 *nfc = unorm2_getNFCInstance(&error);
    ASSERT(U_SUCCESS(error)); /* the data is part of the library */
    return normalize(nfc, text, out, cap);
}

bool api_unicode_nfd(const char *text, char *out, size_t cap)
{
    UErrorCode error = U_ZERO_ERROR;
    const UNormalizer2 *nfd = unorm2_getNFDInstance(&error);
    ASSERT(U_SUCCESS(error));
    return normalize(nfd, text, out, cap);
}

bool api_unicode_nfkc(const char *text, char *out, size_t cap)
{
    UErrorCode error = U_ZERO_ERROR;
    const UNormalizer2 *nfkc = unorm2_getNFKCInstance(&error);
    ASSERT(U_SUCCESS(error));
    return normalize(nfkc, text, out, cap);
}

bool api_unicode_fold(const char *text, char *out, size_t cap)
{
    UErrorCode error = U_ZERO_ERROR;
    const UNormalizer2 *fold = unorm2_getNFKCCasefoldInstance(&error);
    ASSERT(U_SUCCESS(error));
    return normalize(fold, text, out, cap);
}

size_t api_unicode_length(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}
