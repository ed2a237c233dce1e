/* The thread that sends emails: claims them from the outbox (db/functions/mail), fills their templates,
 * passes them to mail/transport.h, and stores the results. Several servers may do it at once. */
#ifndef RUMMYD_SERVER_MAILER_H
#define RUMMYD_SERVER_MAILER_H

#include "server/config.h"

#include <stdatomic.h>

struct srv_mailer;

/* config and stop must outlive the thread. NULL: no thread or memory. Main thread. */
struct srv_mailer *srv_mailer_start(const struct srv_config *config, const atomic_bool *stop);
/* Ends the thread and frees its memory. *stop must be set, so that this does not take long. Accepts
 * NULL. */
void srv_mailer_stop(struct srv_mailer *mailer);

#endif
