/* Turns: the clock, and bots. */
#include <criterion/criterion.h>

#include "tests/tables/fake.h"

static struct fake fake;

Test(play, after_three_timeouts_a_bot_plays_until_the_player_rejoins)
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
    cr_assert_null(fake.pending, "watched: it pretends to think");
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

Test(play, bots_play_at_once_when_no_client_is_connected)
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
