/* An email in its transport format: headers and text (RFC 5322, 2045, and 2047). Pure, any thread.
 *
 * Values cannot add a header or another recipient, because an address contains only the characters that
 * text_email_ok allows, and an email with a control character in a header is rejected. */
#ifndef RUMMYD_MAIL_MESSAGE_H
#define RUMMYD_MAIL_MESSAGE_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    MAIL_SUBJECT_MAX = 256,               /* bytes of a subject, including the NUL */
    MAIL_BODY_MAX = 8 * 1024,             /* bytes of a text, including the NUL */
    MAIL_MESSAGE_MAX = 4 * MAIL_BODY_MAX, /* bytes of a whole email; each byte of text takes at most three */
    MAIL_ID_MAX = 64,
    MAIL_WHY_MAX = 200,
};

/* All strings are UTF-8 and borrowed. */
struct mail_message {
    const char *from;      /* an address */
    const char *from_name; /* shown to readers instead of the address */
    const char *to;        /* an address */
    const char *id; /* letters, digits, and dashes; with the domain of `from`, it makes the Message-ID */
    const char *language; /* language of the text: "en" */
    int64_t date_ms;
    const char *subject;
    const char *body; /* lines end with LF */
};

/* Writes the email, with lines ending in CR LF, dots not doubled. false: it is invalid; `why` is a short
 * reason that quotes no part of it. */
bool mail_message_write(struct buf *out, const struct mail_message *message, char why[MAIL_WHY_MAX]);

#endif
