/* Commands of a running session: late ones, returning, leaving. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/tables/fake.h"

static struct fake fake;

Test(session, a_stale_base_is_refused)
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

Test(session, any_move_of_an_away_player_brings_them_back)
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

Test(session, a_player_who_leaves_is_disconnected_for_good)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    struct tab_command leave = {.kind = TAB_DO_LEAVE, .seat = 1, .id = "l"};
    tab_command(table, &leave);
    cr_assert_eq(fake.sockets[1].close_code, 0);
    cr_assert(fake_commit(&fake));
    HAS(fake_last(&fake, 1), "{\"t\":\"ack\",\"id\":\"l\"");
    cr_assert_eq(fake.sockets[1].close_code, WIRE_CLOSE_LEFT);
    cr_assert(tab_has_left(table, 1));
    cr_assert_eq(fake_count(&fake, 0, "\"t\":\"left\",\"seat\":1"), 1);
    fake_close(&fake);
}
