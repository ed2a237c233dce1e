/* Finds rows that another process has changed: from messages of the bus, or by polling if the bus is
 * unavailable. A message only prompts a check of rows; several messages can lead to one check. While other
 * nodes are running, the hub makes the same checks every HUB_NEWS_S. Hub thread, except for srv_hub_receive
 * (server/hub/hub.h). */
#ifndef RUMMYD_SERVER_HUB_NEWS_H
#define RUMMYD_SERVER_HUB_NEWS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/ring.h"

struct srv_hub;

enum {
    HUB_RECEIVED_MAX = 4096,     /* queued ids of tables or players; on overflow, everything is checked */
    HUB_CHECK_MAX = 500,         /* tables per check */
    HUB_NEWS_S = 2,              /* poll interval while other nodes are running */
    HUB_NEWS_ALONE_S = 5,        /* poll interval while no other node is running */
    HUB_LOBBY_ANNOUNCE_MS = 250, /* minimum interval of lobby announcements */
};

struct srv_hub_news {
    struct ring changed, players; /* ids received */
    atomic_bool orders, rematches, lobby, people, check_all;
    /* Hub thread. */
    bool checking_changed, checking_orders, checking_rematches; /* a check is running */
    bool lobby_unannounced;
    int64_t lobby_announced_ms;
};

/* false: out of memory. */
bool srv_hub_news_init(struct srv_hub_news *news);
void srv_hub_news_free(struct srv_hub_news *news);
/* Starts the checks for the messages received. */
void srv_hub_news_take(struct srv_hub *hub);
/* Call once per second. */
void srv_hub_news_second(struct srv_hub *hub);
/* Call when something that the lobby shows has changed on this node. Announces it to the other nodes. */
void srv_hub_lobby_news(struct srv_hub *hub);
/* Call when the rows that list the players in this node's lobby have changed. ctx: the hub. */
void srv_hub_people_announced(void *ctx);

#endif
