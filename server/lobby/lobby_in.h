/* What the files of the lobby share. Hub thread. */
#ifndef RUMMYD_SERVER_LOBBY_LOBBY_IN_H
#define RUMMYD_SERVER_LOBBY_LOBBY_IN_H

#include <ev.h>

#include "base/buf.h"
#include "server/lobby/lobby.h"

enum {
    LOBBY_TOLD_MAX = 32,            /* notifications remembered for a socket; no more of a player are read */
    LOBBY_NOTIFICATIONS_MAX = 200,  /* read at once */
    LOBBY_NOTIFICATION_AGE_S = 120, /* older ones are for the list over REST */
    LOBBY_ASK_MAX = 20000,          /* people asked for at once: as many sockets as a process may have */
    LOBBY_FRIENDS_MAX = 50,         /* friends one is shown */
    LOBBY_FRIENDS_FRAME_MAX = 32768,
    LOBBY_TOURNAMENTS_MAX = 200, /* looked at, told in one frame */
};

struct srv_lobby_member {
    struct srv_socket *socket;
    int64_t player_id;
    bool stale; /* gets the whole state next: they are new, or were too slow for the last change */
    int64_t told[LOBBY_TOLD_MAX]; /* ids of the notifications they got last, a ring */
    uint8_t told_next;
    uint64_t friends; /* hash of the list of friends they have; 0: an empty one */
    uint32_t friends_round;
    struct srv_lobby_member *prev, *next;
    struct srv_lobby_member *bucket_next;
};

/* A room or a table as it is sent. */
struct srv_lobby_item {
    bool room, changed;
    char id[64];
    char *body;
};

struct srv_lobby_state {
    size_t n;
    int64_t playing;
    struct srv_lobby_item items[LOBBY_ITEMS_MAX];
};

/* A tournament that goes on, and the hash of what was last told of it. */
struct srv_lobby_tournament {
    int64_t id;
    uint64_t told;
};

struct srv_lobby {
    struct ev_loop *loop;
    struct db_pipe *pipe;
    const char *node;
    int64_t epoch;
    struct srv_lobby_ports ports;
    struct srv_lobby_beside beside;
    struct ev_timer push;
    struct srv_lobby_member *members;
    struct srv_lobby_member *buckets[LOBBY_BUCKETS];
    size_t members_n, stale_n;
    int64_t online_told, told_ms;
    unsigned seconds;
    bool people_new, telling_people; /* people.c: the others do not know yet who is here; are being told */
    int64_t people_told_ms;
    bool friends_news; /* somebody here may have another friend */
    bool asking_notifications, asking_friends, asking_tournaments, keeping_quiet;
    int64_t notifications_after; /* the next look reads on behind this one, 0: from the beginning */
    uint32_t friends_round;      /* counts the looks */
    bool tournaments_known;      /* they were looked at since somebody is here; what is other now is news */
    size_t tournaments_n;
    struct srv_lobby_tournament tournaments[LOBBY_TOURNAMENTS_MAX];
    bool asking; /* the state is on its way from the database */
    bool dirty;  /* it has changed since that was asked for */
    bool shown;  /* `now` holds a state */
    struct srv_lobby_state states[2], *now, *next;
    char memory[LOBBY_FRAME_MAX];
};

/* The player's socket; NULL: they are not here. */
struct srv_lobby_member *srv_lobby_find(const struct srv_lobby *lobby, int64_t player_id);
/* Ids of those who are here, LOBBY_ASK_MAX at most; good until the next call. */
const int64_t *srv_lobby_people(const struct srv_lobby *lobby, size_t *n);
/* Looks whose friends came or went. */
void srv_lobby_look_for_friends(struct srv_lobby *lobby);
/* Looks which tournaments are others than they were, and tells everybody. */
void srv_lobby_look_for_tournaments(struct srv_lobby *lobby);
/* friends.c: FNV-1a of a text that is sent; never 0, which stands for nothing. */
uint64_t srv_lobby_hash(const char *text);
/* people.c: somebody came or went here. */
void srv_lobby_people_changed(struct srv_lobby *lobby);
/* Tells the others who is here, if it is time. */
void srv_lobby_tell_people(struct srv_lobby *lobby);
/* Looks again soon, LOBBY_PUSH_MS from now at the latest. */
void srv_lobby_push_later(struct srv_lobby *lobby);
/* quiet.c */
void srv_lobby_keep_quiet(struct srv_lobby *lobby);
/* Looks for new notifications of those who are here. */
void srv_lobby_look_for_notifications(struct srv_lobby *lobby);

#endif
