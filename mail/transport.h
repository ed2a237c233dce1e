/* Delivers emails to an SMTP server with libcurl, or as files in a folder. It blocks on the network or the
 * disk, so use it on a separate thread, and only on one at a time. */
#ifndef RUMMYD_MAIL_TRANSPORT_H
#define RUMMYD_MAIL_TRANSPORT_H

#include "mail/message.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How emails are sent. Constant while a transport exists; strings are borrowed. */
struct mail_config {
    const char *smtp_url;        /* smtp://host[:port] or smtps://…; empty: write to files */
    const char *user, *password; /* empty: without authentication */
    const char *ca_file;         /* trusted CA certificates; empty: the system's */
    const char *helo;            /* our name for EHLO (see helo.h); empty: the machine's name */
    int64_t timeout_ms;          /* per email, from connecting to the server's last reply */
    bool plain_ok;      /* allows smtp:// without STARTTLS if the server has none; only for this machine */
    const char *folder; /* for files */
    const atomic_bool *stop; /* aborts a delivery in progress; NULL: never */
};

enum mail_outcome {
    MAIL_SENT,    /* the server has accepted responsibility for the email, or it is on disk */
    MAIL_AGAIN,   /* retry this email: the failure concerns only it, or its acceptance is unknown */
    MAIL_HELD,    /* hold all emails: the server is unreachable, or rejects us and not the recipient */
    MAIL_REFUSED, /* drop this email: the server rejects its recipient */
};

/* How far the SMTP session got. */
enum mail_phase {
    MAIL_AT_CONNECT,
    MAIL_AT_GREETING,
    MAIL_AT_EHLO,
    MAIL_AT_STARTTLS,
    MAIL_AT_AUTH,
    MAIL_AT_FROM,
    MAIL_AT_RCPT,
    MAIL_AT_DATA, /* the command */
    MAIL_AT_TEXT, /* the email itself */
};

struct mail_result {
    enum mail_outcome outcome;
    enum mail_phase phase; /* the phase in which delivery failed */
    int code;              /* the server's reply code; 0: none */
    int status[3];         /* the server's enhanced status code; zeros: none */
    /* The server's text or ours. For the database, not for logs, because it may contain the address. */
    char why[MAIL_WHY_MAX];
};

struct mail_transport;
/* NULL: out of memory. */
struct mail_transport *mail_transport_open(const struct mail_config *config);
void mail_transport_close(struct mail_transport *transport);
/* Sends an email. `text` (`len` bytes) was written from `message`. */
void mail_transport_send(struct mail_transport *transport, const struct mail_message *message,
                         const char *text, size_t len, struct mail_result *result);
/* Closes an idle connection while there is nothing to send. */
void mail_transport_rest(struct mail_transport *transport);

#endif
