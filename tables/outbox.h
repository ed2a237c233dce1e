/* The outbox: everything a table says to its seats and spectators goes out here. A `tell` writes the frame
 * and sends it; what each viewer may see is decided in wire.h. Hub thread.
 *
 * Nothing here changes the game or the phase, and nothing fails: a port that cannot send closes its socket
 * itself. */
#ifndef RUMMYD_TABLES_OUTBOX_H
#define RUMMYD_TABLES_OUTBOX_H

#include "base/buf.h"
#include "tables/table.h"

/* ---- Whom a frame is for ---- */
/* It points into the table: use it at once. Seats that are not connected get nothing. */
struct tab_to {
    uint8_t seats; /* a bit for each */
    size_t others_n;
    tab_socket *const *others; /* sockets without a seat */
};

struct tab_to tab_to_seat(uint8_t seat);
struct tab_to tab_to_seats(void);
struct tab_to tab_to_spectators(const struct tab_table *table);
struct tab_to tab_to_socket(tab_socket *const *socket); /* one that has no seat, or is not greeted yet */
/* All seats and spectators. */
struct tab_to tab_to_all(const struct tab_table *table);
/* The same, but no spectators who see the table later. */
struct tab_to tab_to_live(const struct tab_table *table);
/* The same without that seat; ENG_NO_SEAT: nobody is left out. */
struct tab_to tab_to_without(struct tab_to to, uint8_t seat);

/* Sends one frame: one call of the port for the seats, and one for the spectators. */
void tab_send(struct tab_table *table, struct tab_to to, const struct buf *frame);
/* Somebody is connected, in a seat or as a spectator, or waits to be greeted. */
bool tab_has_audience(const struct tab_table *table);

/* ---- The game ---- */
/* viewer: ENG_SPECTATOR, or the seat that `to` is. */
void tab_tell_snapshot(struct tab_table *table, struct tab_to to, uint8_t viewer);
/* A new event: encoded once for each distinct view of it. */
void tab_tell_event(struct tab_table *table, uint32_t v, const struct eng_event *event);
/* The events after `since` up to `upto` again, as that viewer sees them. They must be held. */
void tab_tell_events_again(struct tab_table *table, struct tab_to to, uint32_t since, uint32_t upto,
                           uint8_t viewer);
/* Of a table that waits for its person that it does. Nothing is sent when no clock runs. */
void tab_tell_clock(struct tab_table *table, struct tab_to to);

/* ---- States ---- */
void tab_tell_waiting(struct tab_table *table, struct tab_to to);
void tab_tell_presence(struct tab_table *table, struct tab_to to, uint8_t seat);
void tab_tell_spectators(struct tab_table *table, struct tab_to to, size_t n);
void tab_tell_fairness(struct tab_table *table, struct tab_to to); /* of table->last */
void tab_tell_next_hand(struct tab_table *table, struct tab_to to);
void tab_tell_settled(struct tab_table *table, struct tab_to to, uint8_t viewer);
/* Who plays again and where, if anybody does. */
void tab_tell_rematch(struct tab_table *table, struct tab_to to);
/* What was played for the seat, if anything was and it is connected; then it is forgotten. */
void tab_tell_missed_moves(struct tab_table *table, uint8_t seat);
void tab_tell_cancelled(struct tab_table *table, const char *reason);
/* An outage begins, or is over. */
void tab_tell_outage(struct tab_table *table, struct tab_to to, bool outage);
void tab_tell_restarting(struct tab_table *table, int64_t retry_ms);
/* Another node has the table, whose sockets are at this base. */
void tab_tell_moved(struct tab_table *table, struct tab_to to, const char *base);

/* ---- Replies to a command of the seat; an empty id is nobody's: nothing is sent ---- */
void tab_reply_ack(struct tab_table *table, uint8_t seat, const char *id, uint32_t v);
/* A refusal of the rules. cards: those that offend. */
void tab_reply_nack(struct tab_table *table, uint8_t seat, const char *id, enum eng_refusal refusal,
                    const uint8_t *cards, int cards_n);
/* A refusal of the table. code: one of the contract's. */
void tab_reply_refused(struct tab_table *table, uint8_t seat, const char *id, const char *code);
void tab_reply_legal(struct tab_table *table, const struct tab_command *command);

#endif
