/* Live tables with fake ports: what is told to whom, and when. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tables/fake.h"

static struct fake fake;

#define HAS(text, part) cr_assert_not_null(strstr((text), (part)), "%s lacks %s", (text), (part))
#define LACKS(text, part) cr_assert_null(strstr((text), (part)), "%s has %s", (text), (part))

/* ---- Filling ---- */
Test(waiting, one_who_connects_sees_the_table_fill)
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

Test(waiting, a_seed_is_acknowledged_when_it_is_durable_and_goes_into_the_deal)
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
    cr_assert_eq(fake.pending->seeds[0].bytes[0], 9);
    fake_close(&fake);
}

Test(waiting, rows_that_come_during_a_write_are_asked_for_again)
{
    struct tab_table *table = fake_open(&fake, 1, 4);
    tab_join(table, 0, &fake.sockets[0], -1);
    struct tab_command seed = {.kind = TAB_DO_SEED, .seat = 0, .id = "s", .seed = {.len = 16}};
    tab_command(table, &seed);
    fake.load.room.bots_n = 1;
    cr_assert_eq(tab_registry_load(&fake.registry, &fake.load, &table), TAB_LOADED);
    cr_assert(table->rows_missed && table->room.bots_n == 0, "what is under way is stronger");
    cr_assert(fake_commit(&fake));
    cr_assert(table->rows_missed, "whoever owns the tables reads them again");
    cr_assert_eq(tab_registry_load(&fake.registry, &fake.load, &table), TAB_LOADED);
    cr_assert_eq(table->room.bots_n, 1);
    fake_close(&fake);
}

Test(waiting, a_silent_client_seed_is_waited_for_a_little)
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

Test(waiting, full_seats_start_at_once)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    for (uint8_t i = 0; i < 4; i++)
        tab_join(table, i, &fake.sockets[i], -1);
    cr_assert_null(fake.pending);
    fake_pass(&fake, 1500);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_START);
    fake_close(&fake);
}

Test(waiting, nobody_connects_and_the_stakes_go_back)
{
    (void)fake_open(&fake, 1, 4);
    fake_pass(&fake, 5000 + TAB_NOBODY_WAIT_MS - 1);
    cr_assert_null(fake.pending);
    fake_pass(&fake, 1);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_CANCEL);
    cr_assert_str_eq(fake.pending->reason, "nobody_came");
    cr_assert(fake_commit(&fake));
    cr_assert_null(tab_registry_find(&fake.registry, 7));
    fake_close(&fake);
}

Test(waiting, a_room_without_bots_waits_for_people_and_gives_up_at_last)
{
    struct tab_table *table = fake_open(&fake, 2, 4);
    table->room.bots = false;
    tab_join(table, 0, &fake.sockets[0], -1);
    fake_pass(&fake, 5000 + TAB_LONELY_WAIT_MS - 1);
    cr_assert_null(fake.pending);
    fake_pass(&fake, 1);
    cr_assert_str_eq(fake.pending->reason, "not_enough_players");
    cr_assert(fake_commit(&fake));
    HAS(fake_last(&fake, 0), "{\"t\":\"cancelled\",\"d\":{\"reason\":\"not_enough_players\"}}");
    cr_assert_eq(fake.sockets[0].close_code, TAB_CLOSE_OVER);
    fake_close(&fake);
}

Test(waiting, an_operator_ends_a_table_once_nothing_of_it_is_written)
{
    struct tab_table *table = fake_open(&fake, 2, 4);
    tab_join(table, 0, &fake.sockets[0], -1);
    struct tab_command leave = {.kind = TAB_DO_LEAVE, .seat = 1, .id = "l"};
    tab_command(table, &leave);
    tab_cancel(table);
    tab_cancel(table);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_LEAVE);
    cr_assert(fake_commit(&fake));
    cr_assert_eq(fake.pending->kind, TAB_WRITE_CANCEL);
    cr_assert(fake_commit(&fake));
    HAS(fake_last(&fake, 0), "{\"t\":\"cancelled\",\"d\":{\"reason\":\"by_operator\"}}");
    cr_assert_null(tab_registry_find(&fake.registry, 7));
    fake_close(&fake);
}

Test(waiting, a_leaver_gets_his_stake_and_close_4000)
{
    struct tab_table *table = fake_open(&fake, 2, 4);
    tab_join(table, 0, &fake.sockets[0], -1);
    tab_join(table, 1, &fake.sockets[1], -1);
    struct tab_command leave = {.kind = TAB_DO_LEAVE, .seat = 1, .id = "l"};
    tab_command(table, &leave);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_LEAVE);
    cr_assert_eq(fake.pending->player_id, 102);
    cr_assert(fake_commit(&fake));
    HAS(fake_last(&fake, 1), "{\"t\":\"ack\",\"id\":\"l\",\"v\":0}");
    cr_assert_eq(fake.sockets[1].close_code, TAB_CLOSE_LEFT);
    HAS(fake_last(&fake, 0), "{\"seat\":1,\"player_id\":null");
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

/* ---- Playing ---- */
Test(playing, the_start_shows_everybody_his_own_hand_only)
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

Test(playing, nothing_is_told_before_it_is_durable)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    for (int i = 0; i < 4; i++)
        fake_forget(&fake, i);
    uint32_t v = table->sent_v;
    struct tab_command next = fake_next(table, "a");
    tab_command(table, &next);
    cr_assert_not_null(fake.pending);
    for (int i = 0; i < 4; i++)
        cr_assert_eq(fake.sockets[i].n, 0);
    cr_assert(fake_commit(&fake));
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(fake_count(&fake, i, "\"t\":\"discarded\""), 1);
        cr_assert_eq(fake_count(&fake, i, "\"t\":\"turn\""), 1);
        cr_assert_eq(fake_count(&fake, i, "\"t\":\"ack\""), i == next.seat);
    }
    char ack[64];
    (void)snprintf(ack, sizeof(ack), "{\"t\":\"ack\",\"id\":\"a\",\"v\":%u}", v + 2);
    cr_assert_str_eq(fake_last(&fake, next.seat), ack, "after its events");
    fake_close(&fake);
}

Test(playing, a_card_from_the_stock_is_seen_by_its_drawer_alone)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    fake_play_to_seat(&fake, table, (uint8_t)((eng_seat_to_move(&table->game) + 1) % 4));
    struct tab_command draw = fake_next(table, "d");
    tab_command(table, &draw);
    for (int i = 0; i < 4; i++)
        fake_forget(&fake, i);
    cr_assert(fake_commit(&fake));
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(fake_count(&fake, i, "\"t\":\"drew\""), 1);
        cr_assert_eq(fake_count(&fake, i, "\"card\":"), i == draw.seat);
    }
    fake_close(&fake);
}

Test(playing, events_of_each_viewer_have_no_gap)
{
    struct tab_table *table = fake_open(&fake, 2, 4);
    fake_start(&fake, table, 2);
    for (int step = 0; step < 400 && table->state == TAB_PLAYING; step++) {
        if (!fake_commit(&fake)) {
            uint8_t seat = eng_seat_to_move(&table->game);
            if (seat < 2) {
                char id[16];
                (void)snprintf(id, sizeof(id), "g-%d", step);
                struct tab_command next = fake_next(table, id);
                tab_command(table, &next);
            } else {
                fake_pass(&fake, 1000);
            }
        }
    }
    for (int i = 0; i < 2; i++) {
        unsigned last = 5;
        for (int k = 0; k < fake.sockets[i].n; k++) {
            unsigned v;
            if (sscanf(fake.sockets[i].frames[k], "{\"v\":%u", &v) == 1)
                cr_assert_eq(v, ++last);
        }
        cr_assert_eq(last, table->sent_v);
        cr_assert_gt(last, 100);
    }
    fake_close(&fake);
}

Test(playing, a_refused_move_is_answered_after_what_is_on_its_way)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    uint8_t seat = eng_seat_to_move(&table->game), other = (uint8_t)((seat + 2) % 4);
    struct tab_command good = fake_next(table, "good"), bad = fake_move(other, "bad", ENG_DRAW_STOCK);
    tab_command(table, &good);
    fake_forget(&fake, other);
    tab_command(table, &bad);
    cr_assert_eq(fake.sockets[other].n, 0);
    cr_assert(fake_commit(&fake));
    HAS(fake_last(&fake, other), "{\"t\":\"nack\",\"id\":\"bad\",\"code\":\"not_your_turn\",\"cards\":[],"
                                 "\"text\":\"It is not your turn.\"}");
    cr_assert_eq(fake.writes[TAB_WRITE_MOVE], 1);
    fake_close(&fake);
}

Test(playing, a_repeated_id_gives_the_first_answer_and_changes_nothing)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    uint8_t seat = eng_seat_to_move(&table->game);
    struct tab_command bad = fake_move(seat, "bad", ENG_DRAW_STOCK), good = fake_next(table, "good");
    tab_command(table, &bad);
    char *first_nack = strdup(fake_last(&fake, seat));
    HAS(first_nack, "nack");
    tab_command(table, &good);
    tab_command(table, &good); /* while the first is on its way */
    cr_assert(fake_commit(&fake));
    char *ack = strdup(fake_last(&fake, seat));
    HAS(ack, "{\"t\":\"ack\",\"id\":\"good\"");
    cr_assert_eq(fake_count(&fake, seat, "\"id\":\"good\""), 2);
    uint64_t hash = eng_hash(&table->game);
    tab_command(table, &good);
    cr_assert_str_eq(fake_last(&fake, seat), ack);
    tab_command(table, &bad);
    cr_assert_str_eq(fake_last(&fake, seat), first_nack);
    cr_assert_eq(eng_hash(&table->game), hash);
    cr_assert_null(fake.pending);
    cr_assert_eq(fake.writes[TAB_WRITE_MOVE], 1);
    free(first_nack);
    free(ack);
    fake_close(&fake);
}

Test(playing, a_stale_base_is_refused)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    struct tab_command next = fake_next(table, "n");
    next.has_base = true;
    next.base = table->turn_v - 1;
    tab_command(table, &next);
    HAS(fake_last(&fake, next.seat), "\"code\":\"stale_base\"");
    next.base = table->turn_v;
    tab_command(table, &next);
    cr_assert_not_null(fake.pending, "the same id may be tried again");
    fake_close(&fake);
}

Test(playing, a_full_queue_says_busy)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    struct tab_command next = fake_next(table, "n");
    tab_command(table, &next);
    for (int i = 0; i < TAB_QUEUE_MAX; i++) {
        struct tab_command more = fake_move(1, "m", ENG_DRAW_STOCK);
        tab_command(table, &more);
    }
    cr_assert_eq(fake_count(&fake, 1, "busy"), 0);
    struct tab_command last = fake_move(1, "last", ENG_DRAW_STOCK);
    tab_command(table, &last);
    HAS(fake_last(&fake, 1), "\"id\":\"last\",\"code\":\"busy\"");
    fake_close(&fake);
}

Test(playing, resume_from_every_version)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    for (int turn = 0; turn < 120; turn++)
        fake_play_to_seat(&fake, table, (uint8_t)((eng_seat_to_move(&table->game) + 1) % 4));
    cr_assert_gt(table->sent_v, TAB_EVENTS_MAX + 20, "some are no longer held");
    /* What seat 1 was sent live is what it must be sent again. */
    const struct srv_socket *live = &fake.sockets[1];
    for (int64_t since = -1; since <= table->sent_v + 1; since++) {
        struct srv_socket *again = &fake.sockets[5];
        fake_forget(&fake, 5);
        again->close_code = 0;
        tab_join(table, 1, again, since);
        bool held = since > 0 && since <= table->sent_v && table->sent_v - since <= TAB_EVENTS_MAX;
        if (!held) {
            HAS(again->frames[0], "{\"t\":\"snapshot\"");
            tab_quit(table, 1, again);
            continue;
        }
        uint32_t v = (uint32_t)since;
        int at = 0;
        for (int k = 0; k < live->n; k++) {
            unsigned event_v;
            if (sscanf(live->frames[k], "{\"v\":%u", &event_v) == 1 && event_v > v)
                cr_assert_str_eq(again->frames[at++], live->frames[k]);
        }
        cr_assert_eq((uint32_t)at, table->sent_v - (v > 5 ? v : 5) + (v < 5 ? 5 - v : 0));
        tab_quit(table, 1, again);
    }
    fake_close(&fake);
}

Test(playing, a_connection_waits_for_the_write_that_is_on_its_way)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    struct tab_command next = fake_next(table, "n");
    tab_command(table, &next);
    uint8_t other = (uint8_t)((next.seat + 1) % 4);
    tab_join(table, other, &fake.sockets[6], -1);
    cr_assert_eq(fake.sockets[other].close_code, TAB_CLOSE_REPLACED);
    cr_assert_eq(fake.sockets[6].n, 0, "what it would be shown is not durable yet");
    cr_assert(fake_commit(&fake));
    HAS(fake.sockets[6].frames[0], "{\"t\":\"snapshot\",\"v\":7");
    fake_close(&fake);
}

/* ---- Clock and bots ---- */
Test(clock_of_turns, three_time_outs_make_away_a_bot_plays_and_a_join_returns)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    uint8_t seat = 2;
    tab_quit(table, seat, &fake.sockets[seat]);
    for (int k = 0; k < 3; k++) {
        fake_play_to_seat(&fake, table, seat);
        fake_pass(&fake, table->params.turn_s * 1000 - 1);
        cr_assert_null(fake.pending);
        fake_pass(&fake, 1);
        cr_assert(fake_commit(&fake));
        cr_assert_eq(fake_count(&fake, 0, "\"t\":\"timed_out\",\"seat\":2"), k + 1);
    }
    cr_assert_eq(fake_count(&fake, 0, "\"t\":\"away\",\"seat\":2"), 1);
    fake_play_to_seat(&fake, table, seat);
    cr_assert_null(fake.pending, "watched: it seems to think");
    fake_pass(&fake, 1000);
    cr_assert_not_null(fake.pending);
    cr_assert_neq(fake.pending->move[0], ENG_TIME_OUT);
    cr_assert(fake_commit(&fake));

    fake_forget(&fake, 5);
    tab_join(table, seat, &fake.sockets[5], -1);
    fake_settle_down(&fake);
    cr_assert_eq(fake_count(&fake, 5, "\"t\":\"returned\",\"seat\":2"), 1);
    cr_assert(!eng_seat_is_away(&table->game, seat));
    fake_close(&fake);
}

Test(clock_of_turns, any_own_move_brings_an_away_player_back)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    for (int k = 0; k < 3; k++) {
        fake_play_to_seat(&fake, table, 2);
        fake_pass(&fake, table->params.turn_s * 1000);
        cr_assert(fake_commit(&fake));
    }
    cr_assert(eng_seat_is_away(&table->game, 2));
    fake_play_to_seat(&fake, table, 2);
    struct tab_command next = fake_next(table, "back");
    tab_command(table, &next);
    fake_settle_down(&fake);
    cr_assert_eq(fake_count(&fake, 2, "\"t\":\"returned\",\"seat\":2"), 1);
    HAS(fake_last(&fake, 2), "{\"t\":\"ack\",\"id\":\"back\"");
    fake_close(&fake);
}

Test(bots, play_at_once_when_nobody_watches)
{
    struct tab_table *table = fake_open(&fake, 1, 4);
    fake_start(&fake, table, 1);
    uint8_t seat = eng_seat_to_move(&table->game);
    if (seat != 0)
        cr_assert_null(fake.pending, "watched: thinking");
    tab_quit(table, 0, &fake.sockets[0]);
    for (int k = 0; k < 50 && eng_seat_to_move(&table->game) != 0; k++)
        cr_assert(fake_commit(&fake), "no time passes");
    cr_assert_eq(eng_seat_to_move(&table->game), 0);
    fake_close(&fake);
}

/* ---- Leaving, failing, pausing, draining ---- */
Test(playing, a_leaver_is_gone_for_good_and_a_bot_plays_on)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    struct tab_command leave = {.kind = TAB_DO_LEAVE, .seat = 1, .id = "l"};
    tab_command(table, &leave);
    cr_assert_eq(fake.sockets[1].close_code, 0);
    cr_assert(fake_commit(&fake));
    HAS(fake_last(&fake, 1), "{\"t\":\"ack\",\"id\":\"l\"");
    cr_assert_eq(fake.sockets[1].close_code, TAB_CLOSE_LEFT);
    cr_assert(tab_has_left(table, 1));
    cr_assert_eq(fake_count(&fake, 0, "\"t\":\"left\",\"seat\":1"), 1);
    fake_close(&fake);
}

Test(playing, a_write_that_fails_for_good_closes_the_table_here)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    struct tab_command next = fake_next(table, "n");
    tab_command(table, &next);
    for (int i = 0; i < 4; i++)
        fake_forget(&fake, i);
    fake.next_result = TAB_WRITE_FAILED;
    cr_assert(fake_commit(&fake));
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(fake.sockets[i].close_code, TAB_CLOSE_INTERNAL);
        cr_assert_eq(fake.sockets[i].n, 0, "nobody hears of it");
    }
    cr_assert_null(tab_registry_find(&fake.registry, 7));
    fake_close(&fake);
}

Test(outage, clocks_stand_still_and_commands_are_refused)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    fake_pass(&fake, 10000);
    tab_outage_begin(&fake.registry);
    HAS(fake_last(&fake, 0), "{\"t\":\"paused\",\"d\":{}}");
    fake_pass(&fake, 3600000);
    cr_assert_null(fake.pending);
    struct tab_command next = fake_next(table, "n");
    tab_command(table, &next);
    HAS(fake_last(&fake, next.seat), "\"code\":\"paused\"");
    tab_outage_end(&fake.registry);
    cr_assert_eq(fake_count(&fake, 0, "{\"t\":\"resumed\",\"d\":{}}"), 1);
    HAS(fake_last(&fake, 0), "\"ms_left\":20000,\"turn_ms\":30000");
    tab_command(table, &next);
    cr_assert_not_null(fake.pending, "the same id may be tried again");
    fake_close(&fake);
}

Test(outage, what_was_on_its_way_is_answered_when_it_is_durable)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    struct tab_command next = fake_next(table, "n");
    tab_command(table, &next);
    tab_outage_begin(&fake.registry);
    fake_pass(&fake, 60000);
    cr_assert_eq(fake_count(&fake, next.seat, "\"t\":\"ack\""), 1, "its seed");
    tab_outage_end(&fake.registry);
    cr_assert(fake_commit(&fake));
    HAS(fake_last(&fake, next.seat), "{\"t\":\"ack\",\"id\":\"n\"");
    fake_close(&fake);
}

Test(drain, everybody_is_told_and_nothing_is_begun)
{
    struct tab_table *table = fake_open(&fake, 1, 4);
    fake_start(&fake, table, 1);
    tab_registry_drain(&fake.registry, 1000);
    HAS(fake_last(&fake, 0), "{\"t\":\"restarting\",\"d\":{\"retry_ms\":1000}}");
    cr_assert_eq(fake.sockets[0].close_code, TAB_CLOSE_RESTARTING);
    fake_settle_down(&fake);
    fake_pass(&fake, 3600000);
    cr_assert_null(fake.pending);
    (void)table;
    fake_close(&fake);
}
