/* The frames of asyncapi.yaml about a table, written as JSON. Only eng_view and eng_event_view determine
 * what a viewer may see of the game. Each function writes one whole frame; out->full means that it did not
 * fit.
 *
 * Hub thread. REST loops also call tab_wire_snapshot, for tables that they have built. */
#ifndef RUMMYD_TABLES_WIRE_H
#define RUMMYD_TABLES_WIRE_H

#include "base/buf.h"
#include "tables/table.h"

/* Writes {"t":type and leaves the object open, so that the caller can add members. */
void tab_wire_open_frame(struct buf *out, enum wire_frame frame);

/* ---- The game (its events: wire/game.h): viewer is a seat, or ENG_SPECTATOR ---- */
void tab_wire_snapshot(struct buf *out, const struct tab_table *table, uint8_t viewer, int64_t now_ms);

/* ---- Current states ---- */
void tab_wire_waiting(struct buf *out, const struct tab_table *table, int64_t now_ms);
struct tab_chat_line;
void tab_wire_chat(struct buf *out, const struct tab_chat_line *line);
/* The seat's missed moves. The seat must have missed at least one move. */
void tab_wire_played_for_you(struct buf *out, const struct tab_table *table, uint8_t seat);
/* The number of spectators. */
void tab_wire_watchers(struct buf *out, size_t n);
void tab_wire_presence(struct buf *out, uint8_t seat, bool on);
/* Only while a turn or the grouping runs. */
void tab_wire_clock(struct buf *out, const struct tab_table *table, int64_t now_ms);
/* Each viewer sees only their own chips. */
void tab_wire_settled(struct buf *out, const struct tab_table *table, uint8_t viewer);
/* Seeds and commitment of the last hand that has ended. */
void tab_wire_fairness(struct buf *out, const struct tab_table *table);
/* Between hands: the number of the next hand, when it is dealt, and which seats are ready. */
/* Only while a practice table waits for its player. */
void tab_wire_waiting_for(struct buf *out, const struct tab_table *table, int64_t now_ms);
void tab_wire_next_hand(struct buf *out, const struct tab_table *table, int64_t now_ms);
/* Which seats joined the rematch, and at which table. */
void tab_wire_rematch(struct buf *out, const struct tab_table *table);
void tab_wire_cancelled(struct buf *out, const char *reason);
void tab_wire_restarting(struct buf *out, int64_t retry_ms);
/* base: base URL of the sockets on the node that owns the table now. */
void tab_wire_moved(struct buf *out, const struct tab_table *table, const char *base);
/* `paused` when a database outage begins, `resumed` when it is over. */
void tab_wire_paused(struct buf *out, bool paused);

/* ---- Replies to a command ---- */
void tab_wire_ack(struct buf *out, const char *id, uint32_t v);
/* id NULL: the id could not be read. */
void tab_wire_nack(struct buf *out, const char *id, const char *code, const char *text, const uint8_t *cards,
                   int n);
void tab_wire_pong(struct buf *out, const char *id, int64_t unix_ms);
/* The viewer's legal moves. hints: put good moves first. */
void tab_wire_legal(struct buf *out, const char *id, const struct eng_view *view, bool hints);

#endif
