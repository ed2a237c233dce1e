/* What mails say: files mail/templates/<language>/<name>.txt, built into the program. The first line is
 * "Subject: …", then an empty line, then the text, with {{name}} where a value comes in, or {{name|plural
 * forms}} (plural.h). A test holds the languages to the same files and the same places. Pure, any thread. */
#ifndef RUMMYD_MAIL_TEMPLATE_H
#define RUMMYD_MAIL_TEMPLATE_H

#include "mail/message.h"

#include <jansson.h>

enum { MAIL_NAME_MAX = 40, MAIL_VALUE_MAX = 512 };

/* The languages there are; the first is the one for whoever speaks none of them. NULL behind the last. */
const char *mail_language_at(size_t i);
/* The language there is that comes first in an Accept-Language header (RFC 9110, 12.5.4), or the first one:
 * by the language and the script of a range, "sr-Cyrl-RS", without regard to the rest. NULL: no header.
 * Preferences of equal weight count in their order. */
const char *mail_language_of(const char *accept_language);

struct mail_text {
    char subject[MAIL_SUBJECT_MAX], body[MAIL_BODY_MAX];
};

/* Fills a template. language: one of mail_language_at, else the first is taken. values: an object of texts
 * and whole numbers without control characters; {{site}} is `site`. false and *why: there is no such
 * template, a place has no value, or it is too long. */
bool mail_template_fill(struct mail_text *out, const char *language, const char *name, const char *site,
                        const json_t *values, char why[MAIL_WHY_MAX]);

#endif
