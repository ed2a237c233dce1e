/* The time bank of a player with a bad connection. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/tables/fake.h"

static struct fake fake;

enum { TURN = 30000, TIME_BANK = 10000 };

static struct tab_table *begin(void)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake.registry.limits.time_bank_ms = TIME_BANK;
    fake_start(&fake, table, 4);
    return table;
}

/* The seat to move loses its connection. */
static uint8_t cut(struct tab_table *table)
{
    uint8_t seat = eng_seat_to_move(&table->game);
    tab_quit(table, seat, &fake.sockets[seat]);
    return seat;
}

Test(time_bank, is_not_used_by_a_connected_player)
{
    (void)begin();
    fake_pass(&fake, TURN - 1);
    cr_assert_null(fake.pending);
    fake_pass(&fake, 1);
    cr_assert_not_null(fake.pending, "their time is up");
    fake_settle_down(&fake);
    fake_close(&fake);
}

Test(time_bank, is_used_if_the_connection_was_lost_during_the_turn)
{
    struct tab_table *table = begin();
    uint8_t seat = cut(table);
    fake_pass(&fake, TURN);
    cr_assert_null(fake.pending);
    cr_assert_eq(fake_count(&fake, (seat + 1) % 4, "\"ms_left\":10000"), 1, "the others see it");
    fake_pass(&fake, 6000);
    cr_assert_null(fake.pending);
    /* The player reconnects and moves; 4 s remain in the time bank. */
    tab_join(table, seat, &fake.sockets[4], -1);
    fake_play_to_seat(&fake, table, (uint8_t)((seat + 1) % 4));
    cr_assert_eq(table->seats[seat].time_bank_used_ms, 6000);
    fake_play_to_seat(&fake, table, seat);
    tab_quit(table, seat, &fake.sockets[4]);
    fake_pass(&fake, TURN);
    cr_assert_null(fake.pending);
    fake_pass(&fake, 3999);
    cr_assert_null(fake.pending);
    fake_pass(&fake, 1);
    cr_assert_not_null(fake.pending, "nothing is left");
    fake_settle_down(&fake);
    cr_assert_eq(table->seats[seat].time_bank_used_ms, TIME_BANK);
    fake_close(&fake);
}

/* Starts the next process, which loads the table from its rows; the pending write was lost. */
static struct tab_table *restart(struct tab_registry *again)
{
    static struct tab_load_move moves[FAKE_ROWS_MAX];
    const struct tab_limits limits = {.table_max = 4, .time_bank_ms = TIME_BANK, .linger_ms = 1000};
    struct tab_ports ports = fake.registry.ports;
    struct tab_table *taken;
    fake.pending = NULL;
    for (size_t i = 0; i < fake.rows_n; i++)
        moves[i] = fake.rows[i].row;
    fake.load.moves = moves;
    fake.load.moves_n = fake.rows_n;
    cr_assert(tab_registry_init(again, &ports, &limits));
    cr_assert_eq(tab_registry_load(again, &fake.load, &taken), TAB_LOADED);
    fake.pending = NULL;
    return taken;
}

Test(time_bank, use_survives_a_restart)
{
    struct tab_table *table = begin();
    uint8_t seat = cut(table);
    fake_pass(&fake, TURN);
    fake_pass(&fake, 7000);
    fake_play_to_seat(&fake, table, (uint8_t)((seat + 1) % 4));
    cr_assert_eq(table->seats[seat].time_bank_used_ms, 7000);
    fake_pass(&fake, 3600000); /* an hour without a process is not deducted from any time bank */
    struct tab_registry again;
    struct tab_table *taken = restart(&again);
    cr_assert_eq(taken->seats[seat].time_bank_used_ms, 7000);
    cr_assert_eq(taken->seats[(seat + 1) % 4].time_bank_used_ms, 0);
    tab_registry_free(&again);
    fake_close(&fake);
}

Test(time_bank, use_in_an_earlier_hand_survives_a_restart)
{
    struct tab_table *table = fake_open_variant(&fake, "treff", "", 2, 2);
    fake.registry.limits.time_bank_ms = TIME_BANK;
    fake_start(&fake, table, 2);
    uint8_t seat = cut(table);
    tab_quit(table, (uint8_t)(1 - seat), &fake.sockets[1 - seat]);
    fake_pass(&fake, TURN);
    fake_pass(&fake, 7000);
    fake_play_to_seat(&fake, table, (uint8_t)(1 - seat));
    cr_assert_eq(table->seats[seat].time_bank_used_ms, 7000);
    fake.registry.limits.time_bank_ms = 0; /* the rest without time banks */
    for (int i = 0; i < 20000 && table->dealt_no < 2; i++)
        if (!fake_commit(&fake))
            fake_pass(&fake, TURN);
    cr_assert_eq(table->dealt_no, 2);
    struct tab_registry again;
    struct tab_table *taken = restart(&again);
    cr_assert_eq(taken->dealt_no, 2);
    cr_assert_eq(taken->seats[seat].time_bank_used_ms, 7000);
    tab_registry_free(&again);
    fake_close(&fake);
}

/* A pool for two, whose hand ends with a drop by a player who is using their time bank. Returns the
 * player's seat. */
static uint8_t end_hand_in_time_bank(struct tab_table **out)
{
    struct tab_table *table = *out = fake_open_variant(&fake, "pool101", "", 2, 2);
    fake.registry.limits.time_bank_ms = TIME_BANK;
    fake_start(&fake, table, 2);
    uint8_t seat = cut(table);
    fake_pass(&fake, TURN);
    fake_pass(&fake, 6000);
    tab_join(table, seat, &fake.sockets[4], -1);
    struct tab_command drop = fake_move(seat, "drop", ENG_DROP);
    tab_command(table, &drop);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_HAND);
    cr_assert_eq(fake.pending->time_bank_ms, 6000);
    cr_assert(fake_commit(&fake));
    return seat;
}

Test(time_bank, use_by_the_last_move_of_a_hand_is_counted_once)
{
    struct tab_table *table;
    uint8_t seat = end_hand_in_time_bank(&table);
    cr_assert_eq(table->seats[seat].time_bank_used_ms, 6000);
    fake_pass(&fake, 8000);
    fake_settle_down(&fake);
    cr_assert_eq(table->dealt_no, 2);
    cr_assert_eq(table->seats[seat].time_bank_used_ms, 6000, "%lld ms",
                 (long long)table->seats[seat].time_bank_used_ms);
    fake_close(&fake);
}

Test(time_bank, is_not_charged_for_a_move_between_two_hands)
{
    struct tab_table *table;
    uint8_t seat = end_hand_in_time_bank(&table);
    struct tab_command leave = {.kind = TAB_DO_LEAVE, .seat = seat, .id = "leave"};
    tab_command(table, &leave);
    cr_assert_not_null(fake.pending);
    cr_assert_eq(fake.pending->time_bank_ms, 0, "%lld ms", (long long)fake.pending->time_bank_ms);
    fake_settle_down(&fake);
    fake_close(&fake);
}

/* The wall clock is set forward or back by hours. Deadlines use the monotonic clock, and values read from
 * the rows are limited to the length of a turn. */
static void jump_and_restart(int64_t by_ms)
{
    struct tab_table *table = begin();
    uint8_t seat = eng_seat_to_move(&table->game);
    fake_pass(&fake, 10000);
    int64_t turn_ms = table->turn_ms;
    fake.wall_off_ms = by_ms;
    fake_pass(&fake, 10000);
    cr_assert_null(fake.pending, "no one's time is up");
    cr_assert_eq(table->turn_ms, turn_ms);
    fake.load.heard_unix_ms = fake.registry.ports.unix_ms(&fake);
    struct tab_registry again;
    struct tab_table *taken = restart(&again);
    int64_t left = taken->turn_ms - fake.now_ms;
    cr_assert(left >= TAB_RECOVER_LEFT_MS && left <= TURN, "%lld ms are left", (long long)left);
    cr_assert_eq(taken->seats[seat].time_bank_used_ms, 0);
    tab_registry_free(&again);
    fake_pass(&fake, 9999);
    cr_assert_null(fake.pending);
    fake_pass(&fake, 1);
    cr_assert_not_null(fake.pending, "and now it is");
    fake_settle_down(&fake);
    fake_close(&fake);
}

Test(time_bank, and_turn_ignore_a_wall_clock_moved_forward)
{
    jump_and_restart(5 * 3600000);
}

Test(time_bank, and_turn_ignore_a_wall_clock_moved_back)
{
    jump_and_restart(-5 * 3600000);
}
