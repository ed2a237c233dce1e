/* Messages between nodes: that something may have changed, and which, by its id. A message is only a hint:
 * the receiver checks the rows, so a lost, late, duplicate, or forged one costs at most a check. Pure, any
 * thread. */
#ifndef RUMMYD_BUS_MESSAGE_H
#define RUMMYD_BUS_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum bus_kind {
    BUS_TABLE_CHANGED,  /* a seat of it was taken or given back, or a clock was stopped or resumed */
    BUS_TABLE_CANCEL,   /* an operator wants to end it */
    BUS_TABLE_REMATCH,  /* a player has joined its rematch */
    BUS_PLAYER_NEWS,    /* a notification, a friend */
    BUS_PLAYER_REVOKED, /* banned, or no longer */
    BUS_SESSION_ENDED,
    BUS_LOBBY,     /* what it shows */
    BUS_PEOPLE,    /* who is in the lobbies: a player came or left */
    BUS_CHECK_ALL, /* a message was lost: check everything once */
    BUS_KINDS_N
};

struct bus_message {
    enum bus_kind kind;
    int64_t id; /* of the table, player, or session; otherwise 0 */
};

#define BUS_SUBJECTS "rummyd.>" /* all of them */
/* The payload of each: the protocol version. Messages of another version are ignored, and polling makes up
 * for it. */
#define BUS_PAYLOAD "1"
#define BUS_SUBJECT_MAX 64

/* "rummyd.table.17.changed" */
void bus_message_write(const struct bus_message *message, char subject[BUS_SUBJECT_MAX]);
/* false: not our format, and *message is unchanged. */
bool bus_message_read(struct bus_message *message, const char *subject, const char *payload, size_t len);

#endif
