/* Messages between nodes: what may have changed, with its id. A message is only a hint; the receiver checks
 * the rows, so a lost, late, duplicate, or forged message costs at most a check. Pure, any thread. */
#ifndef RUMMYD_BUS_MESSAGE_H
#define RUMMYD_BUS_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum bus_kind {
    BUS_TABLE_CHANGED,  /* a seat was taken or given up, or a clock was stopped or resumed */
    BUS_TABLE_CANCEL,   /* an operator wants to end the table */
    BUS_TABLE_REMATCH,  /* a player has joined the table's rematch */
    BUS_PLAYER_NEWS,    /* a notification, a friend */
    BUS_PLAYER_REVOKED, /* player banned or unbanned */
    BUS_SESSION_ENDED,
    BUS_LOBBY,     /* the lobby's contents changed */
    BUS_PEOPLE,    /* a player entered or left a lobby */
    BUS_CHECK_ALL, /* a message was lost, so check everything once */
    BUS_KINDS_N
};

struct bus_message {
    enum bus_kind kind;
    int64_t id; /* id of the table, player, or session; otherwise 0 */
};

#define BUS_SUBJECTS "rummyd.>" /* all subjects */
/* The payload of each message is the protocol version. Messages of another version are ignored; polling
 * makes up for them. */
#define BUS_PAYLOAD "1"
#define BUS_SUBJECT_MAX 64

/* "rummyd.table.17.changed" */
void bus_message_write(const struct bus_message *message, char subject[BUS_SUBJECT_MAX]);
/* false: not our format, and *message is unchanged. */
bool bus_message_read(struct bus_message *message, const char *subject, const char *payload, size_t len);

#endif
