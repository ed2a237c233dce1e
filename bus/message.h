/* What nodes say to each other: that something may have changed, and of what, by its id. A message is a hint
 * and nothing more: whoever hears one looks at the rows, so a lost, old, doubled or invented one costs a
 * look. Pure, any thread. */
#ifndef RUMMYD_BUS_MESSAGE_H
#define RUMMYD_BUS_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum bus_kind {
    BUS_TABLE_CHANGED,  /* a seat of it was taken or given back, a clock of it stands still or goes on */
    BUS_TABLE_CANCEL,   /* an operator wants it ended */
    BUS_TABLE_REMATCH,  /* somebody sits at its rematch */
    BUS_PLAYER_NEWS,    /* a notification, a friend */
    BUS_PLAYER_REVOKED, /* banned, or no more */
    BUS_SESSION_ENDED,
    BUS_LOBBY,  /* what it shows */
    BUS_PEOPLE, /* who is in lobbies: somebody came or went */
    BUS_LOOK,   /* something was not said: look at everything once */
    BUS_KINDS_N
};

struct bus_message {
    enum bus_kind kind;
    int64_t id; /* of the table, player or session; else 0 */
};

#define BUS_SUBJECTS "rummyd.>" /* all of them */
/* What each carries: the version of all this. One of another version is refused, and the rows heal it. */
#define BUS_PAYLOAD "1"
#define BUS_SUBJECT_MAX 64

/* "rummyd.table.17.changed" */
void bus_message_write(const struct bus_message *message, char subject[BUS_SUBJECT_MAX]);
/* false: no message of ours, and *message is not touched. */
bool bus_message_read(struct bus_message *message, const char *subject, const char *payload, size_t len);

#endif
