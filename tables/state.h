/* Queries on a table's state that most files of tables/ use. Hub thread; tab_clock_ms on any thread that
 * writes frames of a replayed table. */
#ifndef RUMMYD_TABLES_STATE_H
#define RUMMYD_TABLES_STATE_H

#include "base/bug.h"
#include "tables/table.h"

/* A table's phase. It is derived from the state and the game, so it cannot contradict them. */
enum tab_phase_id {
    TAB_PHASE_WAITING,
    TAB_PHASE_PLAY,
    TAB_PHASE_GROUPING, /* after a valid declaration: the other players group their cards */
    TAB_PHASE_BETWEEN_HANDS,
    TAB_PHASE_OVER,
    TAB_PHASE_LOST,
    TAB_PHASE_COUNT
};

static inline enum tab_phase_id tab_phase_of(const struct tab_table *table)
{
    if (table->state == TAB_WAITING)
        return TAB_PHASE_WAITING;
    if (table->state == TAB_LOST)
        return TAB_PHASE_LOST;
    enum eng_phase phase = eng_phase(&table->game);
    if (table->state == TAB_OVER || phase == ENG_SESSION_OVER)
        return TAB_PHASE_OVER;
    return phase == ENG_HAND_OVER  ? TAB_PHASE_BETWEEN_HANDS
           : phase == ENG_TO_GROUP ? TAB_PHASE_GROUPING
                                   : TAB_PHASE_PLAY;
}

static inline bool tab_is_between_hands(const struct tab_table *table)
{
    return tab_phase_of(table) == TAB_PHASE_BETWEEN_HANDS;
}

/* Whether a turn or the grouping is running, so that some cards are hidden from some viewers. */
static inline bool tab_is_in_hand(const struct tab_table *table)
{
    enum tab_phase_id phase = tab_phase_of(table);
    return phase == TAB_PHASE_PLAY || phase == TAB_PHASE_GROUPING;
}

/* Whether the game has begun and is not over: cards are dealt or will be dealt again. */
static inline bool tab_is_under_way(const struct tab_table *table)
{
    return tab_is_in_hand(table) || tab_is_between_hands(table);
}

/* Between hands: one bit per seat for which the next deal waits unless it is ready. The deal does not wait
 * for seats that a bot plays or that are permanently out. */
static inline uint8_t tab_seats_asked(const struct tab_table *table)
{
    uint8_t asked = 0;
    ASSERT(tab_is_between_hands(table));
    for (uint8_t i = 0; i < table->seats_n; i++) {
        struct eng_view view;
        if (table->seats[i].person.player_id == 0 || eng_seat_is_away(&table->game, i))
            continue;
        eng_view(&table->game, i, &view);
        if (!eng_seat_is_out(&table->game, i) || view.may_rejoin)
            asked |= (uint8_t)(1u << i);
    }
    return asked;
}

/* Seat of the player who may start a private table with bots: the player who opened the table or, if they
 * have no seat, the first player. ENG_NO_SEAT: the table is not private, or is empty. */
static inline uint8_t tab_host_seat(const struct tab_table *table)
{
    uint8_t host = ENG_NO_SEAT;
    if (table->room.visibility != TAB_PRIVATE)
        return ENG_NO_SEAT;
    for (uint8_t i = table->seats_n; i-- > 0;) {
        int64_t player = table->seats[i].person.player_id;
        if (player != 0 && player == table->room.creator_id)
            return i;
        host = player != 0 ? i : host;
    }
    return host;
}

/* Whether spectators see the table without a delay. */
static inline bool tab_spectators_are_live(const struct tab_table *table)
{
    return !table->spectators || table->spectators->delay_ms == 0;
}

/* Number of spectators, greeted or not. */
static inline size_t tab_spectators_count(const struct tab_table *table)
{
    return table->spectators ? table->spectators->n + table->spectators->guests_n : 0;
}

/* Whether this is a correspondence table (slow.h). */
static inline bool tab_is_slow(const struct tab_table *table)
{
    return table->room.turn_hours > 0;
}

/* Each seat's time for all its turns in a hand, in ms; 0: no hand clock (hand_clock.h). */
static inline int64_t tab_hand_clock_ms(const struct tab_table *table)
{
    return tab_is_slow(table) ? 0 : table->params.hand_s * (int64_t)1000;
}

static inline bool tab_has_hand_clock(const struct tab_table *table)
{
    return tab_hand_clock_ms(table) > 0;
}

/* Full duration of the running clock, in ms: that of a turn, limited by the hand clock of the seat to move,
 * or that of the grouping. */
static inline int64_t tab_clock_ms(const struct tab_table *table)
{
    if (tab_is_slow(table))
        return table->room.turn_hours * (int64_t)3600000;
    if (eng_phase(&table->game) == ENG_TO_GROUP)
        return table->params.group_s * 1000;
    int64_t turn = table->params.turn_s * 1000;
    uint8_t seat = eng_seat_to_move(&table->game);
    int64_t left = tab_has_hand_clock(table) && seat < table->seats_n ? table->hand_left_ms[seat] : turn;
    return left < turn ? left : turn;
}

/* Whether this event begins a turn or the grouping. */
static inline bool tab_starts_clock(const struct eng_event *event)
{
    return event->type == ENG_EV_TURN ||
           (event->type == ENG_EV_DECLARED && event->declared.refusal == ENG_OK);
}

/* Monotonic time, in ms. */
static inline int64_t tab_now(const struct tab_table *table)
{
    return table->registry->ports.now_ms(table->registry->ports.ctx);
}

/* When this process ends the running turn or the grouping, monotonic ms. TAB_NEVER for a correspondence
 * turn, unless the rows report that it is over. */
static inline int64_t tab_turn_ends_ms(const struct tab_table *table)
{
    ASSERT(table->turn_ms != TAB_NEVER);
    return tab_is_slow(table) && !table->slow.due ? TAB_NEVER : table->turn_ms;
}

/* The wall clock, in ms since 1970. */
static inline int64_t tab_unix_now(const struct tab_table *table)
{
    return table->registry->ports.unix_ms(table->registry->ports.ctx);
}

#endif
