/* A mail as it goes over the wire: headers and a text, by RFC 5322, 2045 and 2047. Pure, any thread.
 *
 * Nothing that is filled in can add a header or another recipient: an address has the characters of
 * text_email_ok and no others, and a control character anywhere in a header refuses the mail. */
#ifndef RUMMYD_MAIL_MESSAGE_H
#define RUMMYD_MAIL_MESSAGE_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    MAIL_SUBJECT_MAX = 256,               /* bytes of a subject, with the NUL */
    MAIL_BODY_MAX = 8 * 1024,             /* bytes of a text, with the NUL */
    MAIL_MESSAGE_MAX = 4 * MAIL_BODY_MAX, /* bytes of a whole mail: each byte of a text takes three at most */
    MAIL_ID_MAX = 64,
    MAIL_WHY_MAX = 200,
};

/* All texts are UTF-8 and borrowed. */
struct mail_message {
    const char *from;      /* an address */
    const char *from_name; /* what readers see instead of it */
    const char *to;        /* an address */
    const char *id;        /* letters, digits and dashes; with the domain of `from` it is the Message-ID */
    const char *language;  /* of the text: "en" */
    int64_t date_ms;
    const char *subject;
    const char *body; /* lines end with LF */
};

/* Writes the mail, lines ended by CR LF, no dots doubled. false: it cannot be a mail; `why` says so in a few
 * words that hold nothing of it. */
bool mail_message_write(struct buf *out, const struct mail_message *message, char why[MAIL_WHY_MAX]);

#endif
