/* The reserve of a player with a bad line. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/tables/fake.h"

static struct fake fake;

enum { TURN = 30000, RESERVE = 10000 };

static struct tab_table *begin(void)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake.hall.limits.reserve_ms = RESERVE;
    fake_start(&fake, table, 4);
    return table;
}

/* The seat to move loses its line. */
static uint8_t cut(struct tab_table *table)
{
    uint8_t seat = eng_seat_to_move(&table->game);
    tab_quit(table, seat, &fake.sockets[seat]);
    return seat;
}

Test(reserve, is_not_for_one_who_only_thinks)
{
    (void)begin();
    fake_pass(&fake, TURN - 1);
    cr_assert_null(fake.pending);
    fake_pass(&fake, 1);
    cr_assert_not_null(fake.pending, "his time is up");
    fake_settle_down(&fake);
    fake_close(&fake);
}

Test(reserve, goes_on_when_the_line_was_lost_in_the_turn)
{
    struct tab_table *table = begin();
    uint8_t seat = cut(table);
    fake_pass(&fake, TURN);
    cr_assert_null(fake.pending);
    cr_assert_eq(fake_count(&fake, (seat + 1) % 4, "\"ms_left\":10000"), 1, "the others see it");
    fake_pass(&fake, 6000);
    cr_assert_null(fake.pending);
    /* He is back and moves: four seconds are left for another time. */
    tab_join(table, seat, &fake.sockets[4], -1);
    fake_play_to_seat(&fake, table, (uint8_t)((seat + 1) % 4));
    cr_assert_eq(table->seats[seat].reserve_used_ms, 6000);
    fake_play_to_seat(&fake, table, seat);
    tab_quit(table, seat, &fake.sockets[4]);
    fake_pass(&fake, TURN);
    cr_assert_null(fake.pending);
    fake_pass(&fake, 3999);
    cr_assert_null(fake.pending);
    fake_pass(&fake, 1);
    cr_assert_not_null(fake.pending, "nothing is left");
    fake_settle_down(&fake);
    cr_assert_eq(table->seats[seat].reserve_used_ms, RESERVE);
    fake_close(&fake);
}

Test(reserve, is_used_up_over_a_restart_too)
{
    struct tab_table *table = begin();
    uint8_t seat = cut(table);
    fake_pass(&fake, TURN);
    fake_pass(&fake, 7000);
    fake_play_to_seat(&fake, table, (uint8_t)((seat + 1) % 4));
    cr_assert_eq(table->seats[seat].reserve_used_ms, 7000);
    struct tab_load_move moves[64];
    cr_assert_leq(fake.rows_n, 64);
    for (size_t i = 0; i < fake.rows_n; i++)
        moves[i] = fake.rows[i].row;
    fake.load.moves = moves;
    fake.load.moves_n = fake.rows_n;
    struct tab_hall again;
    struct tab_table *taken;
    const struct tab_limits limits = {.table_max = 4, .reserve_ms = RESERVE, .linger_ms = 1000};
    struct tab_ports ports = fake.hall.ports;
    cr_assert(tab_hall_init(&again, &ports, &limits));
    cr_assert_eq(tab_hall_load(&again, &fake.load, &taken), TAB_LOADED);
    cr_assert_eq(taken->seats[seat].reserve_used_ms, 7000);
    cr_assert_eq(taken->seats[(seat + 1) % 4].reserve_used_ms, 0);
    tab_hall_free(&again);
    fake_close(&fake);
}
