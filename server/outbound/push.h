/* Push notifications to devices: turns a delivery's row into a request to its push service
 * (push_services.def). The main thread checks and loads the settings; all other functions run on the
 * outbox's thread.
 */
#ifndef RUMMYD_SERVER_PUSH_H
#define RUMMYD_SERVER_PUSH_H

#include "net/outbound.h"
#include "server/config.h"

#include <libpq-fe.h>

struct srv_push;

/* Whether the settings of each service are plausible; reads no files. Call before mail_from gets its
 * default. false: `error` names the key. */
bool srv_push_settings_ok(const struct srv_config *config, char error[SRV_ERROR_MAX]);
/* Loads the keys of the configured services. NULL: one cannot be read; `error` names the key. */
struct srv_push *srv_push_load(const struct srv_config *config, char error[SRV_ERROR_MAX]);
void srv_push_free(struct srv_push *push); /* accepts NULL */
/* The kinds of devices that can get push messages, separated by spaces, and the public key of web push,
 * empty if there is none. Both are valid as long as push. */
const char *srv_push_kinds(const struct srv_push *push);
const char *srv_push_web_key(const struct srv_push *push);

/* Sends a claimed row (do_delivery_claim) in its player's language. false: the message cannot be sent; *why
 * has the reason. */
bool srv_push_send(struct srv_push *push, struct net_outbound *net, const PGresult *rows, int row,
                   int64_t tag, const char **why);
/* The index of the push service of a claimed row's device. */
size_t srv_push_service_of(const PGresult *rows, int row);
/* Classifies a service's response to a message: sent, again, refused, or gone. A device counts as gone only
 * if the response is certainly about the device, because a wrong address or project of ours also gets
 * 404. */
const char *srv_push_outcome(struct srv_push *push, size_t service, const struct net_outbound_answer *answer);

#endif
