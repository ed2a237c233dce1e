/* Moves and deals; see moves.h. No client receives a move before its write has committed. Hub thread. */
#include "tables/moves.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/log.h"
#include "tables/commands.h"
#include "tables/hand_clock.h"
#include "tables/hand_end.h"
#include "tables/journal.h"
#include "tables/outbox.h"
#include "tables/seats.h"
#include "tables/state.h"
#include "tables/time_bank.h"

/* ---- Bookkeeping of moves ---- */
static void note_events(struct tab_table *table, const struct eng_outcome *outcome)
{
    uint32_t v = table->events.last_v;
    ASSERT(outcome->code == ENG_OK && outcome->events_n > 0);
    for (int i = 0; i < outcome->events_n; i++) {
        const struct eng_event *event = &outcome->events[i];
        v++;
        if (tab_starts_clock(event))
            table->turn_v = v;
        if (event->type == ENG_EV_HAND_ENDED) {
            table->ended = *event;
            table->ended_v = v;
        }
        ASSERT(event->seat < table->seats_n || event->seat == ENG_NO_SEAT);
        if (event->type == ENG_EV_TURN)
            tab_own_turns_begin(&table->seats[event->seat].own_turns);
        if (event->type == ENG_EV_SCORED)
            table->scored[event->seat] = *event;
        tab_achievement_facts_note(table->facts, event);
        tab_throws_note(&table->throws, event);
    }
    tab_events_put(&table->events, outcome);
    ASSERT(table->events.last_v == eng_version(&table->game));
}

void tab_moves_note(struct tab_table *table, const struct eng_move *move, const char *id,
                    const struct eng_outcome *outcome)
{
    uint32_t v = table->events.last_v + 1;
    bool own = id[0] != '\0';
    if (move->seat < table->seats_n)
        tab_own_turns_note_move(&table->seats[move->seat].own_turns, move, own);
    unsigned concerns = (table->missed | (own ? 0u : 1u << move->seat)) & ~(unsigned)table->bots;
    for (uint8_t i = 0; i < table->seats_n; i++) {
        struct tab_missed_moves *missed = &table->seats[i].missed;
        if (!(concerns >> i & 1))
            continue;
        tab_missed_moves_note(missed, i, move, own, v, outcome);
        if (missed->from_v > 0)
            table->missed |= (uint8_t)(1u << i);
        else
            table->missed = (uint8_t)(table->missed & ~(1u << i));
    }
    note_events(table, outcome);
}

/* Keeps the game before the deal for the record, which the first hand does not need. */
static bool keep_before(struct tab_table *table)
{
    if (table->dealt_no == 0)
        return true;
    if (!table->before)
        table->before = malloc(sizeof(*table->before));
    if (table->before)
        *table->before = table->game;
    return table->before != NULL;
}

bool tab_moves_deal(struct tab_table *table)
{
    struct eng_client_seed seeds[ENG_SEAT_MAX];
    ASSERT(table->state == TAB_PLAYING);
    ASSERT(table->dealt_no == 0 || table->hand_no == table->dealt_no + 1);
    for (uint8_t i = 0; i < table->seats_n; i++)
        seeds[i] = table->seats[i].person.seed;
    uint8_t key[ENG_KEY_BYTES];
    eng_deal_key(key, table->server_seed, tab_deal_number(&table->deal, table->id), table->hand_no, seeds,
                 table->seats_n);
    struct eng_outcome out;
    if (!keep_before(table))
        return false;
    table->between = table->coming;
    table->coming.n = 0;
    eng_deal(&table->game, key, &out);
    if (out.code != ENG_OK)
        return false;
    table->dealt_no = table->hand_no;
    tab_move_log_clear(&table->moves);
    tab_hand_clock_deal(table);
    note_events(table, &out);
    table->dealt_v = table->events.last_v;
    ASSERT(eng_seat_to_move(&table->game) < table->seats_n && table->turn_v <= table->dealt_v);
    tab_spectators_dealt(table);
    return true;
}

/* ---- Making a move ---- */
enum eng_refusal tab_moves_begin(struct tab_table *table, const struct eng_move *move, const char *id,
                                 struct eng_outcome *out)
{
    ASSERT(!table->writing && table->state == TAB_PLAYING);
    ASSERT(move->seat < table->seats_n && strlen(id) < TAB_COMMAND_ID_MAX);
    ASSERT(table->sent_v == table->events.last_v); /* the previous move has been sent to all clients */
    bool between = tab_is_between_hands(table);
    uint8_t mover = eng_seat_to_move(&table->game);
    int64_t taken_ms = tab_hand_clock_taken(table);
    if (eng_apply(&table->game, move, out) != ENG_OK)
        return out->code;
    bool turn_over = tab_hand_clock_moved(table, mover, taken_ms, out);
    tab_moves_note(table, move, id, out);
    if (between)
        eng_between_add(&table->coming, move); /* for the record of the next hand */
    else if (table->moves.n == TAB_MOVES_MAX || !tab_move_log_put(&table->moves, move))
        BUG("an endless hand, or out of memory");
    struct tab_write *write = &table->write;
    write->v = table->events.last_v;
    ASSERT(write->v > table->sent_v);
    write->hash = eng_hash(&table->game);
    write->seat = move->seat;
    write->time_bank_ms = (int32_t)tab_time_bank_used(table, move->seat);
    write->hand_clock_ms = turn_over ? (int32_t)taken_ms : 0;
    write->move_n = (uint8_t)eng_move_encode(write->move, move);
    ASSERT(write->move_n > 0 && write->move_n <= sizeof(write->move));
    memcpy(write->command_id, id, strlen(id) + 1);
    table->bot_ms = TAB_NEVER;
    table->registry->counts.moves++;
    bool over = eng_phase(&table->game) == ENG_SESSION_OVER;
    bool hand_ended = !between && (over || tab_is_between_hands(table));
    if ((over || hand_ended) && !tab_hand_end_prepare(table, hand_ended, over))
        BUG("a finished hand has no record");
    tab_journal_begin(table, over ? TAB_WRITE_SETTLE : hand_ended ? TAB_WRITE_HAND : TAB_WRITE_MOVE);
    return ENG_OK;
}

bool tab_moves_begin_own(struct tab_table *table, const struct eng_move *move)
{
    struct eng_outcome out;
    if (tab_moves_begin(table, move, "", &out) == ENG_OK)
        return true;
    log_error("move_refused", LOG_NUM("table", table->id), LOG_TEXT("code", eng_refusal_name(out.code)));
    return false;
}

/* ---- A move has been committed ---- */
void tab_moves_start_clock(struct tab_table *table)
{
    table->slow.due = table->slow.stopped = false;
    table->turn_ms = tab_now(table) + tab_clock_ms(table);
}

void tab_moves_release(struct tab_table *table)
{
    bool audience = tab_has_audience(table);
    struct tab_events_at at = tab_events_since(&table->events, table->sent_v);
    struct eng_event event;
    while (tab_events_next(&at, &event)) { /* one move makes fewer events than the ring can hold */
        table->sent_v = at.v;
        if (tab_starts_clock(&event)) {
            tab_time_bank_end(table, event.seat);
            tab_moves_start_clock(table);
            table->bot_ms = TAB_NEVER;
        }
        if (!audience)
            continue;
        tab_send_event(table, at.v, &event);
        if (tab_starts_clock(&event))
            tab_send_clock(table, tab_to_live(table));
    }
    ASSERT(table->sent_v == eng_version(&table->game));
    tab_spectators_released(table);
}

void tab_moves_written(struct tab_table *table)
{
    const struct tab_write *write = &table->write;
    ASSERT(write->kind == TAB_WRITE_MOVE || write->kind == TAB_WRITE_HAND || write->kind == TAB_WRITE_SETTLE);
    ASSERT(write->v == table->events.last_v && write->seat < table->seats_n);
    tab_moves_release(table);
    tab_commands_done(table);
    if (write->move[0] == ENG_LEAVE)
        tab_seats_close(table, write->seat, WIRE_CLOSE_LEFT);
    if (write->move[0] == ENG_RETURN)
        tab_send_missed_moves(table, write->seat);
}
