/* After a valid declaration: which seats group immediately, which seats the table waits for, and for how
 * long. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tables/state.h"
#include "tests/tables/fake.h"

static struct fake fake;

/* Two bots play against seat 0, which draws and discards, until one of them has declared. */
static struct tab_table *open_grouping(void)
{
    struct tab_table *table = fake_open_variant(&fake, "points", "", 3, 1);
    fake_start(&fake, table, 1);
    for (int step = 0; step < 20000; step++) {
        if (fake_commit(&fake))
            continue;
        if (tab_phase_of(table) != TAB_PHASE_PLAY)
            break;
        if (eng_seat_to_move(&table->game) != 0) {
            fake_pass(&fake, 1400);
            continue;
        }
        char id[16];
        (void)snprintf(id, sizeof(id), "n-%d", step);
        struct tab_command next = fake_next(table, id);
        tab_command(table, &next);
    }
    cr_assert_eq(tab_phase_of(table), TAB_PHASE_GROUPING, "no bot has declared");
    return table;
}

Test(grouping, bots_group_at_once_and_a_human_player_is_waited_for)
{
    struct tab_table *table = open_grouping();
    cr_assert(eng_seat_to_group(&table->game, 0));
    for (uint8_t seat = 1; seat < 3; seat++)
        cr_assert(!eng_seat_to_group(&table->game, seat));
    HAS(fake_last(&fake, 0), "\"t\":\"grouped\"");
    cr_assert_geq(fake_count(&fake, 0, "{\"t\":\"clock\",\"d\":{\"seat\":null,\"ms_left\":30000"), 1);
    fake_pass(&fake, table->params.group_s * 1000 - 1);
    cr_assert_null(fake.pending);
    fake_pass(&fake, 1);
    cr_assert(fake.pending && fake.pending->move[0] == ENG_CLOSE);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_SETTLE, "a game of one hand");
    cr_assert(fake_commit(&fake));
    cr_assert_eq(table->state, TAB_OVER);
    fake_close(&fake);
}

Test(grouping, a_connecting_client_sees_the_shared_clock)
{
    struct tab_table *table = open_grouping();
    fake_pass(&fake, 10000);
    tab_join(table, 0, &fake.sockets[5], -1);
    HAS(fake.sockets[5].frames[0], "\"phase\":\"group\"");
    HAS(fake_last(&fake, 5), "{\"t\":\"clock\",\"d\":{\"seat\":null,\"ms_left\":20000");
    cr_assert(tab_spectate(table, &fake.sockets[6], -1, 0));
    HAS(fake.sockets[6].frames[0], "\"phase\":\"group\"");
    HAS(fake_last(&fake, 6), "{\"t\":\"clock\",\"d\":{\"seat\":null,\"ms_left\":20000");
    fake_close(&fake);
}

Test(grouping, an_outage_postpones_the_end_of_grouping)
{
    struct tab_table *table = open_grouping();
    fake_pass(&fake, 10000);
    tab_outage_begin(&fake.registry, true);
    fake_pass(&fake, 60000);
    tab_outage_end(&fake.registry);
    HAS(fake_last(&fake, 0), "{\"t\":\"clock\",\"d\":{\"seat\":null,\"ms_left\":20000");
    fake_pass(&fake, table->params.group_s * 1000 - 10001);
    cr_assert_null(fake.pending);
    fake_pass(&fake, 1);
    cr_assert(fake.pending && fake.pending->move[0] == ENG_CLOSE);
    fake_close(&fake);
}
