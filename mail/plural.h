/* Plural forms in an email, from placeholders like {{left|=0:No codes are left|one:# code is left|other:#
 * codes are left}}. The form is the one for the exact number if there is one, otherwise for the number's
 * plural category in that language (CLDR, with ICU), otherwise `other`. # is replaced by the number. Pure,
 * any thread. */
#ifndef RUMMYD_MAIL_PLURAL_H
#define RUMMYD_MAIL_PLURAL_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

/* Plural category of n in the language of the tag ("sr-Latn"): zero, one, two, few, many, or other. */
enum { MAIL_CATEGORY_MAX = 8 };
void mail_plural_category(const char *language, int64_t n, char out[MAIL_CATEGORY_MAX]);

/* Writes the form for n. forms: the len bytes after the first | of the placeholder. false: it has no
 * `other`. */
bool mail_plural_write(struct buf *out, const char *language, const char *forms, size_t len, int64_t n);

#endif
