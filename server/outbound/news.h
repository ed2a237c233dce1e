/* Messages between the threads of this process and other nodes, over the bus. Created and freed by `serve`;
 * sent from any thread. */
#ifndef RUMMYD_SERVER_NEWS_H
#define RUMMYD_SERVER_NEWS_H

#include "api/signin/revoked.h"
#include "bus/bus.h"
#include "server/config.h"
#include "server/http/http.h"
#include "server/hub/hub.h"

struct srv_news;

/* All arguments must live until srv_news_stop. NULL: error is one sentence. */
struct srv_news *srv_news_start(const struct srv_config *config, struct srv_hub *hub, struct srv_http *http,
                                struct api_revoked *revoked, char error[SRV_ERROR_MAX]);
/* Drops the message before the start and after the stop. news NULL: not started yet. */
void srv_news_publish(struct srv_news *news, enum bus_kind kind, int64_t id);
/* Stops receiving. Accepts NULL. */
void srv_news_stop(struct srv_news *news);
/* Call when all sending threads have ended. Accepts NULL. */
void srv_news_free(struct srv_news *news);

#endif
