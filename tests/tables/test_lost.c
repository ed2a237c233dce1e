/* A table that cannot continue: writes that are permanently rejected, and rows that do not replay. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/tables/fake.h"

static struct fake fake;

/* The pending write is permanently rejected, and no client is notified. */
static void refuse(struct tab_table *table)
{
    struct tab_write *write = fake.pending;
    for (int i = 0; i < FAKE_SOCKETS; i++)
        fake_forget(&fake, i);
    (void)strcpy(write->why, "the \"books\" say no");
    fake.next_result = TAB_WRITE_FAILED;
    fake.next_code = "P0001";
    cr_assert(fake_commit(&fake));
    fake.next_code = NULL;
    cr_assert_eq(table->state, TAB_LOST);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_LOSE);
    for (int i = 0; i < FAKE_SOCKETS; i++)
        cr_assert(fake.sockets[i].n == 0 && fake.sockets[i].close_code == 0,
                  "nothing is sent before it is written");
}

static void expect_closed(int people, int code)
{
    for (int i = 0; i < people; i++) {
        cr_assert_eq(fake.sockets[i].close_code, code);
        fake.sockets[i].close_code = 0;
    }
    cr_assert_null(tab_registry_find(&fake.registry, 7));
}

static struct tab_table *start(int people)
{
    struct tab_table *table = fake_open(&fake, people, 4);
    fake_start(&fake, table, people);
    return table;
}

static void begin_move(struct tab_table *table, const char *id)
{
    struct tab_command next = fake_next(table, id);
    tab_command(table, &next);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_MOVE);
}

Test(lost, a_permanently_refused_write_is_recorded_and_reported_once)
{
    struct tab_table *table = start(4);
    begin_move(table, "n");
    uint32_t v = fake.pending->v;
    refuse(table);
    const struct tab_write *write = fake.pending;
    cr_assert_str_eq(write->more->loss, "write_refused");
    char data[200];
    (void)snprintf(data, sizeof(data),
                   "{\"write\":\"move\",\"v\":%u,\"code\":\"P0001\",\"why\":\"the \\\"books\\\" say no\"}",
                   v);
    cr_assert_str_eq(write->more->loss_data, data);
    cr_assert_eq(memcmp(write->more->record, "[Rummyd \"1\"]", 12), 0);
    cr_assert_null(strstr(write->more->record, "\nresult "), "a hand that was not over");
    struct tab_command next = fake_next(table, "later");
    tab_command(table, &next);
    tab_join(table, 2, &fake.sockets[4], -1);
    cr_assert(fake.sockets[2].close_code == WIRE_CLOSE_REPLACED && fake.sockets[4].n == 0);
    cr_assert(fake_commit(&fake));
    cr_assert_eq(fake.sockets[4].close_code, WIRE_CLOSE_LOST);
    fake.sockets[2].close_code = WIRE_CLOSE_LOST;
    expect_closed(4, WIRE_CLOSE_LOST);
    cr_assert_eq(fake.registry.counts.lost, 1);
    cr_assert_eq(fake.registry.writing_n, 0);
    fake_close(&fake);
}

Test(lost, any_database_error_text_is_recorded)
{
    struct tab_table *table = start(4);
    begin_move(table, "n");
    fake.next_result = TAB_WRITE_FAILED;
    fake.next_code =
        "\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01"
        "\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01";
    memset(fake.pending->why, 1, sizeof(fake.pending->why) - 1);
    cr_assert(fake_commit(&fake));
    const char *data = fake.pending->more->loss_data;
    cr_assert_eq(strlen(data), strlen("{\"write\":\"move\",\"v\":7,\"code\":\"\",\"why\":\"\"}") +
                                   6 * (TAB_CODE_MAX - 1 + TAB_WHY_MAX - 1));
    cr_assert_eq(data[strlen(data) - 1], '}');
    fake_close(&fake);
}

Test(lost, a_refused_settlement_keeps_the_record_of_its_hand)
{
    struct tab_table *table = start(1);
    tab_quit(table, 0, &fake.sockets[0]);
    for (int i = 0; i < 4000 && !(fake.pending && fake.pending->kind == TAB_WRITE_SETTLE); i++)
        if (!fake_commit(&fake))
            fake_pass(&fake, 30000);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_SETTLE);
    refuse(table);
    HAS(fake.pending->more->loss_data, "\"write\":\"settle\"");
    cr_assert_not_null(strstr(fake.pending->more->record, "\nresult "));
    cr_assert(fake_commit(&fake));
    cr_assert_null(tab_registry_find(&fake.registry, 7));
    fake_close(&fake);
}

Test(lost, a_waiting_table_can_be_lost_too)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    for (uint8_t i = 0; i < 4; i++)
        tab_join(table, i, &fake.sockets[i], -1);
    fake_pass(&fake, 5000);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_START);
    refuse(table);
    HAS(fake.pending->more->loss_data, "{\"write\":\"start\",\"code\"");
    cr_assert_null(fake.pending->more->record, "no card was dealt");
    cr_assert(fake_commit(&fake));
    expect_closed(4, WIRE_CLOSE_LOST);
    fake_close(&fake);
}

Test(lost, clients_are_not_notified_while_the_database_is_unavailable)
{
    struct tab_table *table = start(4);
    begin_move(table, "n");
    tab_outage_begin(&fake.registry, true);
    for (int i = 0; i < 4; i++)
        fake_forget(&fake, i);
    fake.next_result = TAB_WRITE_FAILED;
    cr_assert(fake_commit(&fake));
    fake_pass(&fake, 3600000);
    cr_assert(!fake.pending && table->state == TAB_LOST);
    cr_assert_eq(fake.sockets[0].close_code, 0);
    tab_outage_end(&fake.registry);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_LOSE);
    cr_assert(fake_commit(&fake));
    expect_closed(4, WIRE_CLOSE_LOST);
    fake_close(&fake);
}

Test(lost, a_lost_table_can_still_be_canceled_by_an_operator)
{
    struct tab_table *table = start(4);
    begin_move(table, "n");
    tab_cancel(table);
    refuse(table);
    cr_assert(fake_commit(&fake));
    cr_assert_eq(fake.pending->kind, TAB_WRITE_CANCEL);
    cr_assert(fake_commit(&fake));
    HAS(fake_last(&fake, 0), "{\"t\":\"cancelled\",\"d\":{\"reason\":\"by_operator\"}}");
    expect_closed(4, WIRE_CLOSE_OVER);
    fake_close(&fake);
}

Test(lost, a_refused_cancellation_ends_in_a_loss_without_looping)
{
    struct tab_table *table = start(4);
    tab_cancel(table);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_CANCEL);
    refuse(table);
    cr_assert(fake_commit(&fake));
    cr_assert_eq(fake.pending->kind, TAB_WRITE_CANCEL, "as of a lost table, which may pass");
    fake.next_result = TAB_WRITE_FAILED;
    cr_assert(fake_commit(&fake));
    cr_assert_eq(fake.pending->kind, TAB_WRITE_LOSE);
    cr_assert(fake_commit(&fake));
    cr_assert_null(fake.pending);
    expect_closed(4, WIRE_CLOSE_LOST);
    fake_close(&fake);
}

Test(lost, a_loss_that_cannot_be_written_only_closes_the_connections)
{
    const struct {
        enum tab_write_result result;
        int code;
    } ends[] = {{TAB_WRITE_FAILED, WIRE_CLOSE_INTERNAL}, {TAB_WRITE_REFUSED, WIRE_CLOSE_OVER}};
    for (int i = 0; i < 2; i++) {
        struct tab_table *table = start(4);
        begin_move(table, "n");
        refuse(table);
        fake.next_result = ends[i].result;
        cr_assert(fake_commit(&fake));
        expect_closed(4, ends[i].code);
        cr_assert_eq(fake.registry.counts.lost, 0);
        fake_close(&fake);
    }
}

/* The rows of a running table, as the next process finds them. */
static struct tab_load rows_of(struct tab_load_move *moves)
{
    struct tab_load load = fake.load;
    for (size_t i = 0; i < fake.rows_n; i++)
        moves[i] = fake.rows[i].row;
    load.id = 8;
    load.moves = moves;
    load.moves_n = fake.rows_n;
    return load;
}

Test(lost, a_table_whose_rows_do_not_replay_is_lost)
{
    static struct tab_load_move moves[FAKE_ROWS_MAX];
    struct tab_table *table = start(4), *again;
    for (int turn = 0; turn < 8; turn++)
        fake_play_to_seat(&fake, table, (uint8_t)((eng_seat_to_move(&table->game) + 1) % 4));
    struct tab_load load = rows_of(moves);
    load.id = 7; /* part of the deal's key */
    tab_registry_drop(table, WIRE_CLOSE_OVER);
    for (int i = 0; i < 4; i++)
        fake.sockets[i].close_code = 0;
    moves[9].hash ^= 0x100;
    cr_assert_eq(tab_registry_load(&fake.registry, &load, &again), TAB_LOAD_LOST);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_LOSE);
    cr_assert_str_eq(fake.pending->more->loss, "replay_differs");
    char data[60];
    (void)snprintf(data, sizeof(data), "{\"what\":\"hash\",\"hand_no\":1,\"v\":%u,", moves[9].v);
    HAS(fake.pending->more->loss_data, data);
    cr_assert_not_null(fake.pending->more->record, "the replayable part of the record");
    cr_assert_not(tab_has_left(again, 1));
    tab_join(again, 1, &fake.sockets[1], -1);
    cr_assert(fake_commit(&fake));
    cr_assert_eq(fake.sockets[1].close_code, WIRE_CLOSE_LOST);
    cr_assert_null(tab_registry_find(&fake.registry, 7));
    load.state = "lost";
    cr_assert_eq(tab_registry_load(&fake.registry, &load, &again), TAB_LOAD_LOST);
    cr_assert_null(again, "it is not checked again");
    cr_assert_null(fake.pending);
    fake_close(&fake);
}

Test(lost, unreadable_rows_have_no_game_but_keep_their_players)
{
    struct tab_table *again;
    (void)fake_open(&fake, 4, 4);
    struct tab_load load = fake.load;
    load.id = 8;
    load.state = "playing";
    load.unreadable = true;
    cr_assert_eq(tab_registry_load(&fake.registry, &load, &again), TAB_LOAD_LOST);
    HAS(fake.pending->more->loss_data, "{\"what\":\"rows\"}");
    cr_assert_null(fake.pending->more->record);
    tab_join(again, 3, &fake.sockets[3], 5);
    tab_quit(again, 3, &fake.sockets[3]);
    tab_join(again, 3, &fake.sockets[4], 5);
    cr_assert(tab_spectate(again, &fake.sockets[5], -1, 0));
    tab_cancel(again);
    cr_assert(fake_commit(&fake));
    cr_assert_eq(fake.pending->kind, TAB_WRITE_CANCEL);
    cr_assert(fake_commit(&fake));
    cr_assert_eq(fake.sockets[4].close_code, WIRE_CLOSE_OVER);
    cr_assert_eq(fake.sockets[5].close_code, WIRE_CLOSE_OVER);
    fake_close(&fake);
}
