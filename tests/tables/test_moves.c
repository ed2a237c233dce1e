/* A move is sent when it is durable. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/tables/fake.h"

static struct fake fake;

Test(moves, nothing_is_sent_before_it_is_durable)
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
