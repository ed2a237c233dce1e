/* Correspondence tables, with fake ports. */
#include <criterion/criterion.h>

#include "tables/slow.h"
#include "tests/tables/fake.h"

static struct fake fake;

enum { HOUR_MS = 3600000, SLEEP_MS = 60000 };

static struct tab_table *open_slow(const char *variant, int people, uint8_t hours)
{
    struct tab_table *table = fake_open_slow(&fake, variant, people, hours);
    fake_start(&fake, table, people);
    fake_settle_down(&fake);
    return table;
}

static void everybody_goes(struct tab_table *table)
{
    for (uint8_t i = 0; i < table->seats_n; i++)
        if (table->sockets[i])
            tab_quit(table, i, table->sockets[i]);
}

/* The rows as a restart, a wake-up, or a poll finds them. */
static const struct tab_load *rows_now(const struct tab_table *live)
{
    static struct tab_load_move moves[FAKE_ROWS_MAX];
    for (size_t i = 0; i < fake.rows_n; i++)
        moves[i] = fake.rows[i].row;
    fake.load.moves = moves;
    fake.load.moves_n = fake.rows_n;
    fake.load.state = "playing";
    for (uint8_t i = 0; live && i < live->seats_n; i++)
        fake.load.people[i] = live->seats[i].person;
    return &fake.load;
}

static struct tab_table *load_again(const struct tab_table *live)
{
    struct tab_table *table = NULL;
    const struct tab_load *load = rows_now(live);
    if (live)
        tab_registry_drop(tab_registry_find(&fake.registry, live->id), WIRE_CLOSE_RESTARTING);
    cr_assert_eq(tab_registry_load(&fake.registry, load, &table), TAB_LOADED);
    return table;
}

/* Disconnects all players until the table sleeps. Its players are kept for the rows. */
static void fall_asleep(struct tab_table *table)
{
    everybody_goes(table);
    fake_settle_down(&fake);
    (void)rows_now(table);
    fake_pass(&fake, SLEEP_MS);
    cr_assert_not_null(fake.pending);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_SLEEP);
    cr_assert(fake_commit(&fake));
    cr_assert_null(tab_registry_find(&fake.registry, 7), "it was unloaded");
    cr_assert_eq(tab_registry_tick(&fake.registry), TAB_NEVER, "and nothing of it is due");
}

Test(slow, a_turn_is_stored_once_and_its_clock_is_sent)
{
    struct tab_table *table = open_slow("rummy51", 2, 24);
    cr_assert_eq(fake.writes[TAB_WRITE_TURN], 1);
    cr_assert_eq(fake.load.turn_v, table->turn_v);
    cr_assert_eq(fake.load.turn_seats, 1u << eng_seat_to_move(&table->game));
    cr_assert_eq(table->turn_ms - fake.now_ms, 24 * (int64_t)HOUR_MS);
    uint8_t first = eng_seat_to_move(&table->game);
    fake_play_to_seat(&fake, table, first ^ 1);
    fake_settle_down(&fake);
    cr_assert_eq(fake.writes[TAB_WRITE_TURN], 2);
    struct tab_command draw = fake_next(table, "d");
    tab_command(table, &draw);
    fake_settle_down(&fake);
    cr_assert_eq(eng_seat_to_move(&table->game), first ^ 1);
    cr_assert_eq(fake.writes[TAB_WRITE_TURN], 2, "a step within the turn changes nothing");
    cr_assert_gt(fake_count(&fake, first ^ 1, "\"ms_left\":86400000,\"turn_ms\":86400000"), 0);
    fake_close(&fake);
}

Test(slow, a_table_without_clients_sleeps_and_wakes_unchanged)
{
    struct tab_table *table = open_slow("rummy51", 2, 24);
    uint8_t seat = eng_seat_to_move(&table->game);
    uint64_t hash = eng_hash(&table->game);
    int64_t began = fake.now_ms;
    fake_pass(&fake, 10 * SLEEP_MS);
    cr_assert_null(fake.pending, "a client is connected");
    fall_asleep(table);
    fake_pass(&fake, 5 * (int64_t)HOUR_MS);
    table = load_again(NULL);
    cr_assert_eq(eng_hash(&table->game), hash);
    cr_assert_null(fake.pending, "the turn is already stored: no one is notified again");
    tab_join(table, seat, &fake.sockets[4], -1);
    cr_assert_eq(table->turn_ms, began + 24 * (int64_t)HOUR_MS, "the time it slept counts");
    fake_play_to_seat(&fake, table, seat ^ 1);
    fake_settle_down(&fake);
    cr_assert_eq(fake.writes[TAB_WRITE_TURN], 2);
    fake_close(&fake);
}

Test(slow, a_turn_times_out_only_at_its_stored_deadline)
{
    struct tab_table *table = open_slow("rummy51", 2, 1);
    uint32_t v = table->turn_v;
    fake_pass(&fake, 2 * HOUR_MS);
    cr_assert_null(fake.pending, "this process's clock has no effect");
    fake.load.turn_due_unix_ms = INT64_MAX; /* a vacation began meanwhile */
    struct tab_table *same = NULL;
    cr_assert_eq(tab_registry_load(&fake.registry, rows_now(table), &same), TAB_LOADED);
    cr_assert_eq(same, table);
    cr_assert_null(fake.pending);
    HAS(fake_last(&fake, 0), "\"stopped\":true");
    fake.load.turn_due_unix_ms = 0;
    cr_assert_eq(tab_registry_load(&fake.registry, rows_now(table), &same), TAB_LOADED);
    cr_assert_not_null(fake.pending);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_MOVE);
    cr_assert_eq(fake.pending->move[0], ENG_TIME_OUT);
    fake_settle_down(&fake);
    cr_assert_gt(table->turn_v, v);
    cr_assert_not(table->slow.due);
    fake_close(&fake);
}

Test(slow, three_missed_turns_mark_a_seat_away_and_bots_move_at_once)
{
    struct tab_table *table = open_slow("treff", 2, 1);
    everybody_goes(table);
    fake_settle_down(&fake);
    for (int i = 0; i < 40 && table->state == TAB_PLAYING; i++) {
        struct tab_table *same = NULL;
        fake.load.turn_due_unix_ms = 0;
        cr_assert_eq(tab_registry_load(&fake.registry, rows_now(table), &same), TAB_LOADED);
        fake_settle_down(&fake);
        fake_pass(&fake, 10000); /* between two hands the table waits for no seat */
        fake_settle_down(&fake);
    }
    cr_assert_eq(table->state, TAB_OVER, "bots play it to its end");
    cr_assert_eq(fake.writes[TAB_WRITE_TURN], 6, "each seat has had three correspondence turns");
    fake_close(&fake);
}

Test(slow, a_crash_between_a_move_and_storing_its_turn_is_repaired)
{
    struct tab_table *table = open_slow("rummy51", 2, 24);
    uint8_t seat = eng_seat_to_move(&table->game);
    struct tab_load before = fake.load;
    fake_play_to_seat(&fake, table, seat ^ 1);
    fake_settle_down(&fake);
    fake.load.turn_v = before.turn_v; /* the last turn was never stored */
    fake.load.turn_seats = before.turn_seats;
    fake.load.turn_due_unix_ms = 0; /* nor does the end of that turn affect the next one */
    table = load_again(table);
    cr_assert_not_null(fake.pending);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_TURN);
    cr_assert_eq(fake.pending->more->turn_seats, 1u << (seat ^ 1));
    cr_assert_eq(fake.pending->more->turn_here, 0);
    fake_settle_down(&fake);
    cr_assert_eq(fake.load.turn_v, table->turn_v);
    fake_close(&fake);
}

Test(slow, a_client_that_connects_during_a_sleep_write_must_retry)
{
    struct tab_table *table = open_slow("rummy51", 2, 24);
    everybody_goes(table);
    fake_pass(&fake, SLEEP_MS);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_SLEEP);
    tab_join(table, 0, &fake.sockets[5], -1);
    (void)rows_now(table);
    cr_assert(fake_commit(&fake));
    cr_assert_eq(fake.sockets[5].close_code, WIRE_CLOSE_TRY_LATER);
    cr_assert_null(tab_registry_find(&fake.registry, 7));
    fake_close(&fake);
}

Test(slow, a_refused_sleep_leaves_the_table_awake)
{
    struct tab_table *table = open_slow("rummy51", 2, 24);
    everybody_goes(table);
    fake_pass(&fake, SLEEP_MS);
    fake.next_result = TAB_WRITE_REFUSED;
    fake.next_code = "no_turn";
    cr_assert(fake_commit(&fake));
    cr_assert_eq(tab_registry_find(&fake.registry, 7), table);
    cr_assert_null(fake.pending, "it tries again later, not at once");
    fake_pass(&fake, SLEEP_MS);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_SLEEP);
    fake_settle_down(&fake);
    fake_close(&fake);
}

Test(slow, neither_a_time_bank_nor_a_practice_pause_applies)
{
    struct tab_table *table = open_slow("rummy51", 2, 1);
    everybody_goes(table);
    fake_settle_down(&fake);
    struct tab_table *same = NULL;
    fake.load.turn_due_unix_ms = 0;
    cr_assert_eq(tab_registry_load(&fake.registry, rows_now(table), &same), TAB_LOADED);
    cr_assert_eq(fake.pending->move[0], ENG_TIME_OUT, "at once, although the connection was bad");
    cr_assert_not(table->in_time_bank);
    cr_assert_eq(table->wait_ms, TAB_NEVER);
    fake_settle_down(&fake);
    fake_close(&fake);
}

/* Two of three drop the first hand; then one of them is out, but may rejoin the pool. */
Test(slow, players_have_hours_to_rejoin_a_pool)
{
    struct tab_table *table = open_slow("pool101", 3, 24);
    struct eng_game *game = &table->game;
    uint8_t out = eng_seat_to_move(game);
    for (int i = 0; i < 2; i++) {
        struct tab_command drop = fake_move(eng_seat_to_move(game), "", ENG_DROP);
        tab_command(table, &drop);
        fake_settle_down(&fake);
    }
    cr_assert_eq(eng_phase(game), ENG_HAND_OVER);
    for (uint8_t i = 0; i < 3; i++)
        game->points[i] = i == out ? 101 : 10 + i;
    game->out_at[out] = game->hand_no;
    struct tab_command ready = fake_move((uint8_t)((out + 1) % 3), "", ENG_DRAW_STOCK);
    ready.kind = TAB_DO_READY;
    tab_command(table, &ready);
    cr_assert_not_null(fake.pending);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_TURN);
    cr_assert_eq(fake.pending->more->turn_seats, 1u << out);
    fake_settle_down(&fake);
    fake_pass(&fake, 20 * (int64_t)HOUR_MS);
    cr_assert_null(fake.pending, "the next hand waits for them");
    struct tab_command rejoin = fake_move(out, "r", ENG_REJOIN);
    tab_command(table, &rejoin);
    fake_settle_down(&fake);
    cr_assert_not(eng_seat_is_out(game, out));
    cr_assert_eq(fake.writes[TAB_WRITE_DEAL], 1, "the table waits for no one else");
    fake_close(&fake);
}
