/* The hand clock: no player can hold up a hand longer than docs/rules.md states, whatever they do, and a
 * restart neither adds nor removes time. All tests use a fake clock. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "tests/engine/play.h"
#include "tests/tables/fake.h"

static struct fake fake;
static uint64_t rng;

enum { SECOND = 1000, TURN = 30 * SECOND, HAND = 120 * SECOND, STEP = 8 * SECOND, TIME_BANK = 10 * SECOND };

/* ---- Limits in the rules ---- */
/* Seconds of "1 h 2 min 3 s", or of a part of it. */
static long seconds_of(const char *text)
{
    long sum = 0;
    for (char *end;; text = end) {
        long n = strtol(text, &end, 10);
        if (end == text)
            return sum;
        end += strspn(end, " ");
        sum += n * (*end == 'h' ? 3600 : *end == 'm' ? 60 : 1);
        end += strspn(end, "himns");
    }
}

struct promise {
    long hand_s, table_s, game_s; /* by one player, by the whole table, and by one player over all hands */
    int hands;
};

/* The row of the variant in the table "The longest hold". */
static struct promise promise_of(const char *variant)
{
    enum { COLUMNS = 5 };
    char line[300], name[20];
    struct promise promise = {0};
    FILE *file = fopen("docs/rules.md", "r");
    cr_assert_not_null(file);
    (void)snprintf(name, sizeof(name), "| `%s` |", variant);
    while (fgets(line, sizeof(line), file)) {
        char *cells[COLUMNS] = {NULL}, *rest = line;
        if (strncmp(line, name, strlen(name)) != 0)
            continue;
        for (int i = 0; i < COLUMNS; i++)
            cells[i] = strtok_r(NULL, "|", &rest);
        cr_assert_not_null(cells[COLUMNS - 1]);
        promise = (struct promise){seconds_of(cells[1]), seconds_of(cells[2]), seconds_of(cells[4]),
                                   (int)strtol(cells[3], NULL, 10)};
    }
    (void)fclose(file);
    cr_assert_gt(promise.hand_s, 0, "docs/rules.md has no row of %s", variant);
    return promise;
}

Test(hand_clock, the_longest_documented_delay_follows_from_the_parameters)
{
    const struct eng_params *row;
    for (size_t i = 0; (row = eng_params_at(i)) != NULL; i++) {
        struct promise promise = promise_of(row->variant);
        long turns = row->hand_s + (row->stall_turns - 1) * (long)ENG_HAND_CLOCK_STEP_S;
        long hands = row->tie_hands ? ENG_HANDS_MAX : row->session_hands, pause_s = 8;
        cr_assert_eq(promise.hand_s, turns + row->group_s, "%s: %ld s", row->variant, turns + row->group_s);
        cr_assert_eq(promise.table_s, row->players_max * turns + row->group_s, "%s", row->variant);
        cr_assert_eq(promise.hands, hands, "%s", row->variant);
        cr_assert_eq(promise.game_s, hands * promise.hand_s + (hands - 1) * pause_s + TIME_BANK / SECOND,
                     "%s: %ld s", row->variant,
                     hands * promise.hand_s + (hands - 1) * pause_s + TIME_BANK / SECOND);
    }
}

/* ---- Players ---- */
/* Makes the seat to move play a legal move that does not end the hand early. */
static void act(struct tab_table *table)
{
    static unsigned id;
    struct tab_command command = {.kind = TAB_DO_MOVE, .seat = eng_seat_to_move(&table->game)};
    play_plain(&table->game, &rng, &command.move);
    (void)snprintf(command.id, sizeof(command.id), "h-%u", id++);
    tab_command(table, &command);
    cr_assert_not_null(fake.pending, "%s", fake_last(&fake, command.seat));
}

enum style {
    LAST_INSTANT, /* acts a millisecond before the turn is over */
    TIMES_OUT,    /* times out twice, and acts just in time the third time */
    CUT,          /* disconnected in each turn, until its end */
    BACK,         /* times out until a bot plays, and returns in each turn that the bot begins */
    STYLES
};

static bool holds(enum style style, int turn, struct tab_table *table, uint8_t seat)
{
    int64_t left = table->turn_ms - fake.now_ms;
    if (style == CUT) {
        tab_quit(table, seat, &fake.sockets[seat]);
        fake_pass(&fake, left - 1);
        tab_join(table, seat, &fake.sockets[seat], -1);
        if (!fake.pending && turn % 2)
            return false;
        fake_pass(&fake, 1);
        if (!fake.pending) { /* the turn continues in the time bank */
            cr_assert(table->in_time_bank);
            fake_pass(&fake, table->turn_ms - fake.now_ms);
        }
        return true;
    }
    if (style == BACK && turn % 4 == 3) {
        cr_assert(eng_seat_is_away(&table->game, seat));
        const struct tab_command back = {.kind = TAB_DO_RETURN, .seat = seat, .id = "back"};
        tab_command(table, &back);
        fake_settle_down(&fake);
        fake_pass(&fake, table->turn_ms - fake.now_ms - 1);
        return false;
    }
    bool out = style == BACK || (style == TIMES_OUT && turn % 3 != 2);
    fake_pass(&fake, out ? left : left - 1);
    return out;
}

/* One hand in which `slow` seats hold each of their turns as long as they can. Returns how long seat 0 held
 * it. */
static int64_t hold_hand(const char *variant, int seats, uint8_t slow, enum style style, int *turns)
{
    struct tab_table *table = fake_open_variant(&fake, variant, "", seats, seats);
    fake.registry.limits.time_bank_ms = TIME_BANK;
    fake_start(&fake, table, seats);
    int64_t held = 0;
    int turn[ENG_SEAT_MAX] = {0};
    for (int n = 0; table->state == TAB_PLAYING && table->dealt_no == 1 && n < 20000; n++) {
        for (int i = 0; i < seats; i++)
            fake_forget(&fake, i);
        if (fake_commit(&fake))
            continue;
        if (eng_phase(&table->game) >= ENG_HAND_OVER)
            break;
        uint8_t seat = eng_seat_to_move(&table->game);
        bool comes_back = style == BACK && (slow >> seat & 1) && table->events.last_v == table->turn_v;
        if (table->bot_ms != TAB_NEVER && !comes_back) { /* a bot plays an away seat */
            fake_pass(&fake, 1000);
            continue;
        }
        int64_t from = fake.now_ms;
        bool out = false;
        if ((slow >> seat & 1) && table->events.last_v == table->turn_v)
            out = holds(style, turn[seat]++, table, seat);
        held += seat == 0 ? fake.now_ms - from : 0;
        if (!out)
            act(table);
    }
    cr_assert(table->dealt_no > 1 || eng_phase(&table->game) >= ENG_HAND_OVER, "%s has no end", variant);
    *turns = turn[0];
    fake_close(&fake);
    return held;
}

Test(hand_clock, no_player_can_delay_a_hand_longer_than_documented)
{
    const struct eng_params *row;
    int longest = 0;
    for (size_t i = 0; (row = eng_params_at(i)) != NULL; i++) {
        struct promise promise = promise_of(row->variant);
        int counts[] = {row->players_min, row->players_max};
        for (int k = 0; k < 2 * STYLES; k++) {
            enum style style = (enum style)(k / 2);
            int turns;
            rng = i * 100 + (uint64_t)k;
            int64_t held = hold_hand(row->variant, counts[k % 2], 1, style, &turns);
            int64_t most = promise.hand_s * SECOND + (style == CUT ? TIME_BANK : 0);
            cr_assert_leq(held, most, "%s, style %d: %lld ms", row->variant, style, (long long)held);
            cr_assert_leq(turns, row->stall_turns);
            /* The hand clock limits it, so that all turns except the first few take 8 s. */
            if (style == LAST_INSTANT && turns >= 20)
                cr_assert(held > HAND + (turns - 2) * (int64_t)STEP && held < HAND + turns * (int64_t)STEP,
                          "%s: %lld ms in %d turns", row->variant, (long long)held, turns);
            longest = turns > longest ? turns : longest;
        }
    }
    cr_assert_eq(longest, 100, "no hand was as long as hands can be: %d turns", longest);
}

Test(hand_clock, a_whole_table_can_delay_a_hand_no_longer_than_documented)
{
    const struct eng_params *row;
    for (size_t i = 0; (row = eng_params_at(i)) != NULL; i++) {
        int turns;
        rng = i;
        int64_t from = 1000000, held;
        (void)hold_hand(row->variant, row->players_max, 0xff, LAST_INSTANT, &turns);
        held = fake.now_ms - from;
        cr_assert_leq(held, promise_of(row->variant).table_s * SECOND + 5000, "%s: %lld ms", row->variant,
                      (long long)held);
        cr_assert_gt(turns, 10);
    }
}

/* ---- One turn after another ---- */
static struct tab_table *begin(const char *params)
{
    struct tab_table *table = fake_open_variant(&fake, "treff", params, 2, 2);
    fake_start(&fake, table, 2);
    return table;
}

/* Makes the seat to move take ms for its turn. */
static void turn_of(struct tab_table *table, int64_t ms)
{
    uint8_t seat = eng_seat_to_move(&table->game);
    fake_pass(&fake, ms);
    cr_assert_null(fake.pending);
    fake_play_to_seat(&fake, table, (uint8_t)(1 - seat));
}

static void expect_left(const struct tab_table *table, uint8_t seat, int64_t ms)
{
    cr_assert_eq(table->hand_left_ms[seat], ms, "%d ms", table->hand_left_ms[seat]);
}

Test(hand_clock, each_turn_uses_its_time_and_returns_eight_seconds)
{
    struct tab_table *table = begin("");
    uint8_t seat = eng_seat_to_move(&table->game), other = (uint8_t)(1 - seat);
    expect_left(table, seat, HAND);
    turn_of(table, 29 * SECOND);
    expect_left(table, seat, HAND - 29 * SECOND + STEP);
    turn_of(table, 3 * SECOND);
    expect_left(table, other, HAND);
    char said[60];
    (void)snprintf(said, sizeof(said), "\"hand_ms_left\":[%d,%d]", seat == 0 ? 99000 : HAND,
                   seat == 0 ? HAND : 99000);
    cr_assert_gt(fake_count(&fake, 0, said), 0, "the clock tells %s", said);
    for (int i = 0; i < 4; i++) {
        turn_of(table, 29 * SECOND);
        turn_of(table, 0);
    }
    expect_left(table, seat, 99 * SECOND - 4 * 21 * SECOND); /* 15 s */
    cr_assert_eq(table->turn_ms - fake.now_ms, 15 * SECOND, "the turn is as long as the hand clock");
    cr_assert_eq(fake_count(&fake, 0, "\"ms_left\":15000,\"turn_ms\":15000"), 1);
    turn_of(table, 14 * SECOND);
    turn_of(table, 0);
    expect_left(table, seat, 9 * SECOND);
    fake_pass(&fake, 9 * SECOND);
    cr_assert_not_null(fake.pending, "their time is up");
    cr_assert_eq(fake.pending->move[0], ENG_TIME_OUT);
    cr_assert_eq(fake.pending->hand_clock_ms, 9 * SECOND);
    fake_settle_down(&fake);
    turn_of(table, 0);
    cr_assert_eq(table->turn_ms - fake.now_ms, STEP, "and each further turn has eight seconds");
    turn_of(table, 0);
    turn_of(table, 0);
    expect_left(table, seat, 2 * STEP);
    fake_close(&fake);
}

Test(hand_clock, is_full_again_in_the_next_hand)
{
    struct tab_table *table = fake_open_variant(&fake, "pool101", "", 2, 2);
    fake_start(&fake, table, 2);
    uint8_t seat = eng_seat_to_move(&table->game);
    for (int i = 0; i < 2; i++) {
        fake_pass(&fake, 20 * SECOND);
        fake_play_to_seat(&fake, table, (uint8_t)(1 - seat));
        fake_play_to_seat(&fake, table, seat);
    }
    expect_left(table, seat, HAND - 2 * 12 * SECOND);
    struct tab_command drop = fake_move(seat, "drop", ENG_DROP);
    tab_command(table, &drop);
    fake_settle_down(&fake);
    fake_pass(&fake, 8000);
    fake_settle_down(&fake);
    cr_assert_eq(table->dealt_no, 2);
    expect_left(table, seat, HAND);
    fake_close(&fake);
}

Test(hand_clock, is_optional_and_absent_from_correspondence_tables)
{
    struct tab_table *table = begin("hand_s=0");
    for (int i = 0; i < 40; i++)
        turn_of(table, TURN - 1);
    cr_assert_eq(fake_count(&fake, 0, "hand_ms_left"), 0);
    fake_close(&fake);
    table = begin("turn_s=60 hand_s=90");
    cr_assert_eq(table->turn_ms - fake.now_ms, 60 * SECOND);
    turn_of(table, 59 * SECOND);
    turn_of(table, 0);
    cr_assert_eq(table->turn_ms - fake.now_ms, 39 * SECOND);
    fake_close(&fake);
    table = fake_open_slow(&fake, "treff", 2, 8);
    fake_start(&fake, table, 2);
    fake_settle_down(&fake);
    turn_of(table, 3 * 3600 * SECOND);
    cr_assert_eq(fake_count(&fake, 0, "hand_ms_left"), 0);
    cr_assert_eq(fake_count(&fake, 0, "\"turn_ms\":30000"), 0);
    fake_close(&fake);
}

Test(hand_clock, does_not_run_while_the_database_is_unavailable)
{
    struct tab_table *table = begin("");
    uint8_t seat = eng_seat_to_move(&table->game);
    fake_pass(&fake, 10 * SECOND);
    tab_outage_begin(&fake.registry, true);
    fake_pass(&fake, 3600 * SECOND);
    tab_outage_end(&fake.registry);
    turn_of(table, 5 * SECOND);
    expect_left(table, seat, HAND - 15 * SECOND + STEP);
    fake_close(&fake);
}

Test(hand_clock, is_not_charged_for_the_time_bank_that_follows)
{
    struct tab_table *table = begin("");
    fake.registry.limits.time_bank_ms = TIME_BANK;
    uint8_t seat = eng_seat_to_move(&table->game);
    tab_quit(table, seat, &fake.sockets[seat]);
    fake_pass(&fake, TURN);
    cr_assert(table->in_time_bank);
    fake_pass(&fake, 4 * SECOND);
    tab_join(table, seat, &fake.sockets[4], -1);
    turn_of(table, 2 * SECOND);
    expect_left(table, seat, HAND - TURN + STEP);
    cr_assert_eq(table->seats[seat].time_bank_used_ms, 6 * SECOND);
    fake_close(&fake);
}

/* A bot's turn is not deducted from any clock: while a player is away, their hand clock does not run. */
Test(hand_clock, does_not_run_for_an_away_seat)
{
    struct tab_table *table = begin("");
    uint8_t seat = eng_seat_to_move(&table->game);
    for (int i = 0; i < 3; i++) {
        fake_play_to_seat(&fake, table, seat);
        fake_pass(&fake, table->turn_ms - fake.now_ms);
        fake_settle_down(&fake);
    }
    cr_assert(eng_seat_is_away(&table->game, seat));
    int64_t left = table->hand_left_ms[seat];
    cr_assert_eq(left, HAND - 3 * (TURN - STEP));
    for (int turn = 1; turn <= 2; turn++) {
        fake_play_to_seat(&fake, table, seat);
        while (eng_seat_to_move(&table->game) == seat) {
            fake_pass(&fake, 500);
            fake_settle_down(&fake);
        }
        expect_left(table, seat, left + turn * STEP);
    }
    fake_close(&fake);
}

/* ---- Restarts ---- */
/* Starts the next process an hour later; the last heartbeat came heard_ms after the last move. */
static struct tab_table *restart(struct fake *next, int64_t heard_ms)
{
    static struct tab_load_move moves[FAKE_ROWS_MAX];
    struct tab_table *again;
    for (size_t i = 0; i < fake.rows_n; i++)
        moves[i] = fake.rows[i].row;
    struct tab_load load = fake.load;
    load.moves = moves;
    load.moves_n = fake.rows_n;
    load.heard_unix_ms = moves[fake.rows_n - 1].unix_ms + heard_ms;
    (void)fake_open(next, 0, 4);
    fake_settle_down(next); /* its own table has no players, so it is canceled */
    next->now_ms = fake.now_ms + 3600000;
    cr_assert_eq(tab_registry_load(&next->registry, &load, &again), TAB_LOADED);
    return again;
}

Test(hand_clock, is_the_same_after_a_restart)
{
    static struct fake next;
    struct tab_table *table = begin("");
    uint8_t seat = eng_seat_to_move(&table->game);
    static const int took_s[] = {29, 0, 29, 7, 29, 0, 25, 12, 25, 1};
    for (size_t i = 0; i < ARRAY_LEN(took_s); i++)
        turn_of(table, took_s[i] * SECOND);
    cr_assert_eq(eng_seat_to_move(&table->game), seat);
    int64_t left = table->hand_left_ms[seat];
    cr_assert_eq(left, 23 * SECOND);
    struct tab_table *again = restart(&next, 6 * SECOND);
    for (uint8_t i = 0; i < 2; i++)
        expect_left(again, i, table->hand_left_ms[i]);
    /* Six seconds of the running turn are used, and the hour in which no process ran does not count. */
    cr_assert_eq(again->turn_ms - next.now_ms, 17 * SECOND);
    tab_join(again, seat, &next.sockets[seat], -1);
    HAS(fake_last(&next, seat), "\"ms_left\":17000,\"turn_ms\":23000");
    HAS(fake_last(&next, seat), seat == 0 ? "\"hand_ms_left\":[17000," : ",17000]");
    fake_pass(&next, 16 * SECOND);
    cr_assert_null(next.pending);
    fake_play_to_seat(&next, again, (uint8_t)(1 - seat));
    expect_left(again, seat, 1 * SECOND + STEP);
    fake_close(&next);
    fake_close(&fake);
}

Test(hand_clock, leaves_the_usual_moment_to_a_turn_overdue_at_the_restart)
{
    static struct fake next;
    struct tab_table *table = begin("");
    uint8_t seat = eng_seat_to_move(&table->game);
    for (int i = 0; i < 10; i++)
        turn_of(table, i % 2 == 0 ? 28 * SECOND : 0);
    expect_left(table, seat, 20 * SECOND);
    struct tab_table *again = restart(&next, 60 * SECOND);
    expect_left(again, seat, 20 * SECOND);
    cr_assert_eq(again->turn_ms - next.now_ms, TAB_RECOVER_LEFT_MS);
    fake_pass(&next, TAB_RECOVER_LEFT_MS);
    cr_assert_eq(next.pending->move[0], ENG_TIME_OUT);
    cr_assert_eq(next.pending->hand_clock_ms, 20 * SECOND);
    fake_settle_down(&next);
    expect_left(again, seat, STEP);
    fake_close(&next);
    fake_close(&fake);
}
