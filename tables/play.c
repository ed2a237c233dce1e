/* The phase in which seats take turns: players' commands, bots' moves, and the clock of the seat to move.
 * Hub thread. */
#include "base/bug.h"
#include "base/log.h"
#include "tables/moves.h"
#include "tables/outbox.h"
#include "tables/phase.h"
#include "tables/session.h"
#include "tables/state.h"
#include "tables/thoughts.h"
#include "tables/time_bank.h"

/* ---- Bots ---- */
static uint64_t next_random(uint64_t *state)
{
    /* xorshift64*, only for the duration of a bot's pretended thinking. */
    uint64_t x = *state ? *state : 1;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * 2685821657736338717ULL;
}

/* Like human players, bots take longer for the first step of a turn than for the following ones. */
static int64_t think_ms(struct tab_table *table)
{
    if (!tab_has_audience(table))
        return 0;
    int64_t longest = table->registry->limits.bot_think_ms;
    bool first = table->events.last_v == table->turn_v;
    int64_t part = (int64_t)(next_random(&table->pace_rng) % 50) + (first ? 50 : 25); /* percent */
    ASSERT(part > 0 && part < 100);
    return longest * part / 100;
}

static enum eng_bot_level level_of(const struct tab_table *table, uint8_t seat)
{
    const struct tab_person *person = &table->seats[seat].person;
    return person->bot ? (enum eng_bot_level)person->bot_level : ENG_BOT_MEDIUM;
}

/* Picks the bot's quick move, without a search. */
static void choose(struct tab_table *table, uint8_t seat, struct eng_move *move)
{
    struct eng_view view;
    uint64_t dice = tab_thoughts_dice(table);
    eng_view(&table->game, seat, &view);
    ASSERT(view.viewer == seat && view.to_move == seat); /* a bot gets only its seat's view */
    eng_bot_move(&view, level_of(table, seat), &dice, move);
}

static void begin_bot_move(struct tab_table *table, uint8_t seat)
{
    struct eng_move move;
    struct eng_outcome out;
    if (level_of(table, seat) != ENG_BOT_MASTER || !tab_thoughts_take(table, &move))
        choose(table, seat, &move);
    move.seat = seat;
    if (tab_moves_begin(table, &move, "", &out) == ENG_OK)
        return;
    /* An illegal move of a bot must not stop the table, so its turn is played as if it had timed out. */
    log_error("bot_refused", LOG_NUM("table", table->id), LOG_TEXT("code", eng_refusal_name(out.code)));
    move = (struct eng_move){.type = ENG_TIME_OUT, .seat = seat, .meld = ENG_NO_MELD};
    if (tab_moves_begin(table, &move, "", &out) != ENG_OK)
        BUG("the seat to move can neither play nor time out");
}

/* A master searches during its pretended thinking time, and begins immediately. */
static bool drive_bot(struct tab_table *table, uint8_t seat, int64_t now)
{
    if (table->bot_ms == TAB_NEVER)
        table->bot_ms = now + think_ms(table);
    if (level_of(table, seat) == ENG_BOT_MASTER)
        tab_thoughts_request(table, seat);
    if (now < tab_thoughts_due_ms(table))
        return false;
    begin_bot_move(table, seat);
    return true;
}

/* ---- The phase ---- */
static bool drive(struct tab_table *table)
{
    uint8_t seat = eng_seat_to_move(&table->game);
    ASSERT(seat < table->seats_n);
    int64_t now = tab_now(table);
    if ((table->bots >> seat & 1) != 0 || eng_seat_is_away(&table->game, seat))
        return drive_bot(table, seat, now);
    if (now < tab_turn_ends_ms(table) || tab_time_bank_begin(table, seat))
        return false;
    struct eng_move move = {.type = ENG_TIME_OUT, .seat = seat, .meld = ENG_NO_MELD};
    struct eng_outcome out;
    if (tab_moves_begin(table, &move, "", &out) != ENG_OK)
        BUG("the seat to move cannot time out");
    table->registry->counts.timeouts++;
    return true;
}

static int64_t due(const struct tab_table *table)
{
    return table->bot_ms != TAB_NEVER ? tab_thoughts_due_ms(table) : tab_turn_ends_ms(table);
}

const struct tab_phase tab_phase_play = {.drive = drive,
                                         .due = due,
                                         .run = tab_session_run,
                                         .written = tab_moves_written,
                                         .greet = tab_session_greet,
                                         .greet_spectator = tab_session_greet_spectator,
                                         .resume = tab_session_resume};
