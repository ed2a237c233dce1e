/* See plural.h. */
#include "mail/plural.h"

#include "base/bug.h"

#include <stdio.h>
#include <string.h>
#include <unicode/upluralrules.h>
#include <unicode/ustring.h>

void mail_plural_category(const char *language, int64_t n, char out[MAIL_CATEGORY_MAX])
{
    UErrorCode error = U_ZERO_ERROR;
    UChar keyword[MAIL_CATEGORY_MAX];
    UPluralRules *rules = uplrules_open(language, &error);
    int32_t units = uplrules_select(rules, (double)n, keyword, MAIL_CATEGORY_MAX, &error);
    u_strToUTF8(out, MAIL_CATEGORY_MAX, NULL, keyword, units, &error);
    uplrules_close(rules);
    ASSERT(U_SUCCESS(error)); /* the library has the rules of all our languages */
}

/* Finds the text after "key:" in the forms; NULL: none. */
static const char *form_of(const char *forms, size_t len, const char *key, size_t *n)
{
    const char *end = forms + len;
    size_t key_len = strlen(key);
    while (forms < end) {
        const char *bar = memchr(forms, '|', (size_t)(end - forms));
        size_t all = (size_t)((bar ? bar : end) - forms);
        if (all > key_len && memcmp(forms, key, key_len) == 0 && forms[key_len] == ':') {
            *n = all - key_len - 1;
            return forms + key_len + 1;
        }
        forms += all + 1;
    }
    return NULL;
}

bool mail_plural_write(struct buf *out, const char *language, const char *forms, size_t len, int64_t n)
{
    char exact[24], category[MAIL_CATEGORY_MAX], digits[24];
    size_t form_len;
    (void)snprintf(digits, sizeof(digits), "%lld", (long long)n);
    (void)snprintf(exact, sizeof(exact), "=%.22s", digits);
    mail_plural_category(language, n, category);
    const char *form = form_of(forms, len, exact, &form_len);
    if (!form)
        form = form_of(forms, len, category, &form_len);
    if (!form)
        form = form_of(forms, len, "other", &form_len);
    if (!form)
        return false;
    for (size_t i = 0; i < form_len; i++)
        if (form[i] == '#')
            buf_str(out, digits);
        else
            buf_put(out, form + i, 1);
    return true;
}
