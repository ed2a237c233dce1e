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
void tab_hall_add(struct tab_hall *hall, struct tab_table *table);

/* seats.c: who is here, and what he is told. */
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
/* What was played for him, if anything was; then it is forgotten. */
void tab_tell_account(struct tab_table *table, uint8_t seat);
/* Who plays again and where, if anybody does. seat ENG_NO_SEAT: to all. */
void tab_tell_rematch(struct tab_table *table, uint8_t seat);
void tab_tell_fairness(struct tab_table *table, uint8_t seat); /* of table->last */
void tab_close_seat(struct tab_table *table, uint8_t seat, int close_code);
bool tab_is_watched(const struct tab_table *table);
/* Events after sent_v up to the last go out; clocks start with `turn`. */
void tab_release_events(struct tab_table *table);

/* play.c */
void tab_enqueue(struct tab_table *table, const struct tab_command *command);
/* An empty id is nobody's: nothing is sent. */
void tab_send_ack(struct tab_table *table, uint8_t seat, const char *id, uint32_t v);
void tab_refuse(struct tab_table *table, uint8_t seat, const char *id, const char *code);
void tab_run_command(struct tab_table *table, const struct tab_command *command);
/* Plays for a bot or an expired clock if one is due; true: a write is on its way. */
bool tab_drive_game(struct tab_table *table);
/* Between hands of a pool: one of the bots that are out joins it again; false: none wants to. */
bool tab_rejoin_bots(struct tab_table *table);
/* Of every move, live or re-played: the event ring, and what the table remembers of events. */
void tab_note(struct tab_table *table, const struct eng_outcome *outcome);
/* tab_note, and what was played for whom. id: of the command that made it. */
void tab_note_move(struct tab_table *table, const struct eng_move *move, const char *id,
                   const struct eng_outcome *outcome);
bool tab_keep_move(struct tab_table *table, const struct eng_move *move);
bool tab_deal(struct tab_table *table);

/* reserve.c. true: the clock ran out, and the seat's reserve goes on. */
bool tab_reserve_begin(struct tab_table *table, uint8_t seat);
/* What the seat has used of his in all, while it goes; 0: it does not. */
int64_t tab_reserve_spent(const struct tab_table *table, uint8_t seat);
/* A turn is over and that of `next` begins. */
void tab_reserve_end(struct tab_table *table, uint8_t next);
void tab_reserve_recover(struct tab_table *table, const struct tab_load *load);

/* start.c: the time before the deal. true: a write is on its way. */
bool tab_drive_waiting(struct tab_table *table);
/* The stakes go back, and with the answer the table is gone. */
void tab_begin_cancel(struct tab_table *table, const char *reason);
int64_t tab_waiting_due(const struct tab_table *table);

/* finish.c: fills table->write for the end of a hand (with its record, when one has ended) or of the session;
 * false: the record cannot be written. */
bool tab_prepare_end(struct tab_table *table, bool hand_ended, bool over);
/* The hand that has ended, with its seeds, becomes table->last. */
void tab_keep_last(struct tab_table *table);

/* pause.c: between two hands. */
bool tab_is_between(const struct tab_table *table);
/* The hand has ended and the next one is promised: its seeds are waited for. */
void tab_begin_pause(struct tab_table *table);
void tab_tell_pause(struct tab_table *table, uint8_t seat); /* ENG_NO_SEAT: everybody */
/* seed and ready. */
void tab_run_between(struct tab_table *table, const struct tab_command *command);
bool tab_drive_pause(struct tab_table *table);
/* The next hand is durable: dealt and told. */
void tab_after_deal(struct tab_table *table);

/* play.c: the server's own moves. */
bool tab_make_move(struct tab_table *table, const struct eng_move *move);
/* group.c: while the others group their cards after a declaration. */
bool tab_drive_group(struct tab_table *table);

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
    return table->hall->ports.now_ms(table->hall->ports.ctx);
}

#endif
