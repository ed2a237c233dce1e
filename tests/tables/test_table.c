/* What ends a table before its time: an operator. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/tables/fake.h"

static struct fake fake;

Test(table, an_operator_ends_a_table_once_nothing_of_it_is_written)
{
    struct tab_table *table = fake_open(&fake, 2, 4);
    tab_join(table, 0, &fake.sockets[0], -1);
    struct tab_command leave = {.kind = TAB_DO_LEAVE, .seat = 1, .id = "l"};
    tab_command(table, &leave);
    tab_cancel(table);
    tab_cancel(table);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_LEAVE);
    cr_assert(fake_commit(&fake));
    cr_assert_eq(fake.pending->kind, TAB_WRITE_CANCEL);
    cr_assert(fake_commit(&fake));
    HAS(fake_last(&fake, 0), "{\"t\":\"cancelled\",\"d\":{\"reason\":\"by_operator\"}}");
    cr_assert_null(tab_registry_find(&fake.registry, 7));
    fake_close(&fake);
}
