/* Hand-over of a table to another node, with fake ports. */
#include <criterion/criterion.h>

#include "tables/handover.h"
#include "tests/tables/fake.h"

static struct fake fake;

static struct tab_table *open_playing(void)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    fake_settle_down(&fake);
    return table;
}

Test(handover, clients_get_the_new_address_and_the_table_is_removed)
{
    struct tab_table *table = open_playing();
    cr_assert(tab_may_hand_over(table));
    tab_hand_over(table, false);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_HANDOVER);
    memcpy(fake.pending->more->ws_url, "wss://n2.example", 17);
    cr_assert(fake_commit(&fake));
    for (int i = 0; i < 4; i++) {
        HAS(fake_last(&fake, i), "{\"t\":\"moved\",\"d\":{\"ws_url\":\"wss://n2.example/ws/tables/7\"}}");
        cr_assert_eq(fake.sockets[i].close_code, WIRE_CLOSE_RESTARTING);
    }
    cr_assert_null(tab_registry_find(&fake.registry, 7));
    cr_assert_eq(tab_registry_tick(&fake.registry), TAB_NEVER, "and nothing of it is due");
    fake_close(&fake);
}

Test(handover, commands_wait_and_no_moves_are_made_during_a_handover)
{
    struct tab_table *table = open_playing();
    struct tab_command next = fake_next(table, "n");
    uint32_t v = eng_version(&table->game);
    tab_hand_over(table, false);
    fake_pass(&fake, 3600000);
    tab_command(table, &next);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_HANDOVER, "and it is the only write");
    cr_assert_eq(eng_version(&table->game), v);
    tab_join(table, 0, &fake.sockets[5], v);
    memcpy(fake.pending->more->ws_url, "wss://n2.example", 17);
    cr_assert(fake_commit(&fake));
    cr_assert_eq(fake_count(&fake, next.seat, "\"id\":\"n\""), 0,
                 "it is not answered: its player sends it again");
    HAS(fake_last(&fake, 5), "\"t\":\"moved\"");
    cr_assert_eq(fake.sockets[5].close_code, WIRE_CLOSE_RESTARTING);
    fake_close(&fake);
}

Test(handover, a_table_that_no_node_accepts_continues_here)
{
    struct tab_table *table = open_playing();
    struct tab_command next = fake_next(table, "n");
    tab_hand_over(table, true);
    cr_assert(fake.pending->more->to_lighter);
    tab_command(table, &next);
    fake.next_result = TAB_WRITE_REFUSED;
    fake.next_code = "no_heir";
    cr_assert(fake_commit(&fake));
    cr_assert_eq(fake_count(&fake, 0, "moved"), 0);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_MOVE, "queued commands are carried out");
    fake.next_result = TAB_WRITTEN;
    cr_assert(fake_commit(&fake));
    cr_assert_eq(fake_count(&fake, next.seat, "{\"t\":\"ack\",\"id\":\"n\""), 1);
    cr_assert(tab_may_hand_over(table), "and it can be requested again");
    fake_close(&fake);
}

Test(handover, a_table_with_unstored_state_is_not_handed_over)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    cr_assert(tab_may_hand_over(table), "it waits for players");
    tab_join(table, 0, &fake.sockets[5], -1);
    fake_settle_down(&fake);
    cr_assert_neq(table->start_ms, TAB_NEVER);
    cr_assert_not(tab_may_hand_over(table), "it waits for seeds");
    fake_start(&fake, table, 4);
    fake_settle_down(&fake);
    cr_assert(tab_may_hand_over(table));
    struct tab_command next = fake_next(table, "n");
    tab_command(table, &next);
    cr_assert_not(tab_may_hand_over(table), "a move is pending");
    fake_settle_down(&fake);
    tab_outage_begin(&fake.registry, true);
    cr_assert_not(tab_may_hand_over(table), "the database is unreachable");
    tab_outage_end(&fake.registry);
    table->in_time_bank = true;
    cr_assert_not(tab_may_hand_over(table), "a time bank runs");
    table->in_time_bank = false;
    tab_cancel(table);
    cr_assert_not(tab_may_hand_over(table), "it is being ended");
    fake_close(&fake);
}

Test(handover, a_turn_keeps_its_clock_after_a_handover)
{
    struct tab_table *table = open_playing(), *taken = NULL;
    fake_play_to_seat(&fake, table, (uint8_t)((eng_seat_to_move(&table->game) + 1) % 4));
    static struct tab_load_move moves[FAKE_ROWS_MAX];
    for (size_t i = 0; i < fake.rows_n; i++)
        moves[i] = fake.rows[i].row;
    fake.load.moves = moves;
    fake.load.moves_n = fake.rows_n;
    for (uint8_t i = 0; i < 4; i++)
        fake.load.people[i] = table->seats[i].person;
    fake_pass(&fake, 12000);
    int64_t left = table->turn_ms - fake.now_ms;
    fake.load.heard_unix_ms = fake.registry.ports.unix_ms(fake.registry.ports.ctx);
    tab_hand_over(table, false);
    memcpy(fake.pending->more->ws_url, "wss://n2.example", 17);
    cr_assert(fake_commit(&fake));
    fake.now_ms += 200;
    cr_assert_eq(tab_registry_load(&fake.registry, &fake.load, &taken), TAB_LOADED);
    cr_assert_eq(taken->turn_ms - fake.now_ms, left, "the pause is in no row");
    fake_close(&fake);
}
