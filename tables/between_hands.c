/* The phase between two hands of a session: the table commits to the next hand, collects client seeds, and
 * deals when all players are ready or the time is over. Hub thread. */
#include <string.h>

#include "base/bug.h"
#include "tables/commands.h"
#include "tables/hand_end.h"
#include "tables/journal.h"
#include "tables/moves.h"
#include "tables/outbox.h"
#include "tables/phase.h"
#include "tables/seats.h"
#include "tables/session.h"
#include "tables/slow.h"
#include "tables/state.h"
#include "tables/time_bank.h"

/* ---- The next deal ---- */
/* Whether there are seats to wait for and all of them are ready. */
static bool everybody_ready(const struct tab_table *table)
{
    uint8_t asked = tab_seats_asked(table);
    return asked != 0 && (asked & ~table->ready) == 0;
}

/* Lets one of the bots that are out rejoin the pool. false: none wants to. */
static bool begin_rejoin(struct tab_table *table)
{
    for (uint8_t seat = 0; seat < table->seats_n; seat++) {
        const struct tab_person *person = &table->seats[seat].person;
        const struct eng_move move = {.type = ENG_REJOIN, .seat = seat, .meld = ENG_NO_MELD};
        struct eng_outcome out;
        struct eng_view view;
        if (!person->bot)
            continue;
        eng_view(&table->game, seat, &view);
        if (eng_bot_rejoins(&view, (enum eng_bot_level)person->bot_level) &&
            tab_moves_begin(table, &move, "", &out) == ENG_OK)
            return true;
    }
    return false;
}

/* When the next hand is dealt; 0: now. A correspondence table waits only for players who may rejoin the
 * pool, until their deadline. */
static int64_t deal_ms(const struct tab_table *table)
{
    if (everybody_ready(table))
        return 0;
    if (tab_slow_awaited(table) != 0)
        return table->slow.due ? 0 : TAB_NEVER;
    return tab_is_slow(table) && table->slow.v == table->ended_v ? 0 : table->next_hand_ms;
}

static bool drive(struct tab_table *table)
{
    ASSERT(table->hand_no == table->dealt_no + 1 && table->next_hand_ms != TAB_NEVER);
    if (tab_now(table) < deal_ms(table))
        return false;
    if (begin_rejoin(table))
        return true;
    if (!eng_may_deal(&table->game)) { /* no one rejoined, so one player is left */
        const struct eng_move close = {.type = ENG_CLOSE, .meld = ENG_NO_MELD};
        if (!tab_moves_begin_own(table, &close))
            BUG("a pool of one cannot be ended");
        return true;
    }
    struct tab_write_more *more = tab_journal_more(table);
    more->seats_n = table->seats_n;
    for (uint8_t i = 0; i < table->seats_n; i++)
        more->seeds[i] = table->seats[i].person.seed;
    tab_journal_begin(table, TAB_WRITE_DEAL);
    return true;
}

static int64_t due(const struct tab_table *table)
{
    return deal_ms(table);
}

/* ---- Commands ---- */
static void run_ready(struct tab_table *table, const struct tab_command *command)
{
    uint8_t bit = (uint8_t)(1u << command->seat);
    bool was = (table->ready & bit) != 0;
    ASSERT(table->ready >> table->seats_n == 0);
    table->ready |= bit;
    tab_reply_ack(table, command->seat, command->id, table->events.last_v);
    if (!was)
        tab_send_next_hand(table, tab_to_all(table));
}

static void run(struct tab_table *table, const struct tab_command *command)
{
    if (command->kind == TAB_DO_READY)
        run_ready(table, command);
    else if (command->kind == TAB_DO_SEED)
        tab_seats_take_seed(table, command);
    else
        tab_session_run(table, command);
}

/* ---- Committed writes ---- */
/* Sends the state after the end of a hand: its seeds, and the next hand. */
static void send_between(struct tab_table *table, struct tab_to to)
{
    tab_send_fairness(table, to);
    tab_send_next_hand(table, to);
}

/* Keeps the hand that ended as the last one. The write has already committed to the next one. */
static void hand_ended(struct tab_table *table)
{
    tab_hand_end_keep(table);
    memcpy(table->server_seed, table->write.more->next_seed, sizeof(table->server_seed));
    memcpy(table->commit, table->write.more->next_commit, sizeof(table->commit));
    table->hand_no = table->dealt_no + 1;
    for (uint8_t i = 0; i < table->seats_n && !tab_deal_is_shared(&table->deal); i++)
        table->seats[i].person.seed = (struct eng_client_seed){0};
    table->ready = 0;
    tab_time_bank_stop(table);
    table->turn_ms = table->bot_ms = TAB_NEVER;
    table->next_hand_ms = tab_now(table) + table->registry->limits.hand_pause_ms;
    tab_moves_written(table);
    send_between(table, tab_to_all(table));
}

static void dealt(struct tab_table *table)
{
    ASSERT(table->write.hand_no == table->hand_no);
    table->hand_unix_ms = tab_unix_now(table);
    table->next_hand_ms = TAB_NEVER;
    if (!tab_moves_deal(table))
        BUG("the next hand cannot be dealt");
    tab_moves_start_clock(table);
    tab_moves_release(table);
    tab_seats_welcome_all(table); /* so that clients have the whole hand */
}

static void written(struct tab_table *table)
{
    switch (table->write.kind) {
    case TAB_WRITE_HAND:
        hand_ended(table);
        break;
    case TAB_WRITE_SEED:
        tab_seats_seeded(table);
        break;
    case TAB_WRITE_DEAL:
        dealt(table);
        break;
    case TAB_WRITE_MOVE: /* a player returned, left, or rejoined, so the seats to wait for may have changed */
        tab_moves_written(table);
        tab_send_next_hand(table, tab_to_all(table));
        break;
    default:
        BUG("unexpected write between two hands");
    }
}

/* ---- Connections ---- */
static void greet(struct tab_table *table, uint8_t seat)
{
    tab_session_greet(table, seat);
    send_between(table, tab_to_seat(seat));
}

static void greet_spectator(struct tab_table *table, tab_socket *const *socket, int64_t since)
{
    tab_spectators_send_missing(table, socket, since);
    send_between(table, tab_to_socket(socket));
}

static void resume(struct tab_table *table)
{
    tab_send_next_hand(table, tab_to_all(table));
}

const struct tab_phase tab_phase_between_hands = {.drive = drive,
                                                  .due = due,
                                                  .run = run,
                                                  .written = written,
                                                  .greet = greet,
                                                  .greet_spectator = greet_spectator,
                                                  .resume = resume};
