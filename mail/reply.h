/* What an SMTP reply means for an email. Only a reply about the recipient ends it; a server that refuses us
 * (our name, our password, our sender) refuses every email alike, so those wait until an operator has
 * corrected the configuration. docs/operations.md has the table; tests/http/test_smtp_replies.py checks each
 * of its rows. Pure, any thread. */
#ifndef RUMMYD_MAIL_REPLY_H
#define RUMMYD_MAIL_REPLY_H

#include "mail/transport.h"

/* A complete reply, one line or several. */
struct mail_reply {
    enum mail_phase phase;
    int code;         /* 0: no reply */
    int status[3];    /* enhanced status code (RFC 3463), "5.1.1"; zeros: none */
    const char *text; /* the reply's text */
};

enum mail_outcome mail_reply_means(const struct mail_reply *reply);
/* Parses an enhanced status code after the code of a reply line. false: none. */
bool mail_reply_status(const char *line, int status[3]);
/* "ehlo", "rcpt", … */
const char *mail_phase_name(enum mail_phase phase);

#endif
