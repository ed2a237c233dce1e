/* Push notifications to devices: turns a delivery's row into a request to its push service, with one adapter
 * per kind of device. Loaded on the main thread; the rest runs on the outbox's. */
#ifndef RUMMYD_SERVER_PUSH_H
#define RUMMYD_SERVER_PUSH_H

#include "net/outward.h"
#include "server/config.h"

#include <libpq-fe.h>

struct srv_push;

enum srv_push_kind { SRV_PUSH_WEB, SRV_PUSH_GOOGLE, SRV_PUSH_APPLE };

/* Loads the keys of the configured services. NULL: one cannot be read; *error has the reason. */
struct srv_push *srv_push_load(const struct srv_config *config, char error[SRV_ERROR_MAX]);
void srv_push_free(struct srv_push *push); /* NULL is fine */
/* Kinds of devices that can be pushed to, separated by spaces; the public key of web push, empty if there is
 * none. Valid as long as push. */
const char *srv_push_kinds(const struct srv_push *push);
const char *srv_push_web_key(const struct srv_push *push);

/* Sends a claimed row (do_delivery_claim) in its player's language. false: it cannot be sent; *why has the
 * reason. */
bool srv_push_send(struct srv_push *push, struct net_outward *net, const PGresult *rows, int row, int64_t tag,
                   const char **why);
/* The kind of a claimed row's device. */
enum srv_push_kind srv_push_kind_of(const PGresult *rows, int row);
/* Classifies a service's response: sent, again, refused for good, gone. A device counts as gone only if the
 * response is certainly about the device: a wrong address or project of ours also gets 404. */
const char *srv_push_outcome(struct srv_push *push, enum srv_push_kind kind,
                             const struct net_outward_answer *answer);

#endif
