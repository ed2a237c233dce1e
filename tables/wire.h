/* The frames of asyncapi.yaml that tell of a table, written as JSON. What a viewer may see
 * comes from eng_view and eng_event_view alone. Hub thread; snapshots also on REST loops. */
#ifndef RUMMYD_TABLES_WIRE_H
#define RUMMYD_TABLES_WIRE_H

#include "base/buf.h"
#include "tables/table.h"

/* Names of the event types as sent, for the test that holds them against the contract. */
const char *tab_wire_event_name(enum eng_event_type type);
/* Names of the kinds of frames without a version that are written here; NULL after the last. */
extern const char *const tab_wire_state_names[];

void tab_wire_event(struct buf *out, const struct tab_table *table, uint32_t v, const struct eng_event *event,
                    uint8_t viewer);
void tab_wire_snapshot(struct buf *out, const struct tab_table *table, uint8_t seat, int64_t now_ms);
void tab_wire_waiting(struct buf *out, const struct tab_table *table, int64_t now_ms);
struct tab_said;
void tab_wire_said(struct buf *out, const struct tab_said *said);
/* What was played for the seat, which is not nothing. */
void tab_wire_played_for_you(struct buf *out, const struct tab_table *table, uint8_t seat);
/* How many watch. */
void tab_wire_watchers(struct buf *out, size_t n);
void tab_wire_presence(struct buf *out, uint8_t seat, bool on);
/* Only while a turn runs. */
void tab_wire_clock(struct buf *out, const struct tab_table *table, int64_t now_ms);
void tab_wire_settled(struct buf *out, const struct tab_table *table, uint8_t seat);
/* Of the last hand that has ended. */
void tab_wire_fairness(struct buf *out, const struct tab_table *table);
/* Between hands: what is waited for. */
void tab_wire_next_hand(struct buf *out, const struct tab_table *table, int64_t now_ms);
void tab_wire_cancelled(struct buf *out, const char *reason);
void tab_wire_restarting(struct buf *out, int64_t retry_ms);
void tab_wire_paused(struct buf *out, bool paused);

void tab_wire_ack(struct buf *out, const char *id, uint32_t v);
/* id NULL: it could not be read. */
void tab_wire_nack(struct buf *out, const char *id, const char *code, const char *text, const uint8_t *cards,
                   int n);
void tab_wire_pong(struct buf *out, const char *id, int64_t unix_ms);
void tab_wire_legal(struct buf *out, const char *id, const struct eng_view *view, bool hints);

#endif
