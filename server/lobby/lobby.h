/* The lobby: one socket per player who is looking for a table. Each client gets one full state of rooms,
 * games, public tables, and players, then combined changes. Hub thread. */
#ifndef RUMMYD_SERVER_LOBBY_LOBBY_H
#define RUMMYD_SERVER_LOBBY_LOBBY_H

#include "db/pipe.h"
#include "server/ws/ws.h"

struct ev_loop;
struct srv_lobby;

enum {
    LOBBY_PUSH_MS = 250,     /* at most four pushes per second */
    LOBBY_POLL_S = 2,        /* poll interval for changes by other nodes */
    LOBBY_TABLES_MAX = 120,  /* public tables shown */
    LOBBY_ITEMS_MAX = 200,   /* rooms, games, and tables */
    LOBBY_FRAME_MAX = 60000, /* bytes of a frame */
    LOBBY_BYTES_MAX = 52000, /* bytes of all items in a frame; the rest is for ids of removed ones */
    LOBBY_ONLINE_MS = 2000,  /* minimum interval if only the number of sockets has changed */
    LOBBY_BUCKETS = 1024,
    LOBBY_PEOPLE_MS = 500,   /* minimum interval of announcements to other nodes */
    LOBBY_PEOPLE_HEAL_S = 10 /* interval at which the full list is announced */
};

/* The lobbies of other nodes. */
struct srv_lobby_peers {
    bool has_peers; /* whether other nodes are running */
    int64_t online; /* players in all their lobbies */
};

struct srv_lobby_ports {
    void *ctx;
    void (*people_announced)(void *ctx); /* the rows of the players in this lobby have changed */
};

/* node, epoch: of this node. NULL: out of memory. */
struct srv_lobby *srv_lobby_new(struct ev_loop *loop, struct db_pipe *pipe, const char *node, int64_t epoch,
                                const struct srv_lobby_ports *ports);
void srv_lobby_free(struct srv_lobby *lobby);
/* Adds the player's socket, and closes an older one of theirs with 4003. */
void srv_lobby_enter(struct srv_lobby *lobby, struct srv_socket *socket, int64_t player_id);
/* Removes the socket. */
void srv_lobby_leave(struct srv_lobby *lobby, struct srv_socket *socket);
/* Call when a table was opened, filled, started, or ended. */
void srv_lobby_changed(struct srv_lobby *lobby);
/* Call when a player has a new notification or friend; ignored if they are not here. */
void srv_lobby_news(struct srv_lobby *lobby, int64_t player_id);
/* Call when a player has joined or left a lobby, here or on another node. Updates their friends' lists. */
void srv_lobby_players_moved(struct srv_lobby *lobby);
/* Number of players in this lobby. */
size_t srv_lobby_size(const struct srv_lobby *lobby);
void srv_lobby_second(struct srv_lobby *lobby, const struct srv_lobby_peers *peers);
/* Notify all clients that the database is unreachable or back, and that the process is shutting down. */
void srv_lobby_outage(struct srv_lobby *lobby, bool outage);
void srv_lobby_drain(struct srv_lobby *lobby, int64_t retry_ms, int close_code);

#endif
