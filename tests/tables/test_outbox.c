/* Output: recipients, and everything exactly once. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/tables/fake.h"

static struct fake fake;

Test(outbox, only_the_drawer_sees_a_card_from_the_stock)
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

Test(outbox, each_viewer_gets_events_without_a_gap)
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
