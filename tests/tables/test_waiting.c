/* Before the deal: who sees the table fill, when it starts, and when it is canceled. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/tables/fake.h"

static struct fake fake;

Test(waiting, a_connected_player_sees_the_table_fill)
{
    struct tab_table *table = fake_open(&fake, 1, 4);
    tab_join(table, 0, &fake.sockets[0], -1);
    HAS(fake_last(&fake, 0), "{\"t\":\"waiting\",\"d\":{\"variant\":\"rummy51\",\"room\":\"Desert\","
                             "\"visibility\":\"room\",\"commit\":\"");
    HAS(fake_last(&fake, 0), "\"stake\":10,\"reward\":10,\"multiplier\":\"1.0\",\"seats\":[");
    HAS(fake_last(&fake, 0),
        "{\"seat\":0,\"player_id\":\"101\",\"nick\":\"Player 0\",\"avatar\":\"\",\"bot\":false,\"on\":true}");
    HAS(fake_last(&fake, 0), "{\"seat\":1,\"player_id\":null");
    HAS(fake_last(&fake, 0), "\"starts_in_ms\":5000}}");

    fake.load.taken[1] = true;
    fake.load.people[1].player_id = 102;
    cr_assert_eq(tab_registry_load(&fake.registry, &fake.load, &table), TAB_LOADED);
    HAS(fake_last(&fake, 0), "{\"seat\":1,\"player_id\":\"102\"");
    fake_close(&fake);
}

Test(waiting, a_seed_is_acknowledged_once_durable_and_used_for_the_deal)
{
    struct tab_table *table = fake_open(&fake, 1, 4);
    tab_join(table, 0, &fake.sockets[0], -1);
    struct tab_command seed = {.kind = TAB_DO_SEED, .seat = 0, .id = "s", .seed = {.len = 16, .bytes = {9}}};
    tab_command(table, &seed);
    cr_assert_eq(fake_count(&fake, 0, "ack"), 0);
    cr_assert(fake_commit(&fake));
    HAS(fake_last(&fake, 0), "{\"t\":\"ack\",\"id\":\"s\",\"v\":0}");
    fake_pass(&fake, 5000);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_START, "all seeds are there: nothing to wait for");
    cr_assert_eq(fake.pending->more->seeds[0].bytes[0], 9);
    fake_close(&fake);
}

Test(waiting, rows_that_arrive_during_a_write_are_read_again)
{
    struct tab_table *table = fake_open(&fake, 1, 4);
    tab_join(table, 0, &fake.sockets[0], -1);
    struct tab_command seed = {.kind = TAB_DO_SEED, .seat = 0, .id = "s", .seed = {.len = 16}};
    tab_command(table, &seed);
    fake.load.room.bots_n = 1;
    cr_assert_eq(tab_registry_load(&fake.registry, &fake.load, &table), TAB_LOADED);
    cr_assert(table->rows_missed && table->room.bots_n == 0, "a pending write takes precedence");
    cr_assert(fake_commit(&fake));
    cr_assert(table->rows_missed, "the owning node reads them again");
    cr_assert_eq(tab_registry_load(&fake.registry, &fake.load, &table), TAB_LOADED);
    cr_assert_eq(table->room.bots_n, 1);
    fake_close(&fake);
}

Test(waiting, a_missing_client_seed_is_waited_for_briefly)
{
    struct tab_table *table = fake_open(&fake, 1, 4);
    tab_join(table, 0, &fake.sockets[0], -1);
    fake_pass(&fake, 5000);
    cr_assert_null(fake.pending);
    HAS(fake_last(&fake, 0), "\"starts_in_ms\":1500}}");
    fake_pass(&fake, 1499);
    cr_assert_null(fake.pending);
    fake_pass(&fake, 1);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_START);
    fake_close(&fake);
}

static void ask_ready(struct tab_table *table, uint8_t seat)
{
    const struct tab_command ready = {.kind = TAB_DO_READY, .seat = seat, .id = "r"};
    tab_command(table, &ready);
}

Test(waiting, a_wall_clock_moved_back_does_not_delay_the_start)
{
    struct tab_table *before = fake_open(&fake, 1, 4), *table = NULL;
    fake.wall_off_ms = -3600000;
    fake.load.id = before->id + 1;
    cr_assert_eq(tab_registry_load(&fake.registry, &fake.load, &table), TAB_LOADED);
    cr_assert_eq(table->fill_ms, before->fill_ms);
    fake_close(&fake);
}

Test(waiting, a_single_player_can_start_with_bots_at_once)
{
    struct tab_table *table = fake_open(&fake, 1, 4);
    tab_join(table, 0, &fake.sockets[0], -1);
    HAS(fake_last(&fake, 0), "\"bots\":true");
    ask_ready(table, 0);
    cr_assert_eq(fake_count(&fake, 0, "ack"), 1);
    HAS(fake_last(&fake, 0), "\"on\":true,\"ready\":true}");
    HAS(fake_last(&fake, 0), "\"starts_in_ms\":1500}}");
    fake_pass(&fake, 1500);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_START, "long before the 5 s are over");
    fake_close(&fake);
}

Test(waiting, bots_join_at_once_when_all_players_request_them)
{
    struct tab_table *table = fake_open(&fake, 2, 4);
    tab_join(table, 0, &fake.sockets[0], -1);
    tab_join(table, 1, &fake.sockets[1], -1);
    ask_ready(table, 0);
    ask_ready(table, 0);
    fake_pass(&fake, 2000);
    cr_assert_null(fake.pending, "the other one would wait for players");
    ask_ready(table, 1);
    fake_pass(&fake, 1500);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_START);
    fake_close(&fake);
}

/* A seat was freed on another node, or a moment ago: nothing is lost, and the table continues as in the
 * rows. */
Test(waiting, a_start_refused_because_a_seat_was_freed_reloads_the_rows)
{
    static const char *const codes[] = {"seats_free", "table_empty", "table_over"};
    for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
        struct tab_table *table = fake_open(&fake, 4, 4);
        for (uint8_t seat = 0; seat < 4; seat++)
            tab_join(table, seat, &fake.sockets[seat], -1);
        fake_pass(&fake, 1500);
        cr_assert_eq(fake.pending->kind, TAB_WRITE_START);
        fake.next_result = TAB_WRITE_REFUSED;
        fake.next_code = codes[i];
        cr_assert(fake_commit(&fake));
        fake.next_code = NULL;
        cr_assert(table->state == TAB_WAITING && !fake.pending, "%s: not tried again before", codes[i]);
        fake.load.people[3] = (struct tab_person){0};
        fake.load.taken[3] = false;
        cr_assert_eq(tab_registry_load(&fake.registry, &fake.load, &table), TAB_LOADED);
        cr_assert_eq(fake.sockets[3].close_code, WIRE_CLOSE_LEFT);
        cr_assert_not(table->seats[3].taken);
        cr_assert_eq(fake.registry.counts.lost, 0);
        fake_close(&fake);
    }
}

Test(waiting, a_request_for_bots_does_not_pass_to_the_next_player_in_the_seat)
{
    struct tab_table *table = fake_open(&fake, 2, 4);
    tab_join(table, 0, &fake.sockets[0], -1);
    tab_join(table, 1, &fake.sockets[1], -1);
    ask_ready(table, 1);
    struct tab_command leave = {.kind = TAB_DO_LEAVE, .seat = 1, .id = "l"};
    tab_command(table, &leave);
    cr_assert(fake_commit(&fake));
    cr_assert_eq(table->ready, 0);
    fake_close(&fake);
}

Test(waiting, bots_cannot_be_requested_in_a_room_without_bots)
{
    struct tab_table *table = fake_open(&fake, 1, 4);
    table->room.bots = false;
    tab_join(table, 0, &fake.sockets[0], -1);
    ask_ready(table, 0);
    HAS(fake_last(&fake, 0), "\"code\":\"no_bots_here\"");
    cr_assert_eq(table->ready, 0);
    fake_close(&fake);
}

/* A private table of four, opened by the player with this id; the first `people` seats are taken by 101, 102,
 * … */
static struct tab_table *open_private(int people, int64_t creator_id)
{
    struct tab_table *table = fake_open(&fake, people, 4);
    table->room.visibility = TAB_PRIVATE;
    table->room.bots = false;
    table->room.creator_id = creator_id;
    for (uint8_t i = 0; i < people; i++)
        tab_join(table, i, &fake.sockets[i], -1);
    return table;
}

Test(waiting, only_the_host_can_start_a_private_table_with_bots)
{
    struct tab_table *table = open_private(2, 101);
    HAS(fake_last(&fake, 1), "\"bots\":false,\"bots_n\":0,\"host\":0,\"starts_in_ms\":null}}");
    ask_ready(table, 1);
    HAS(fake_last(&fake, 1), "\"code\":\"not_host\"");
    cr_assert_eq(table->ready, 0);
    fake_pass(&fake, 2000);
    cr_assert_null(fake.pending, "a guest cannot begin");
    ask_ready(table, 0);
    cr_assert_eq(fake_count(&fake, 0, "ack"), 1);
    HAS(fake_last(&fake, 1), "\"starts_in_ms\":1500}}");
    fake_pass(&fake, 1500);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_START, "the other one has no say");
    fake_close(&fake);
}

Test(waiting, the_request_of_a_departing_host_ends_and_the_next_player_is_host)
{
    struct tab_table *table = open_private(3, 101);
    ask_ready(table, 0);
    struct tab_command leave = {.kind = TAB_DO_LEAVE, .seat = 0, .id = "l"};
    tab_command(table, &leave);
    cr_assert(fake_commit(&fake));
    HAS(fake_last(&fake, 2), "\"host\":1");
    fake_pass(&fake, 2000);
    cr_assert_null(fake.pending, "no request is left");
    ask_ready(table, 2);
    HAS(fake_last(&fake, 2), "\"code\":\"not_host\"");
    ask_ready(table, 1);
    fake_pass(&fake, 1500);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_START);
    fake_close(&fake);
}

Test(waiting, the_creator_of_a_private_table_is_its_host_in_any_seat)
{
    struct tab_table *table = open_private(3, 103);
    HAS(fake_last(&fake, 0), "\"host\":2");
    ask_ready(table, 0);
    HAS(fake_last(&fake, 0), "\"code\":\"not_host\"");
    fake_close(&fake);
}

Test(waiting, room_tables_and_public_tables_have_no_host)
{
    struct tab_table *table = fake_open(&fake, 2, 4);
    table->room.creator_id = 101;
    tab_join(table, 0, &fake.sockets[0], -1);
    HAS(fake_last(&fake, 0), "\"host\":null");
    table->room.visibility = TAB_PUBLIC;
    table->room.bots = false;
    tab_join(table, 1, &fake.sockets[1], -1);
    HAS(fake_last(&fake, 1), "\"host\":null");
    ask_ready(table, 0);
    HAS(fake_last(&fake, 0), "\"code\":\"no_bots_here\"");
    fake_close(&fake);
}

Test(waiting, a_full_table_starts_at_once)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    for (uint8_t i = 0; i < 4; i++)
        tab_join(table, i, &fake.sockets[i], -1);
    cr_assert_null(fake.pending);
    fake_pass(&fake, 1500);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_START);
    fake_close(&fake);
}

Test(waiting, a_table_without_connections_is_canceled)
{
    (void)fake_open(&fake, 1, 4);
    fake_pass(&fake, 5000 + TAB_NOBODY_WAIT_MS - 1);
    cr_assert_null(fake.pending);
    fake_pass(&fake, 1);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_CANCEL);
    cr_assert_str_eq(fake.pending->more->reason, "nobody_came");
    cr_assert(fake_commit(&fake));
    cr_assert_null(tab_registry_find(&fake.registry, 7));
    fake_close(&fake);
}

Test(waiting, a_room_without_bots_waits_for_players_until_a_limit)
{
    struct tab_table *table = fake_open(&fake, 2, 4);
    table->room.bots = false;
    tab_join(table, 0, &fake.sockets[0], -1);
    fake_pass(&fake, 5000 + TAB_LONELY_WAIT_MS - 1);
    cr_assert_null(fake.pending);
    fake_pass(&fake, 1);
    cr_assert_str_eq(fake.pending->more->reason, "not_enough_players");
    cr_assert(fake_commit(&fake));
    HAS(fake_last(&fake, 0), "{\"t\":\"cancelled\",\"d\":{\"reason\":\"not_enough_players\"}}");
    cr_assert_eq(fake.sockets[0].close_code, WIRE_CLOSE_OVER);
    fake_close(&fake);
}

/* A player takes the last seat and gives it back, repeatedly: the table fills or is canceled as if they had
 * never been there. */
static void flap(bool bots, int64_t until_ms, enum tab_write_kind kind)
{
    struct tab_table *table = fake_open(&fake, 3, 4), *same;
    table->room.bots = fake.load.room.bots = bots;
    tab_join(table, 0, &fake.sockets[0], -1);
    int64_t began = fake.now_ms;
    for (int i = 0; i < 1000 && !fake.pending; i++) {
        bool sits = i % 2 == 0;
        fake.load.taken[3] = sits;
        fake.load.people[3] =
            sits ? (struct tab_person){.player_id = 104, .nick = "Fourth"} : (struct tab_person){0};
        int64_t fill_in_ms = 5000 - (fake.now_ms - began);
        fake.load.fill_in_ms = fill_in_ms;
        cr_assert_eq(tab_registry_load(&fake.registry, &fake.load, &same), TAB_LOADED);
        cr_assert_eq(same, table);
        fake_pass(&fake, 1000); /* before the wait for their seed is over */
    }
    cr_assert_not_null(fake.pending);
    cr_assert_eq(fake.pending->kind, kind);
    cr_assert_leq(fake.now_ms - began, until_ms + 2000);
    fake_close(&fake);
}

Test(waiting, repeated_joining_and_leaving_does_not_delay_the_start)
{
    flap(true, 5000 + 1500, TAB_WRITE_START);
    flap(false, 5000 + TAB_LONELY_WAIT_MS, TAB_WRITE_CANCEL);
}

Test(waiting, a_player_who_leaves_frees_the_seat_and_gets_close_code_4000)
{
    struct tab_table *table = fake_open(&fake, 2, 4);
    tab_join(table, 0, &fake.sockets[0], -1);
    tab_join(table, 1, &fake.sockets[1], -1);
    struct tab_command leave = {.kind = TAB_DO_LEAVE, .seat = 1, .id = "l"};
    tab_command(table, &leave);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_LEAVE);
    cr_assert_eq(fake.pending->more->player_id, 102);
    cr_assert(fake_commit(&fake));
    HAS(fake_last(&fake, 1), "{\"t\":\"ack\",\"id\":\"l\",\"v\":0}");
    cr_assert_eq(fake.sockets[1].close_code, WIRE_CLOSE_LEFT);
    HAS(fake_last(&fake, 0), "{\"seat\":1,\"player_id\":null");
    fake_close(&fake);
}

Test(waiting, later_commands_of_a_player_who_leaves_are_ignored)
{
    struct tab_table *table = fake_open(&fake, 2, 4);
    tab_join(table, 0, &fake.sockets[0], -1);
    tab_join(table, 1, &fake.sockets[1], -1);
    for (int i = 0; i < 2; i++) {
        struct tab_command leave = {.kind = TAB_DO_LEAVE, .seat = 1, .id = {(char)('l' + i)}};
        tab_command(table, &leave);
    }
    struct tab_command seed = {.kind = TAB_DO_SEED, .seat = 0, .id = "s", .seed = {.len = 1, .bytes = "x"}};
    struct tab_command ready = {.kind = TAB_DO_READY, .seat = 1, .id = "r"};
    tab_command(table, &seed);
    tab_command(table, &ready);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_LEAVE);
    cr_assert(fake_commit(&fake));
    cr_assert_eq(fake.sockets[1].close_code, WIRE_CLOSE_LEFT);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_SEED, "the next command is of the other seat");
    cr_assert(fake_commit(&fake));
    cr_assert_null(fake.pending);
    cr_assert_eq(table->ready, 0);
    fake_close(&fake);
}

Test(waiting, moves_are_refused_before_the_deal)
{
    struct tab_table *table = fake_open(&fake, 1, 4);
    tab_join(table, 0, &fake.sockets[0], -1);
    struct tab_command draw = fake_move(0, "d", ENG_DRAW_STOCK);
    tab_command(table, &draw);
    HAS(fake_last(&fake, 0), "\"code\":\"not_started\"");
    fake_close(&fake);
}

Test(waiting, the_start_shows_each_player_only_their_hand)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    for (uint8_t i = 0; i < 4; i++) {
        struct eng_view view;
        eng_view(&table->game, i, &view);
        char me[16], card[8];
        (void)snprintf(me, sizeof(me), "\"me\":%d", i);
        HAS(fake.sockets[i].frames[fake.sockets[i].n - 2], me);
        (void)eng_card_name(card, view.hand[0]);
        for (uint8_t k = 0; k < 4; k++) {
            const char *snapshot = fake.sockets[k].frames[fake.sockets[k].n - 2];
            if (k == i)
                HAS(snapshot, card);
            else
                LACKS(snapshot, card);
        }
        HAS(fake_last(&fake, i), "{\"t\":\"clock\",\"d\":{\"seat\":");
    }
    fake_close(&fake);
}

/* ---- House tables ---- */
static struct tab_table *open_house(int people, int bots)
{
    struct tab_table *table = fake_open(&fake, people, 4);
    table->room.visibility = TAB_HOUSE;
    table->room.bots = false;
    for (int seat = people; seat < people + bots; seat++) {
        table->seats[seat].taken = true;
        table->seats[seat].person = (struct tab_person){.bot = true, .bot_level = ENG_BOT_MEDIUM};
    }
    return table;
}

Test(waiting, a_house_table_with_bots_only_starts_at_once)
{
    struct tab_table *table = open_house(1, 3);
    for (uint8_t seat = 0; seat < 4; seat++) {
        fake.load.people[seat] = (struct tab_person){.bot = true, .bot_level = ENG_BOT_MEDIUM};
        fake.load.taken[seat] = true;
    }
    cr_assert_eq(tab_registry_load(&fake.registry, &fake.load, &table), TAB_LOADED);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_START);
    fake_close(&fake);
}

Test(waiting, a_house_table_starts_without_players_who_do_not_come_in_time)
{
    struct tab_table *table = open_house(2, 2);
    int64_t wait_ms = table->fill_ms - fake.now_ms;
    tab_join(table, 0, &fake.sockets[0], -1);
    HAS(fake_last(&fake, 0), "\"visibility\":\"house\"");
    HAS(fake_last(&fake, 0), "\"host\":null,\"starts_in_ms\":5000}}");
    fake_pass(&fake, wait_ms - 1);
    cr_assert_null(fake.pending, "one of the two has not come");
    fake_pass(&fake, 1);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_START, "started without the other, not canceled");
    fake_close(&fake);
}

Test(waiting, a_house_table_starts_early_when_all_players_are_connected)
{
    struct tab_table *table = open_house(2, 2);
    tab_join(table, 0, &fake.sockets[0], -1);
    tab_join(table, 1, &fake.sockets[1], -1);
    HAS(fake_last(&fake, 1), "\"starts_in_ms\":1500}}");
    fake_pass(&fake, 1499);
    cr_assert_null(fake.pending, "a seed may come yet");
    fake_pass(&fake, 1);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_START);
    fake_close(&fake);
}

Test(waiting, players_cannot_leave_a_house_table_before_the_deal)
{
    struct tab_table *table = open_house(2, 2);
    const struct tab_command leave = {.kind = TAB_DO_LEAVE, .seat = 0, .id = "l"};
    tab_join(table, 0, &fake.sockets[0], -1);
    tab_command(table, &leave);
    cr_assert_null(fake.pending);
    HAS(fake_last(&fake, 0), "\"code\":\"seat_is_given\"");
    cr_assert(table->seats[0].taken);
    fake_close(&fake);
}
