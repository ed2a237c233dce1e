/* Plural forms of a placeholder in an email: {{left|=0:No codes are left|one:# code is left|other:# codes are
 * left}}. A form is chosen by the exact number, otherwise by the number's category in that language (CLDR,
 * with ICU), otherwise `other`; # is the number. Pure, any thread. */
#ifndef RUMMYD_MAIL_PLURAL_H
#define RUMMYD_MAIL_PLURAL_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

/* Category of n in the language of the tag ("sr-Latn"): zero, one, two, few, many, or other. */
enum { MAIL_CATEGORY_MAX = 8 };
void mail_plural_category(const char *language, int64_t n, char out[MAIL_CATEGORY_MAX]);

/* Writes the form for n. forms: what follows the first | of the placeholder, len bytes. false: it has no
 * `other`. */
bool mail_plural_write(struct buf *out, const char *language, const char *forms, size_t len, int64_t n);

#endif
