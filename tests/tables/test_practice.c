/* Practice tables that wait for their player, with fake ports. */
#include <criterion/criterion.h>

#include "tests/tables/fake.h"

static struct fake fake;

enum { WAIT_MS = 1800000 };

/* One human, connected, with bots. */
static struct tab_table *open_practice(const char *variant, int seats)
{
    struct tab_table *table = fake_open_variant(&fake, variant, "", seats, 1);
    fake.load.practice = true;
    fake_start(&fake, table, 1);
    return table;
}

static void return_to(struct tab_table *table, int socket)
{
    tab_join(table, 0, &fake.sockets[socket], -1);
    fake_settle_down(&fake);
}

/* Advances the clock and checks that the table writes nothing meanwhile. */
static void stand(const struct tab_table *table, int64_t ms)
{
    uint32_t v = table->events.last_v;
    fake_pass(&fake, ms);
    cr_assert_null(fake.pending);
    cr_assert_eq(table->events.last_v, v);
}

Test(practice, the_table_pauses_for_a_disconnected_player_and_restarts_their_clock)
{
    struct tab_table *table = open_practice("rummy51", 4);
    fake_play_to_seat(&fake, table, 0);
    fake_pass(&fake, 20000);
    tab_quit(table, 0, &fake.sockets[0]);
    stand(table, 600000);
    return_to(table, 1);
    HAS(fake.sockets[1].frames[0], "\"t\":\"snapshot\"");
    HAS(fake_last(&fake, 1), "{\"t\":\"clock\",\"d\":{\"seat\":0,\"ms_left\":30000,");
    cr_assert_eq(fake_count(&fake, 1, "waiting_for"), 0);
    cr_assert_eq(fake_count(&fake, 1, "played_for_you"), 0);
    stand(table, 29999);
    fake_pass(&fake, 1);
    cr_assert_not_null(fake.pending, "a connected player has only their normal time");
    fake_close(&fake);
}

Test(practice, bots_do_not_take_their_own_turns_either)
{
    struct tab_table *table = open_practice("rummy51", 4);
    fake_play_to_seat(&fake, table, 0);
    fake_play_to_seat(&fake, table, 1);
    cr_assert(table->bots >> 1 & 1);
    tab_quit(table, 0, &fake.sockets[0]);
    stand(table, 600000);
    return_to(table, 1);
    uint32_t v = table->events.last_v;
    fake_pass(&fake, 1000);
    fake_settle_down(&fake);
    cr_assert_gt(table->events.last_v, v);
    fake_close(&fake);
}

Test(practice, an_away_player_is_waited_for_and_clients_are_notified)
{
    struct tab_table *table = open_practice("rummy51", 4);
    while (!eng_seat_is_away(&table->game, 0)) {
        fake_pass(&fake, 30000);
        fake_settle_down(&fake);
    }
    HAS(fake_last(&fake, 0), "{\"t\":\"waiting_for\",\"d\":{\"seat\":0,\"ends_in_ms\":1800000}}");
    stand(table, 600000);
    tab_spectate(table, &fake.sockets[3], -1, 0);
    HAS(fake_last(&fake, 3), "{\"t\":\"waiting_for\",\"d\":{\"seat\":0,\"ends_in_ms\":1200000}}");
    HAS(fake.sockets[3].frames[0], "\"clock\":null");
    struct tab_command back = {.kind = TAB_DO_RETURN, .seat = 0, .id = "b"};
    tab_command(table, &back);
    cr_assert(fake_commit(&fake));
    HAS(fake_last(&fake, 3), "{\"t\":\"clock\",");
    cr_assert_eq(table->wait_ms, TAB_NEVER);
    fake_close(&fake);
}

Test(practice, the_table_is_canceled_if_the_player_does_not_return)
{
    struct tab_table *table = open_practice("treff", 2);
    tab_spectate(table, &fake.sockets[3], -1, 0);
    tab_quit(table, 0, &fake.sockets[0]);
    stand(table, WAIT_MS - 1);
    fake_pass(&fake, 1);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_CANCEL);
    cr_assert_str_eq(fake.pending->more->reason, "nobody_came_back");
    cr_assert(fake_commit(&fake));
    HAS(fake_last(&fake, 3), "\"t\":\"cancelled\"");
    fake_close(&fake);
}

Test(practice, a_player_who_left_for_good_is_not_waited_for)
{
    struct tab_table *table = open_practice("rummy51", 4);
    struct tab_command leave = {.kind = TAB_DO_LEAVE, .seat = 0, .id = "l"};
    tab_command(table, &leave);
    fake_settle_down(&fake);
    cr_assert_eq(table->state, TAB_OVER, "bots play it to its end at once");
    fake_close(&fake);
}

/* The table as a kill leaves it: the rows, and no connections. */
static struct tab_table *again(const struct tab_table *live)
{
    static struct tab_load_move moves[FAKE_ROWS_MAX];
    struct tab_table *table = NULL;
    for (size_t i = 0; i < fake.rows_n; i++)
        moves[i] = fake.rows[i].row;
    fake.load.moves = moves;
    fake.load.moves_n = fake.rows_n;
    fake.load.state = "playing";
    fake.load.heard_unix_ms = fake.rows[fake.rows_n - 1].row.unix_ms + 600000;
    for (uint8_t i = 0; i < live->seats_n; i++)
        fake.load.people[i] = live->seats[i].person;
    tab_registry_drop(tab_registry_find(&fake.registry, live->id), WIRE_CLOSE_RESTARTING);
    cr_assert_eq(tab_registry_load(&fake.registry, &fake.load, &table), TAB_LOADED);
    return table;
}

Test(practice, the_wait_continues_after_a_restart)
{
    struct tab_table *table = open_practice("rummy51", 4);
    fake_play_to_seat(&fake, table, 0);
    fake_play_to_seat(&fake, table, 1);
    fake_play_to_seat(&fake, table, 0);
    tab_quit(table, 0, &fake.sockets[0]);
    stand(table, 600000);
    uint64_t hash = eng_hash(&table->game);
    table = again(table);
    cr_assert_eq(eng_hash(&table->game), hash);
    stand(table, WAIT_MS - 600000 - 1);
    return_to(table, 1);
    HAS(fake_last(&fake, 1), "{\"t\":\"clock\",\"d\":{\"seat\":0,\"ms_left\":30000,");
    tab_quit(table, 0, &fake.sockets[1]);
    stand(table, WAIT_MS - 1);
    fake_pass(&fake, 1);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_CANCEL);
    fake_close(&fake);
}

Test(practice, tables_with_two_players_or_chips_do_not_pause)
{
    for (uint8_t people = 1; people <= 2; people++) {
        struct tab_table *table = fake_open_variant(&fake, "rummy51", "", 4, people);
        fake.load.practice = people == 2; /* with one player, the table is played for chips */
        fake_start(&fake, table, people);
        for (uint8_t i = 0; i < people; i++)
            tab_quit(table, i, &fake.sockets[i]);
        for (int i = 0; i < 20 && table->state == TAB_PLAYING; i++) {
            fake_pass(&fake, 30000);
            fake_settle_down(&fake);
        }
        cr_assert_eq(table->state, TAB_OVER);
        fake_close(&fake);
    }
}
