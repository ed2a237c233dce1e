/* Email texts, in files mail/templates/<language>/<name>.txt that are embedded into the program. The first
 * line is "Subject: …", followed by an empty line and the text, with {{name}} as the placeholder for a
 * value, {{name|plural forms}} (plural.h), {{name:date}} or {{name:time}} (date.h), or {{name:span}}
 * (span.h). A test checks that all languages have the same files and placeholders. Pure, any thread. */
#ifndef RUMMYD_MAIL_TEMPLATE_H
#define RUMMYD_MAIL_TEMPLATE_H

#include "mail/message.h"

#include <jansson.h>

enum { MAIL_NAME_MAX = 40, MAIL_VALUE_MAX = 512 };

/* Supported language i; the first one is the default. NULL after the last. */
const char *mail_language_at(size_t i);
/* The supported language most preferred in an Accept-Language header (RFC 9110, 12.5.4), or the default.
 * Only the language and script of a range ("sr-Cyrl-RS") count. Among ranges of equal weight, the first one
 * wins. NULL: no header. */
const char *mail_language_of(const char *accept_language);

struct mail_text {
    char subject[MAIL_SUBJECT_MAX], body[MAIL_BODY_MAX];
};

/* Fills in a template. language: one of mail_language_at; for others, the default is used. values: an
 * object of integers and of strings without control characters; {{site}} is `site`. false, with *why: there
 * is no such template, a placeholder has no value, or the text is too long. */
bool mail_template_fill(struct mail_text *out, const char *language, const char *name, const char *site,
                        const json_t *values, char why[MAIL_WHY_MAX]);

#endif
