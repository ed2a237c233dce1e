/* Email texts: files mail/templates/<language>/<name>.txt, embedded into the program. The first line is
 * "Subject: …", then an empty line, then the text, with {{name}} as placeholder for a value, {{name|plural
 * forms}} (plural.h), {{name:date}} or {{name:time}} (date.h), or {{name:span}} (span.h). A test checks that
 * all languages have the same files and placeholders. Pure, any thread. */
#ifndef RUMMYD_MAIL_TEMPLATE_H
#define RUMMYD_MAIL_TEMPLATE_H

#include "mail/message.h"

#include <jansson.h>

enum { MAIL_NAME_MAX = 40, MAIL_VALUE_MAX = 512 };

/* The supported languages; the first is the default. NULL after the last. */
const char *mail_language_at(size_t i);
/* The supported language that comes first in an Accept-Language header (RFC 9110, 12.5.4), or the default: by
 * the language and script of a range, "sr-Cyrl-RS", ignoring the rest. NULL: no header. Preferences of equal
 * weight count in their order. */
const char *mail_language_of(const char *accept_language);

struct mail_text {
    char subject[MAIL_SUBJECT_MAX], body[MAIL_BODY_MAX];
};

/* Fills in a template. language: one of mail_language_at, otherwise the default is used. values: an object of
 * strings and whole numbers without control characters; {{site}} is `site`. false and *why: there is no such
 * template, a placeholder has no value, or it is too long. */
bool mail_template_fill(struct mail_text *out, const char *language, const char *name, const char *site,
                        const json_t *values, char why[MAIL_WHY_MAX]);

#endif
