/* Delivers an email: to an SMTP server through libcurl, or as a file in a folder. Waits for the network or
 * the disk: use it on a separate thread, one at a time. */
#ifndef RUMMYD_MAIL_TRANSPORT_H
#define RUMMYD_MAIL_TRANSPORT_H

#include "mail/message.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How emails are sent. Constant while a transport exists; texts are borrowed. */
struct mail_config {
    const char *smtp_url;        /* smtp://host[:port] or smtps://…; empty: write to files */
    const char *user, *password; /* empty: without authentication */
    const char *ca_file;         /* trusted certificates instead of the system's; empty: the system's */
    const char *helo;            /* our name for EHLO (see helo.h); empty: the machine's */
    int64_t timeout_ms;          /* per email, from connecting to the server's answer */
    bool plain_ok; /* smtp:// without STARTTLS is accepted if the server has none: only for this machine */
    const char *folder;      /* for files */
    const atomic_bool *stop; /* aborts what is in progress; NULL: never */
};

enum mail_outcome {
    MAIL_SENT,    /* the server has accepted responsibility, or it is on disk */
    MAIL_AGAIN,   /* this email not now, for a reason specific to it; or its acceptance is unknown */
    MAIL_HELD,    /* no email now: the server is unreachable, or refuses us rather than the recipient */
    MAIL_REFUSED, /* this email never: the server refuses its recipient */
};

/* How far the dialogue with the server got. */
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

/* The result. */
struct mail_result {
    enum mail_outcome outcome;
    enum mail_phase phase;  /* the phase in which it failed */
    int code;               /* the server's reply code; 0: none */
    int status[3];          /* its enhanced status code; zeros: none */
    char why[MAIL_WHY_MAX]; /* the server's text or ours; may contain the address: for the database, not for a
                               log */
};

struct mail_transport;
/* NULL: out of memory. */
struct mail_transport *mail_transport_open(const struct mail_config *config);
void mail_transport_close(struct mail_transport *transport);
/* Sends one. `text` (of `len` bytes) was made from `message`. */
void mail_transport_send(struct mail_transport *transport, const struct mail_message *message,
                         const char *text, size_t len, struct mail_result *result);
/* Nothing to send for now: closes an idle connection. */
void mail_transport_rest(struct mail_transport *transport);

#endif
