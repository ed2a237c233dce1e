/* Commands and connections of a running session; see session.h. Hub thread. */
#include "tables/session.h"

#include <string.h>

#include "base/bug.h"
#include "tables/commands.h"
#include "tables/moves.h"
#include "tables/outbox.h"
#include "tables/seats.h"
#include "tables/state.h"

/* A declaration lists its groups and the finishing card, which comes last. Inserts ungrouped cards before it.
 * Cards that the seat does not hold are left for the engine to reject. */
static void complete_groups(const struct tab_table *table, struct eng_move *move)
{
    struct eng_view view;
    eng_view(&table->game, move->seat, &view);
    ASSERT(move->n > 0 && move->n <= ENG_MOVE_CARDS_MAX); /* the frame reader checks the count */
    uint8_t named = move->n, finish = move->cards[named - 1];
    move->n--;
    for (int i = 0; i < view.hand_n && move->n < ENG_MOVE_CARDS_MAX - 1; i++)
        if (view.hand[i] != finish && !memchr(move->cards, view.hand[i], named - 1u))
            move->cards[move->n++] = view.hand[i];
    move->cards[move->n++] = finish;
    ASSERT(move->n >= named && move->n <= ENG_MOVE_CARDS_MAX);
}

/* Builds the requested move. Returns NULL if *move is set, otherwise the reason why the move is
 * impossible. */
static const char *move_of(const struct tab_table *table, const struct tab_command *command,
                           struct eng_move *move)
{
    *move = (struct eng_move){.meld = ENG_NO_MELD};
    switch (command->kind) {
    case TAB_DO_MOVE:
        if (command->has_base && command->base < table->turn_v)
            return "stale_base";
        *move = command->move;
        break;
    case TAB_DO_LEAVE:
        move->type = ENG_LEAVE;
        break;
    case TAB_DO_RETURN:
        move->type = ENG_RETURN;
        break;
    case TAB_DO_READY:
        return "not_between_hands";
    default:
        return "seed_too_late";
    }
    move->seat = command->seat;
    if (move->type == ENG_DECLARE)
        complete_groups(table, move);
    return NULL;
}

/* A move of an away player makes them return: first the return is written, then the move. */
static bool begin_return(struct tab_table *table, const struct tab_command *command)
{
    struct eng_move back = {.type = ENG_RETURN, .seat = command->seat, .meld = ENG_NO_MELD};
    struct eng_outcome out;
    if (tab_moves_begin(table, &back, "", &out) != ENG_OK)
        return false;
    ASSERT(table->writing && !eng_seat_is_away(&table->game, command->seat));
    tab_commands_put_back(table, command);
    return true;
}

void tab_session_run(struct tab_table *table, const struct tab_command *command)
{
    struct eng_move move;
    struct eng_outcome out;
    ASSERT(!table->writing && command->seat < table->seats_n);
    bool away = eng_seat_is_away(&table->game, command->seat);
    const char *refused = move_of(table, command, &move);
    if (refused) {
        tab_commands_refuse(table, command, refused);
        return;
    }
    if (command->kind == TAB_DO_RETURN && !away && command->id[0] == '\0')
        return; /* the table itself requested it, and it is no longer needed */
    if (command->kind == TAB_DO_MOVE && away && begin_return(table, command))
        return;
    if (tab_moves_begin(table, &move, command->id, &out) == ENG_OK)
        table->reply_to = command->seat;
    else
        tab_commands_nack(table, command, &out);
}

void tab_session_greet(struct tab_table *table, uint8_t seat)
{
    ASSERT(seat < table->seats_n);
    bool away = eng_seat_is_away(&table->game, seat);
    tab_seats_greet(table, seat);
    if (!away)
        tab_send_missed_moves(table, seat);
    tab_send_clock(table, tab_to_seat(seat));
    if (away)
        tab_commands_put(table, &(struct tab_command){.kind = TAB_DO_RETURN, .seat = seat});
}

void tab_session_greet_spectator(struct tab_table *table, tab_socket *const *socket, int64_t since)
{
    tab_spectators_send_missing(table, socket, since);
    if (tab_spectators_are_live(table))
        tab_send_clock(table, tab_to_socket(socket));
}

void tab_session_resume(struct tab_table *table)
{
    tab_send_clock(table, tab_to_live(table));
}
