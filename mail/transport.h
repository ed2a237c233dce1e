/* Gets a written mail out of the house: to an SMTP server over libcurl, or as a file into a folder. Waits for
 * the network or the disk: on a thread of its own, one at a time. */
#ifndef RUMMYD_MAIL_TRANSPORT_H
#define RUMMYD_MAIL_TRANSPORT_H

#include "mail/message.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How mails go out. Constant while a transport lives; texts are borrowed. */
struct mail_config {
    const char *smtp_url;        /* smtp://host[:port] or smtps://…; empty: into files */
    const char *user, *password; /* empty: without log-in */
    const char *ca_file;         /* certificates to trust instead of the system's; empty: the system's */
    const char *helo;            /* our name for EHLO (see helo.h); empty: the machine's */
    int64_t timeout_ms;          /* for one mail, from the connection to the server's answer */
    bool plain_ok; /* smtp:// without STARTTLS is taken where the server has none: for this machine alone */
    const char *folder;      /* for files */
    const atomic_bool *stop; /* ends what is under way; NULL: nothing does */
};

enum mail_outcome {
    MAIL_SENT,    /* the server has answered for it, or it is on the disk */
    MAIL_AGAIN,   /* this email not now, for a reason of its own; or nobody knows whether it was taken */
    MAIL_HELD,    /* no email now: the server is away, or refuses us rather than the recipient */
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

/* What came of it. */
struct mail_result {
    enum mail_outcome outcome;
    enum mail_phase phase;  /* in which it failed */
    int code;               /* with which the server refuses it; 0: it said none */
    int status[3];          /* its enhanced status code; zeros: none */
    char why[MAIL_WHY_MAX]; /* in its words or ours; may hold the address: for the database, not for a log */
};

struct mail_transport;
/* Whether an smtp_url can be one: scheme, host and perhaps a port, nothing else. */
bool mail_url_ok(const char *url);
/* Whether it leads to this machine. */
bool mail_url_is_local(const char *url);

/* NULL: no memory. */
struct mail_transport *mail_transport_open(const struct mail_config *config);
void mail_transport_close(struct mail_transport *transport);
/* Sends one. `message` is what `text` (of `len` bytes) was made from. */
void mail_transport_send(struct mail_transport *transport, const struct mail_message *message,
                         const char *text, size_t len, struct mail_result *result);
/* There is nothing to send for now: a connection is not kept open for it. */
void mail_transport_rest(struct mail_transport *transport);

#endif
