/* All tables together: a database outage, and shutdown. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/tables/fake.h"

static struct fake fake;

Test(outage, clocks_stop_and_commands_are_refused)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    fake_pass(&fake, 10000);
    tab_outage_begin(&fake.registry, true);
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

Test(outage, a_pending_command_is_answered_once_durable)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    struct tab_command next = fake_next(table, "n");
    tab_command(table, &next);
    tab_outage_begin(&fake.registry, true);
    fake_pass(&fake, 60000);
    cr_assert_eq(fake_count(&fake, next.seat, "\"t\":\"ack\""), 1, "its seed");
    tab_outage_end(&fake.registry);
    cr_assert(fake_commit(&fake));
    HAS(fake_last(&fake, next.seat), "{\"t\":\"ack\",\"id\":\"n\"");
    fake_close(&fake);
}

Test(outage, a_drain_notifies_clients_and_starts_nothing_new)
{
    struct tab_table *table = fake_open(&fake, 1, 4);
    fake_start(&fake, table, 1);
    tab_registry_drain(&fake.registry, 1000);
    HAS(fake_last(&fake, 0), "{\"t\":\"restarting\",\"d\":{\"retry_ms\":1000}}");
    cr_assert_eq(fake.sockets[0].close_code, WIRE_CLOSE_RESTARTING);
    fake_settle_down(&fake);
    fake_pass(&fake, 3600000);
    cr_assert_null(fake.pending);
    (void)table;
    fake_close(&fake);
}
