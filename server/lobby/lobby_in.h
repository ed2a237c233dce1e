/* The state of the lobby, private to its files. Hub thread. */
#ifndef RUMMYD_SERVER_LOBBY_LOBBY_IN_H
#define RUMMYD_SERVER_LOBBY_LOBBY_IN_H

#include <ev.h>

#include "base/buf.h"
#include "server/lobby/lobby.h"

enum {
    LOBBY_SENT_MAX = 32,            /* notifications remembered per socket, and maximum read per player */
    LOBBY_NOTIFICATIONS_MAX = 200,  /* read per poll */
    LOBBY_NOTIFICATION_AGE_S = 120, /* older ones are available only through REST */
    LOBBY_ASK_MAX = 20000,          /* players per query; the socket limit of a process */
    LOBBY_FRIENDS_MAX = 50,         /* friends shown per player */
    LOBBY_FRIENDS_FRAME_MAX = 32768,
    LOBBY_TOURNAMENTS_MAX = 200, /* per poll, and per frame */
};

struct srv_lobby_member {
    struct srv_socket *socket;
    int64_t player_id;
    bool stale; /* must get the whole state next, because it is new or was too slow for the last change */
    int64_t sent[LOBBY_SENT_MAX]; /* ids of the last notifications sent, a ring buffer */
    uint8_t told_next;
    uint64_t friends; /* hash of the last friend list sent; 0: an empty one */
    uint32_t friends_round;
    struct srv_lobby_member *prev, *next;
    struct srv_lobby_member *bucket_next;
};

enum srv_lobby_kind { LOBBY_ROOM, LOBBY_GAME, LOBBY_TABLE };

/* A room, the players of a game, or a table, as sent. */
struct srv_lobby_item {
    enum srv_lobby_kind kind;
    bool changed;
    char id[64];
    char *body;
};

struct srv_lobby_state {
    size_t n;
    int64_t playing;
    struct srv_lobby_item items[LOBBY_ITEMS_MAX];
};

/* A running tournament, and the hash of its last announcement. */
struct srv_lobby_tournament {
    int64_t id;
    uint64_t sent;
};

struct srv_lobby {
    struct ev_loop *loop;
    struct db_pipe *pipe;
    const char *node;
    int64_t epoch;
    struct srv_lobby_ports ports;
    struct srv_lobby_peers peers;
    struct ev_timer push;
    struct srv_lobby_member *members;
    struct srv_lobby_member *buckets[LOBBY_BUCKETS];
    size_t members_n, stale_n;
    int64_t online_told, told_ms;
    unsigned seconds;
    bool people_new, announcing_people; /* people.c: other nodes lack the current list; it is being sent */
    int64_t people_told_ms;
    bool friends_news; /* a player here may have another friend */
    bool asking_notifications, asking_friends, asking_tournaments, keeping_quiet;
    int64_t notifications_after; /* id after which the next poll continues; 0: from the beginning */
    uint32_t friends_round;      /* number of polls */
    bool tournaments_known;      /* polled while a client was here, so that differences are changes */
    size_t tournaments_n;
    struct srv_lobby_tournament tournaments[LOBBY_TOURNAMENTS_MAX];
    bool asking; /* a query for the state is running */
    bool dirty;  /* the state has changed since that query */
    bool shown;  /* `now` holds a state */
    struct srv_lobby_state states[2], *now, *next;
    char memory[LOBBY_FRAME_MAX];
};

#endif
