/* What is pushed to a device: the row of a delivery as a request to its push service. Outbox thread. */
#ifndef RUMMYD_SERVER_PUSH_H
#define RUMMYD_SERVER_PUSH_H

#include "net/outward.h"
#include "net/webpush.h"
#include "server/config.h"

#include <libpq-fe.h>

/* The key that web push is proved with; NULL: none is configured, or *error says why it cannot be read. */
EVP_PKEY *srv_push_key(const struct srv_config *config, char error[SRV_ERROR_MAX]);

/* Sends a claimed row (do_delivery_claim) in the language of its player. false: it cannot be sent, for *why.
 */
bool srv_push_send(const struct srv_config *config, EVP_PKEY *key, struct net_outward *net,
                   const PGresult *rows, int row, int64_t tag, const char **why);

#endif
