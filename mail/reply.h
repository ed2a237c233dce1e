/* What an SMTP reply means for an email. Only a reply about the recipient makes an email fail permanently.
 * A server that rejects us (our name, password, or sender) rejects every email, so emails wait until an
 * operator corrects the configuration. The table is in docs/operations.md; tests/http/test_smtp_replies.py
 * checks each of its rows. Pure, any thread. */
#ifndef RUMMYD_MAIL_REPLY_H
#define RUMMYD_MAIL_REPLY_H

#include "mail/transport.h"

/* A complete reply of one or several lines. */
struct mail_reply {
    enum mail_phase phase;
    int code;         /* 0: no reply */
    int status[3];    /* enhanced status code (RFC 3463), "5.1.1"; zeros: none */
    const char *text; /* the reply's text */
};

enum mail_outcome mail_reply_means(const struct mail_reply *reply);
/* Parses the enhanced status code after the code of a reply line. false: none. */
bool mail_reply_status(const char *line, int status[3]);
/* "ehlo", "rcpt", … */
const char *mail_phase_name(enum mail_phase phase);

#endif
