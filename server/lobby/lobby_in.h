/* What the files of the lobby share. Hub thread. */
#ifndef RUMMYD_SERVER_LOBBY_LOBBY_IN_H
#define RUMMYD_SERVER_LOBBY_LOBBY_IN_H

#include <ev.h>

#include "base/buf.h"
#include "server/lobby/lobby.h"

enum {
    LOBBY_TOLD_MAX = 32,      /* notifications remembered for a socket; no more of a player are read */
    LOBBY_NOTICES_MAX = 200,  /* read at once */
    LOBBY_NOTICE_AGE_S = 120, /* older ones are for the list over REST */
    LOBBY_ASK_MAX = 20000,    /* people asked for at once: as many sockets as a process may have */
    LOBBY_FRIENDS_MAX = 50,   /* friends one is shown */
    LOBBY_FRIENDS_FRAME_MAX = 32768,
};

struct srv_guest {
    struct srv_socket *socket;
    int64_t player_id;
    bool stale; /* gets the whole picture next: they are new, or were too slow for the last change */
    int64_t told[LOBBY_TOLD_MAX]; /* ids of the notifications they got last, a ring */
    uint8_t told_next;
    uint64_t friends; /* hash of the list of friends they have; 0: an empty one */
    uint32_t friends_round;
    struct srv_guest *prev, *next;
    struct srv_guest *bucket_next;
};

/* A room or a table as it is sent. */
struct srv_item {
    bool room, changed;
    char id[64];
    char *body;
};

struct srv_picture {
    size_t n;
    int64_t playing;
    struct srv_item items[LOBBY_ITEMS_MAX];
};

struct srv_lobby {
    struct ev_loop *loop;
    struct db_pipe *pipe;
    struct ev_timer push;
    struct srv_guest *guests;
    struct srv_guest *buckets[LOBBY_BUCKETS];
    size_t guests_n, stale_n;
    int64_t online_told, told_ms;
    unsigned seconds;
    bool asking_notices, asking_friends;
    int64_t notices_after;  /* the next look reads on behind this one, 0: from the beginning */
    uint32_t friends_round; /* counts the looks */
    bool asking;            /* the picture is on its way from the database */
    bool dirty;             /* it has changed since that was asked for */
    bool shown;             /* `now` holds a picture */
    struct srv_picture pictures[2], *now, *next;
    char memory[LOBBY_FRAME_MAX];
};

/* The player's socket; NULL: they are not here. */
struct srv_guest *srv_lobby_find(const struct srv_lobby *lobby, int64_t player_id);
/* Ids of those who are here, LOBBY_ASK_MAX at most; good until the next call. */
const int64_t *srv_lobby_people(const struct srv_lobby *lobby, size_t *n);
/* Looks whose friends came or went. */
void srv_lobby_look_for_friends(struct srv_lobby *lobby);
/* Looks for new notifications of those who are here. */
void srv_lobby_look_for_notices(struct srv_lobby *lobby);

#endif
