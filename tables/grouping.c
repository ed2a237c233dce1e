/* The phase after a valid declaration: the other players group their cards at the same time, with one
 * shared clock. Bots, and seats that a bot plays, do so at once. Hub thread. */
#include <string.h>

#include "base/bug.h"
#include "tables/moves.h"
#include "tables/phase.h"
#include "tables/session.h"
#include "tables/state.h"

/* Submits the best grouping of the seat's hand, based only on its view. */
static bool group_for(struct tab_table *table, uint8_t seat)
{
    struct eng_view view;
    struct eng_grouping best;
    int points;
    eng_view(&table->game, seat, &view);
    struct eng_wild wild = eng_wild_of(&table->params, view.wild_card);
    ASSERT(view.hand_n <= ENG_GROUPING_CARDS);
    eng_solve_grouping(&wild, view.hand, view.hand_n, &best, &points);
    ASSERT(best.n == view.hand_n && best.n <= ENG_MOVE_CARDS_MAX && best.groups <= ENG_GROUPS_MAX);
    struct eng_move move = {
        .type = ENG_GROUP, .seat = seat, .meld = ENG_NO_MELD, .end = 1, .n = best.n, .groups = best.groups};
    memcpy(move.cards, best.cards, best.n);
    memcpy(move.lens, best.lens, best.groups);
    return tab_moves_begin_own(table, &move);
}

static bool drive(struct tab_table *table)
{
    for (uint8_t seat = 0; seat < table->seats_n; seat++) {
        bool bot = (table->bots >> seat & 1) != 0 || eng_seat_is_away(&table->game, seat);
        if (bot && eng_seat_to_group(&table->game, seat))
            return group_for(table, seat);
    }
    if (tab_now(table) < tab_turn_ends_ms(table))
        return false;
    const struct eng_move close = {.type = ENG_CLOSE, .meld = ENG_NO_MELD};
    if (!tab_moves_begin_own(table, &close))
        BUG("the grouping time cannot end");
    return true;
}

static int64_t due(const struct tab_table *table)
{
    return tab_turn_ends_ms(table);
}

const struct tab_phase tab_phase_grouping = {.drive = drive,
                                             .due = due,
                                             .run = tab_session_run,
                                             .written = tab_moves_written,
                                             .greet = tab_session_greet,
                                             .greet_spectator = tab_session_greet_spectator,
                                             .resume = tab_session_resume};
