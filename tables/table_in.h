/* What the files of a live table share. Hub thread. */
#ifndef RUMMYD_TABLES_TABLE_IN_H
#define RUMMYD_TABLES_TABLE_IN_H

#include "base/buf.h"
#include "tables/recover.h"
#include "tables/table.h"

/* Goes on as far as it can: greets who connected, carries out queued commands, plays bots and
 * time-outs, until a write is on its way or there is nothing to do. Sets the deadline. */
void tab_pump(struct tab_table *table);
/* Hands table->write (its kind and data are set) to the journal. */
void tab_begin_write(struct tab_table *table, enum tab_write_kind kind);
/* Unlinks and frees; sockets still here are closed with the code. */
void tab_drop(struct tab_table *table, int close_code);
/* An empty table without rows. */
void tab_init(struct tab_table *table);
void tab_registry_add(struct tab_registry *registry, struct tab_table *table);

/* seats.c: who is here, and what they are told. */
void tab_send(struct tab_table *table, uint8_t seat, const struct buf *frame);
/* To all seats; to them and all who watch. */
void tab_send_seats(struct tab_table *table, const struct buf *frame);
void tab_send_all(struct tab_table *table, const struct buf *frame);
/* The whole table and its clock: when the game starts. */
void tab_welcome(struct tab_table *table, uint8_t seat);
void tab_greet_joiners(struct tab_table *table);
void tab_tell_waiting(struct tab_table *table);
/* seat ENG_NO_SEAT: to everybody who may know. */
void tab_tell_clock(struct tab_table *table, uint8_t seat);
void tab_tell_settled(struct tab_table *table, uint8_t seat);
/* What was played for them, if anything was; then it is forgotten. */
void tab_tell_missed_moves(struct tab_table *table, uint8_t seat);
/* Who plays again and where, if anybody does. seat ENG_NO_SEAT: to all. */
void tab_tell_rematch(struct tab_table *table, uint8_t seat);
void tab_tell_fairness(struct tab_table *table, uint8_t seat); /* of table->last */
void tab_close_seat(struct tab_table *table, uint8_t seat, int close_code);
bool tab_has_audience(const struct tab_table *table);
/* Events after sent_v up to the last go out; clocks start with `turn`. */
void tab_release_events(struct tab_table *table);

/* play.c */
void tab_enqueue(struct tab_table *table, const struct tab_command *command);
/* An empty id is nobody's: nothing is sent. */
void tab_send_ack(struct tab_table *table, uint8_t seat, const char *id, uint32_t v);
void tab_refuse(struct tab_table *table, uint8_t seat, const char *id, const char *code);
void tab_run_command(struct tab_table *table, const struct tab_command *command);
/* Plays for a bot or an expired clock if one is due; true: a write is on its way. */
bool tab_play_drive(struct tab_table *table);
/* Between hands of a pool: one of the bots that are out joins it again; false: none wants to. */
bool tab_rejoin_bots(struct tab_table *table);
/* Of every move, live or re-played: the event ring, and what the table remembers of events. */
void tab_note(struct tab_table *table, const struct eng_outcome *outcome);
/* tab_note, and what was played for whom. id: of the command that made it. */
void tab_note_move(struct tab_table *table, const struct eng_move *move, const char *id,
                   const struct eng_outcome *outcome);
bool tab_keep_move(struct tab_table *table, const struct eng_move *move);
bool tab_deal(struct tab_table *table);

/* time_bank.c. true: the clock ran out, and the seat's reserve goes on. */
bool tab_time_bank_begin(struct tab_table *table, uint8_t seat);
/* What the seat has used of theirs in all, while it goes; 0: it does not. */
int64_t tab_time_bank_used(const struct tab_table *table, uint8_t seat);
/* A turn is over and that of `next` begins. */
void tab_time_bank_end(struct tab_table *table, uint8_t next);
void tab_time_bank_recover(struct tab_table *table, const struct tab_load *load);

/* waiting.c: the time before the deal. true: a write is on its way. */
bool tab_waiting_drive(struct tab_table *table);
/* The stakes go back, and with the answer the table is gone. */
void tab_begin_cancel(struct tab_table *table, const char *reason);
int64_t tab_waiting_due(const struct tab_table *table);

/* hand_end.c: fills table->write for the end of a hand (with its record, when one has ended) or of the
 * session; false: the record cannot be written. */
bool tab_hand_end_prepare(struct tab_table *table, bool hand_ended, bool over);
/* The hand that has ended, with its seeds, becomes table->last. */
void tab_hand_end_keep(struct tab_table *table);

/* between_hands.c: between two hands. */
bool tab_is_between_hands(const struct tab_table *table);
/* The hand has ended and the next one is promised: its seeds are waited for. */
void tab_between_hands_begin(struct tab_table *table);
void tab_tell_next_hand(struct tab_table *table, uint8_t seat); /* ENG_NO_SEAT: everybody */
/* seed and ready. */
void tab_between_hands_run(struct tab_table *table, const struct tab_command *command);
bool tab_between_hands_drive(struct tab_table *table);
/* The next hand is durable: dealt and told. */
void tab_after_deal(struct tab_table *table);

/* play.c: the server's own moves. */
bool tab_make_move(struct tab_table *table, const struct eng_move *move);
/* grouping.c: while the others group their cards after a declaration. */
bool tab_grouping_drive(struct tab_table *table);

/* How long the running clock is: of a turn, or of the grouping after a declaration. */
static inline int64_t tab_clock_ms(const struct tab_table *table)
{
    bool grouping = eng_phase(&table->game) == ENG_TO_GROUP;
    return (grouping ? table->params.group_s : table->params.turn_s) * 1000;
}

/* A turn begins, or the grouping. */
static inline bool tab_starts_clock(const struct eng_event *event)
{
    return event->type == ENG_EV_TURN ||
           (event->type == ENG_EV_DECLARED && event->declared.refusal == ENG_OK);
}

static inline int64_t tab_now(const struct tab_table *table)
{
    return table->registry->ports.now_ms(table->registry->ports.ctx);
}

#endif
