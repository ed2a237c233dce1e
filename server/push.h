/* What is pushed to a device: the row of a delivery as a request to its service, one adapter for each kind of
 * device. Loaded on the main thread; the rest on the outbox's. */
#ifndef RUMMYD_SERVER_PUSH_H
#define RUMMYD_SERVER_PUSH_H

#include "net/outward.h"
#include "server/config.h"

#include <libpq-fe.h>

struct srv_push;

enum srv_push_kind { SRV_PUSH_WEB, SRV_PUSH_GOOGLE, SRV_PUSH_APPLE };

/* The keys of the services that are configured. NULL: one cannot be read, for *error. */
struct srv_push *srv_push_load(const struct srv_config *config, char error[SRV_ERROR_MAX]);
void srv_push_free(struct srv_push *push); /* NULL is fine */
/* Kinds of devices that can be pushed to, a blank between; the public key of web push, empty: there is none.
 * They live as long as push. */
const char *srv_push_kinds(const struct srv_push *push);
const char *srv_push_web_key(const struct srv_push *push);

/* Sends a claimed row (do_delivery_claim) in the language of its player. false: it cannot be sent, for *why.
 */
bool srv_push_send(struct srv_push *push, struct net_outward *net, const PGresult *rows, int row, int64_t tag,
                   const char **why);
/* The kind of a claimed row's device. */
enum srv_push_kind srv_push_kind_of(const PGresult *rows, int row);
/* What a service's answer comes to: sent, again, refused for good, gone. A device is only gone if the answer
 * is certainly about the device: an address or a project of ours that is wrong answers 404 as well. */
const char *srv_push_outcome(struct srv_push *push, enum srv_push_kind kind,
                             const struct net_outward_answer *answer);

#endif
