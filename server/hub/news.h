/* What the bus says to the hub, and what the hub finds by itself when the bus is away: rows that somebody
 * else has changed. Whatever is heard is a hint to look at rows; many hints are one look. While other nodes
 * live, the same looks are made every HUB_NEWS_S. Hub thread, but for srv_hub_hear (server/hub/hub.h). */
#ifndef RUMMYD_SERVER_HUB_NEWS_H
#define RUMMYD_SERVER_HUB_NEWS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/ring.h"

struct srv_hub;

enum {
    HUB_HEARD_MAX = 4096,   /* ids of tables or players that wait; of more, everything is looked at */
    HUB_LOOK_MAX = 500,     /* tables of one look */
    HUB_NEWS_S = 2,         /* looks by itself so often beside others; */
    HUB_NEWS_ALONE_S = 5,   /* and so often alone */
    HUB_LOBBY_SAY_MS = 250, /* the lobby's news are said so often at most */
};

struct srv_hub_news {
    struct ring changed, players; /* ids that were heard */
    atomic_bool orders, rematches, lobby, people, look;
    /* Hub thread. */
    bool asking_changed, asking_orders, asking_rematches; /* a look is on its way */
    bool lobby_unsaid;
    int64_t lobby_said_ms;
};

/* false: memory is short. */
bool srv_hub_news_init(struct srv_hub_news *news);
void srv_hub_news_free(struct srv_hub_news *news);
/* Looks at what was heard. */
void srv_hub_news_take(struct srv_hub *hub);
/* Once a second. */
void srv_hub_news_second(struct srv_hub *hub);
/* Something that the lobby shows has changed here: the others hear of it. */
void srv_hub_lobby_news(struct srv_hub *hub);
/* The rows of who is in its lobby are others. ctx: the hub. */
void srv_hub_people_told(void *ctx);

#endif
