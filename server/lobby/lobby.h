/* The lobby: a socket for each player who looks for a table. Everybody gets one full state of rooms, public
 * tables and people, then what has changed, several changes put together. Hub thread. */
#ifndef RUMMYD_SERVER_LOBBY_LOBBY_H
#define RUMMYD_SERVER_LOBBY_LOBBY_H

#include "db/pipe.h"
#include "server/ws/ws.h"

struct ev_loop;
struct srv_lobby;

enum {
    LOBBY_PUSH_MS = 250,     /* at most four pushes a second */
    LOBBY_LOOK_S = 2,        /* what other nodes have changed is looked for so often */
    LOBBY_TABLES_MAX = 120,  /* public tables shown */
    LOBBY_ITEMS_MAX = 200,   /* rooms and tables */
    LOBBY_FRAME_MAX = 60000, /* bytes of a frame */
    LOBBY_BYTES_MAX = 52000, /* of all rooms and tables in it: the rest is for what is gone */
    LOBBY_ONLINE_MS = 2000,  /* the count of sockets alone is news so seldom */
    LOBBY_BUCKETS = 1024,
    LOBBY_PEOPLE_MS = 500,   /* others are told so seldom who came and went; */
    LOBBY_PEOPLE_HEAL_S = 10 /* and so often who is here in any case */
};

/* How it is with the lobbies of other nodes. */
struct srv_lobby_beside {
    bool accompanied; /* some live */
    int64_t online;   /* people in all of theirs */
};

struct srv_lobby_ports {
    void *ctx;
    void (*people_told)(void *ctx); /* the rows of who is here are others */
};

/* Of this node, whose epoch it is. NULL: memory is short. */
struct srv_lobby *srv_lobby_new(struct ev_loop *loop, struct db_pipe *pipe, const char *node, int64_t epoch,
                                const struct srv_lobby_ports *ports);
void srv_lobby_free(struct srv_lobby *lobby);
/* The player's socket; an older one of theirs is closed with 4003. */
void srv_lobby_enter(struct srv_lobby *lobby, struct srv_socket *socket, int64_t player_id);
/* The socket is gone. */
void srv_lobby_leave(struct srv_lobby *lobby, struct srv_socket *socket);
/* A table was opened, filled, started or ended. */
void srv_lobby_changed(struct srv_lobby *lobby);
/* The player, if they are here, has a new notification or friend. */
void srv_lobby_news(struct srv_lobby *lobby, int64_t player_id);
/* Somebody came into a lobby or went, here or at another node: friends see it. */
void srv_lobby_people_moved(struct srv_lobby *lobby);
/* How many are here. */
size_t srv_lobby_size(const struct srv_lobby *lobby);
void srv_lobby_second(struct srv_lobby *lobby, const struct srv_lobby_beside *beside);
/* Frames for everybody: the database is lost or back; the process winds down. */
void srv_lobby_outage(struct srv_lobby *lobby, bool outage);
void srv_lobby_drain(struct srv_lobby *lobby, int64_t retry_ms, int close_code);

#endif
