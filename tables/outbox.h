/* The outbox: a table sends everything to its seats and spectators through it. Each tab_send_ function
 * writes a frame and sends it; wire.h determines what each viewer may see. Hub thread.
 *
 * No function here changes the game or the phase, and none of them fails: a port that cannot send closes
 * the socket itself. */
#ifndef RUMMYD_TABLES_OUTBOX_H
#define RUMMYD_TABLES_OUTBOX_H

#include "base/buf.h"
#include "tables/table.h"

/* ---- Recipients ---- */
/* Points into the table, so use it at once. Seats that are not connected get nothing. */
struct tab_to {
    uint8_t seats; /* one bit per seat */
    size_t others_n;
    tab_socket *const *others; /* sockets without a seat */
};

struct tab_to tab_to_seat(uint8_t seat);
struct tab_to tab_to_seats(void);
struct tab_to tab_to_spectators(const struct tab_table *table);
/* A socket without a seat, or one not yet greeted. */
struct tab_to tab_to_socket(tab_socket *const *socket);
/* All seats and spectators. */
struct tab_to tab_to_all(const struct tab_table *table);
/* The same without spectators who see the table with a delay. */
struct tab_to tab_to_live(const struct tab_table *table);
/* The same recipients without that seat; ENG_NO_SEAT: excludes none. */
struct tab_to tab_to_without(struct tab_to to, uint8_t seat);

/* Sends one frame, with one port call for the seats and one for the spectators. */
void tab_send(struct tab_table *table, struct tab_to to, const struct buf *frame);
/* Whether any client is connected, in a seat or as a spectator, or waits to be greeted. */
bool tab_has_audience(const struct tab_table *table);

/* ---- The game ---- */
/* viewer: ENG_SPECTATOR, or the seat in `to`. */
void tab_send_snapshot(struct tab_table *table, struct tab_to to, uint8_t viewer);
/* Sends a new event, encoding it once per distinct view. */
void tab_send_event(struct tab_table *table, uint32_t v, const struct eng_event *event);
/* Sends the events after `since` up to `upto` again, as the viewer sees them. They must be in the ring. */
void tab_send_events_again(struct tab_table *table, struct tab_to to, uint32_t since, uint32_t upto,
                           uint8_t viewer);
/* Sends the clock or, if a practice table waits for its player, that state. Sends nothing if no clock
 * runs. */
void tab_send_clock(struct tab_table *table, struct tab_to to);

/* ---- States ---- */
void tab_send_waiting(struct tab_table *table, struct tab_to to);
void tab_send_presence(struct tab_table *table, struct tab_to to, uint8_t seat);
void tab_send_spectators(struct tab_table *table, struct tab_to to, size_t n);
void tab_send_fairness(struct tab_table *table, struct tab_to to); /* seeds of table->last */
void tab_send_next_hand(struct tab_table *table, struct tab_to to);
void tab_send_settled(struct tab_table *table, struct tab_to to, uint8_t viewer);
/* Sends which players joined the rematch, and where, if there are any. */
void tab_send_rematch(struct tab_table *table, struct tab_to to);
/* Sends and clears the seat's missed moves, if there are any and the seat is connected. */
void tab_send_missed_moves(struct tab_table *table, uint8_t seat);
void tab_send_cancelled(struct tab_table *table, const char *reason);
/* Notifies clients that an outage begins or is over. */
void tab_send_outage(struct tab_table *table, struct tab_to to, bool outage);
void tab_send_restarting(struct tab_table *table, int64_t retry_ms);
/* Notifies clients that another node has the table; its sockets are at this base URL. */
void tab_send_moved(struct tab_table *table, struct tab_to to, const char *base);

/* ---- Replies to a command of the seat; with an empty id nothing is sent ---- */
void tab_reply_ack(struct tab_table *table, uint8_t seat, const char *id, uint32_t v);
/* A refusal by the rules. cards: the offending cards. */
void tab_reply_nack(struct tab_table *table, uint8_t seat, const char *id, enum eng_refusal refusal,
                    const uint8_t *cards, int cards_n);
/* A refusal by the table. code: one of those in asyncapi.yaml. */
void tab_reply_refused(struct tab_table *table, uint8_t seat, const char *id, const char *code);
void tab_reply_legal(struct tab_table *table, const struct tab_command *command);

#endif
