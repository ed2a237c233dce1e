/* Spectators with fake ports: what they see, when, and what they never see. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/state.h"
#include "tests/tables/fake.h"

static struct fake fake;

enum { W = 4 }; /* the first spectator's socket; seats have 0..3 */

/* Every frame of a socket, one per line. */
static const char *all(int socket)
{
    static char text[1 << 20];
    size_t len = 0;
    for (int i = 0; i < fake.sockets[socket].n; i++)
        len += (size_t)snprintf(text + len, sizeof(text) - len, "%s\n", fake.sockets[socket].frames[i]);
    return text;
}

/* The version of the last event sent to a socket. */
static unsigned last_v(int socket)
{
    unsigned v = 0;
    for (int i = 0; i < fake.sockets[socket].n; i++)
        if (sscanf(fake.sockets[socket].frames[i], "{\"v\":%u", &v) != 1 &&
            strncmp(fake.sockets[socket].frames[i], "{\"t\":\"snapshot\",\"v\":", 20) == 0)
            v = (unsigned)strtoul(fake.sockets[socket].frames[i] + 20, NULL, 10);
    return v;
}

/* Versions of the events on a socket are consecutive. */
static void no_gap(int socket)
{
    unsigned before = 0, v;
    for (int i = 0; i < fake.sockets[socket].n; i++) {
        if (sscanf(fake.sockets[socket].frames[i], "{\"v\":%u", &v) != 1)
            continue;
        cr_assert(before == 0 || v == before + 1, "%u after %u", v, before);
        before = v;
    }
}

static void play_turns(struct tab_table *table, int n)
{
    char name[24];
    static unsigned id;
    while (n > 0) {
        (void)snprintf(name, sizeof(name), "w-%u", id++);
        struct tab_command next = fake_next(table, name);
        n -= next.move.type == ENG_DISCARD;
        tab_command(table, &next);
        cr_assert(fake_commit(&fake));
    }
}

Test(spectators, see_the_table_fill_start_and_continue_without_a_hand)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    cr_assert(tab_spectate(table, &fake.sockets[W], -1, 0));
    HAS(fake.sockets[W].frames[0], "{\"t\":\"waiting\"");
    fake_start(&fake, table, 4);
    HAS(fake_last(&fake, W), "{\"t\":\"snapshot\"");
    HAS(fake_last(&fake, W), "\"me\":null");
    HAS(fake_last(&fake, W), "\"hand\":[]");
    play_turns(table, 8);
    no_gap(W);
    cr_assert_eq(last_v(W), table->events.last_v);
    HAS(all(W), "\"t\":\"discarded\"");
    LACKS(all(W), "\"from\":\"stock\",\"card\"");
    LACKS(all(W), "\"t\":\"ack\"");
    HAS(all(0), "\"from\":\"stock\",\"card\"");
    fake_close(&fake);
}

Test(spectators, a_late_spectator_gets_a_snapshot_or_the_missed_events)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    play_turns(table, 3);
    cr_assert(tab_spectate(table, &fake.sockets[W], -1, 0));
    cr_assert(tab_spectate(table, &fake.sockets[W + 1], (int64_t)table->events.last_v - 4, 0));
    HAS(fake.sockets[W].frames[0], "{\"t\":\"snapshot\"");
    cr_assert_eq(fake_count(&fake, W + 1, "{\"v\":"), 4);
    cr_assert_eq(fake_count(&fake, W + 1, "snapshot"), 0);
    HAS(fake_last(&fake, W + 1), "{\"t\":\"clock\"");
    play_turns(table, 2);
    no_gap(W + 1);
    cr_assert_eq(last_v(W), last_v(W + 1));
    fake_close(&fake);
}

Test(spectators, see_nothing_before_it_is_committed)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    uint8_t seat = eng_seat_to_move(&table->game);
    cr_assert(tab_spectate(table, &fake.sockets[W], -1, 0));
    struct tab_command next = fake_next(table, "a");
    tab_command(table, &next);
    int before = fake.sockets[W].n;
    cr_assert(tab_spectate(table, &fake.sockets[W + 1], -1, 0));
    cr_assert_eq(fake.sockets[W + 1].n, 0, "new spectators wait");
    cr_assert_eq(fake.sockets[W].n, before);
    cr_assert(fake_commit(&fake));
    cr_assert_eq(last_v(W), table->events.last_v);
    cr_assert_eq(last_v(W + 1), table->events.last_v);
    cr_assert_lt(seat, 4);
    fake_close(&fake);
}

Test(spectators, seats_get_the_spectator_count_at_a_limited_rate)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    for (int i = 0; i < 3; i++)
        cr_assert(tab_spectate(table, &fake.sockets[W + i], -1, 0));
    cr_assert_eq(fake_count(&fake, 0, "{\"t\":\"watchers\",\"d\":{\"n\":1}}"), 1);
    cr_assert_eq(fake_count(&fake, 0, "watchers"), 1);
    fake_pass(&fake, 1000);
    cr_assert_eq(fake_count(&fake, 0, "{\"t\":\"watchers\",\"d\":{\"n\":3}}"), 1);
    cr_assert_eq(fake_count(&fake, W, "watchers"), 0);
    for (int i = 0; i < 3; i++)
        tab_unspectate(table, &fake.sockets[W + i]);
    fake_pass(&fake, 1000);
    HAS(fake_last(&fake, 0), "{\"t\":\"watchers\",\"d\":{\"n\":0}}");
    cr_assert(tab_spectate(table, &fake.sockets[W + 3], -1, 0));
    fake_pass(&fake, 1000);
    tab_join(table, 1, &fake.sockets[W + 1], -1);
    cr_assert_eq(fake_count(&fake, W + 1, "{\"t\":\"watchers\",\"d\":{\"n\":1}}"), 1,
                 "who comes later hears it too");
    int before = fake.sockets[W].n;
    play_turns(table, 1);
    cr_assert_eq(fake.sockets[W].n, before, "nothing is sent to a closed socket");
    fake_close(&fake);
}

Test(spectators, a_delayed_spectator_sees_the_table_as_it_was)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    play_turns(table, 2);
    uint32_t then = table->events.last_v;
    cr_assert(tab_spectate(table, &fake.sockets[W], -1, 5000));
    cr_assert_eq(fake.sockets[W].n, 0, "the first one waits as long as the delay");
    fake_pass(&fake, 3000);
    play_turns(table, 2);
    uint32_t later = table->events.last_v;
    fake_pass(&fake, 2000);
    cr_assert_eq(last_v(W), then);
    HAS(fake.sockets[W].frames[0], "{\"t\":\"snapshot\"");
    cr_assert_eq(fake_count(&fake, W, "\"t\":\"clock\""), 0);
    cr_assert_eq(fake_count(&fake, W, "{\"v\":"), 0);
    fake_pass(&fake, 2999);
    cr_assert_eq(last_v(W), then);
    fake_pass(&fake, 1);
    cr_assert_eq(last_v(W), later);
    no_gap(W);
    /* A new spectator sees the same old state at once. */
    play_turns(table, 1);
    cr_assert(tab_spectate(table, &fake.sockets[W + 1], -1, 5000));
    cr_assert_eq(last_v(W + 1), later);
    fake_pass(&fake, 5000);
    cr_assert_eq(last_v(W + 1), table->events.last_v);
    cr_assert_eq(last_v(W), table->events.last_v);
    no_gap(W + 1);
    fake_close(&fake);
}

Test(spectators, a_delayed_spectator_from_before_the_deal_is_delayed_too)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    cr_assert(tab_spectate(table, &fake.sockets[W], -1, 5000));
    fake_start(&fake, table, 4);
    uint32_t dealt = table->events.last_v;
    cr_assert_eq(last_v(W), dealt);
    play_turns(table, 2);
    cr_assert_eq(last_v(W), dealt);
    fake_pass(&fake, 5000);
    cr_assert_eq(last_v(W), table->events.last_v);
    no_gap(W);
    fake_close(&fake);
}

static void play_to_the_end(struct tab_table *table)
{
    for (uint8_t i = 0; i < 4; i++) {
        struct tab_command leave = {.kind = TAB_DO_LEAVE, .seat = i, .id = "leave"};
        tab_command(table, &leave);
        fake_settle_down(&fake);
    }
    while (table->state != TAB_OVER) {
        fake_pass(&fake, 1000);
        fake_settle_down(&fake);
    }
}

Test(spectators, all_spectators_see_every_hand_once_the_hand_is_over)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    cr_assert(tab_spectate(table, &fake.sockets[W], -1, 0));
    play_to_the_end(table);
    cr_assert_eq(fake_count(&fake, W, "\"t\":\"scored\""), 4);
    HAS(fake.sockets[W].frames[fake.sockets[W].n - 2], "{\"t\":\"settled\"");
    HAS(fake.sockets[W].frames[fake.sockets[W].n - 2], "\"silver\":null");
    LACKS(fake.sockets[W].frames[fake.sockets[W].n - 2], "\"silver\":20");
    HAS(fake_last(&fake, W), "\"server_seed\":\"0001");
    cr_assert(tab_spectate(table, &fake.sockets[W + 1], -1, 60000));
    HAS(fake_last(&fake, W + 1), "{\"t\":\"fairness\"");
    fake_pass(&fake, 60000);
    cr_assert_eq(fake.sockets[W].close_code, WIRE_CLOSE_OVER);
    fake_close(&fake);
}

Test(spectators, a_delayed_spectator_gets_the_end_of_the_hand_at_once)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    cr_assert(tab_spectate(table, &fake.sockets[W], -1, 3600000));
    fake_start(&fake, table, 4);
    play_to_the_end(table);
    cr_assert_eq(last_v(W), table->events.last_v);
    cr_assert_eq(fake_count(&fake, W, "\"t\":\"scored\""), 4);
    HAS(fake_last(&fake, W), "{\"t\":\"fairness\"");
    fake_close(&fake);
}

Test(spectators, get_outage_and_restart_notices_too)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    cr_assert(tab_spectate(table, &fake.sockets[W], -1, 0));
    cr_assert(tab_spectate(table, &fake.sockets[W + 1], -1, 0));
    tab_outage_begin(&fake.registry, true);
    HAS(fake_last(&fake, W), "{\"t\":\"paused\"");
    tab_outage_end(&fake.registry);
    HAS(all(W), "{\"t\":\"resumed\"");
    tab_registry_drain(&fake.registry, 500);
    HAS(fake_last(&fake, W), "{\"t\":\"restarting\"");
    cr_assert_eq(fake.sockets[W].close_code, WIRE_CLOSE_RESTARTING);
    cr_assert_eq(fake.sockets[W + 1].close_code, WIRE_CLOSE_RESTARTING);
    fake_close(&fake);
}

/* Counts what the table sends, without keeping it. */
static size_t sends, sent_to;
static void count_send(void *ctx, tab_socket *const *sockets, size_t n, const char *json, size_t len)
{
    (void)ctx;
    (void)sockets;
    (void)json;
    cr_assert_gt(len, 0);
    sends++;
    sent_to += n;
}

Test(spectators, a_thousand_share_one_frame_per_event_and_two_thousand_is_the_limit)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    struct srv_socket *many = calloc(TAB_SPECTATORS_MAX + 1, sizeof(*many));
    cr_assert_not_null(many);
    fake.registry.ports.send = count_send;
    for (int i = 0; i < 1000; i++)
        cr_assert(tab_spectate(table, &many[i], -1, 0));
    fake_pass(&fake, 1000);
    play_turns(table, 1);
    cr_assert_eq(eng_phase(&table->game), ENG_TO_DRAW);
    uint32_t before = table->events.last_v;
    sends = sent_to = 0;
    struct tab_command next = fake_next(table, "a");
    tab_command(table, &next);
    cr_assert(fake_commit(&fake));
    cr_assert_eq(table->events.last_v, before + 1);
    /* The recipients of one draw: three seats, the player who draws, a thousand spectators, and the ack. */
    cr_assert_eq(sends, 4);
    cr_assert_eq(sent_to, 1005);
    for (int i = 1000; i < TAB_SPECTATORS_MAX; i++)
        cr_assert(tab_spectate(table, &many[i], -1, 0));
    cr_assert_not(tab_spectate(table, &many[TAB_SPECTATORS_MAX], -1, 0));
    for (int i = 0; i < TAB_SPECTATORS_MAX; i++)
        tab_unspectate(table, &many[i]);
    cr_assert_eq(tab_spectators_count(table), 0);
    fake_close(&fake);
    free(many);
}
