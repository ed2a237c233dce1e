/* The last phase: the game is settled. Clients that connect still get the result and the rematch, until the
 * table is dropped. Hub thread. */
#include "base/bug.h"
#include "tables/commands.h"
#include "tables/hand_end.h"
#include "tables/journal.h"
#include "tables/moves.h"
#include "tables/outbox.h"
#include "tables/phase.h"
#include "tables/seats.h"
#include "tables/state.h"
#include "tables/time_bank.h"

static bool drive(struct tab_table *table)
{
    (void)table;
    return false;
}

static int64_t due(const struct tab_table *table)
{
    return table->linger_ms;
}

static void run(struct tab_table *table, const struct tab_command *command)
{
    tab_commands_refuse(table, command, "table_over");
}

static void send_settled(struct tab_table *table, struct tab_to to, uint8_t viewer)
{
    tab_send_settled(table, to, viewer);
    tab_send_fairness(table, to);
}

static void written(struct tab_table *table)
{
    ASSERT(table->write.kind == TAB_WRITE_SETTLE && table->state == TAB_PLAYING);
    ASSERT(eng_phase(&table->game) == ENG_SESSION_OVER);
    if (table->hand_no == table->dealt_no) /* otherwise, the session ended between two hands */
        tab_hand_end_keep(table);
    tab_journal_free_record(table);
    table->settled = table->write.more;
    table->write.more = NULL;
    table->state = TAB_OVER;
    tab_time_bank_stop(table);
    table->turn_ms = TAB_NEVER;
    table->linger_ms = tab_now(table) + table->registry->limits.linger_ms;
    table->registry->counts.settled++;
    tab_moves_written(table);
    for (uint8_t i = 0; i < table->seats_n; i++)
        send_settled(table, tab_to_seat(i), i);
    send_settled(table, tab_to_spectators(table), ENG_SPECTATOR);
}

static void greet(struct tab_table *table, uint8_t seat)
{
    tab_seats_greet(table, seat);
    tab_send_missed_moves(table, seat);
    send_settled(table, tab_to_seat(seat), seat);
    tab_send_rematch(table, tab_to_seat(seat));
}

static void greet_spectator(struct tab_table *table, tab_socket *const *socket, int64_t since)
{
    tab_spectators_send_missing(table, socket, since);
    send_settled(table, tab_to_socket(socket), ENG_SPECTATOR);
}

static void resume(struct tab_table *table)
{
    (void)table; /* nothing to do */
}

const struct tab_phase tab_phase_over = {.drive = drive,
                                         .due = due,
                                         .run = run,
                                         .written = written,
                                         .greet = greet,
                                         .greet_spectator = greet_spectator,
                                         .resume = resume};
