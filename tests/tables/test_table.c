/* Ending a table early by an operator, and the memory of a table. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/tables/fake.h"

static struct fake fake;

Test(table, an_operator_ends_a_table_after_its_pending_write)
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

/* Total bytes of a table and its allocations, without its sockets. */
static size_t bytes_of(const struct tab_table *table)
{
    return sizeof(*table) + table->seats_n * sizeof(*table->seats) + table->events.cap + table->moves.cap +
           (table->before ? sizeof(*table->before) : 0) +
           (table->queue ? TAB_QUEUE_MAX * sizeof(*table->queue) : 0) +
           (table->write.more ? sizeof(*table->write.more) : 0) +
           (table->settled ? sizeof(*table->settled) : 0);
}

/* When thousands of tables take turns, memory access is the bottleneck of a move. */
Test(table, a_table_in_play_is_small_and_moves_touch_little_of_it)
{
    enum { MOVES = 350 };
    cr_assert_leq(offsetof(struct tab_table, game) + offsetof(struct eng_game, key), 1024);
    cr_assert_leq(offsetof(struct tab_table, next), 4096 - 4 * TAB_LINE, "and four cache lines per seat");
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    for (unsigned i = 0; i < MOVES && table->state == TAB_PLAYING; i++) {
        char id[TAB_COMMAND_ID_MAX];
        (void)snprintf(id, sizeof(id), "00000000-0000-4000-8000-%012u", i);
        struct tab_command next = fake_next(table, id);
        tab_command(table, &next);
        cr_assert_eq(fake.pending->kind, TAB_WRITE_MOVE);
        cr_assert(!fake.pending->more && !table->queue && !table->spectators, "a move needs none of these");
        cr_assert(fake_commit(&fake));
        cr_assert_leq(bytes_of(table), 12 * 1024, "%zu after %u moves", bytes_of(table), i);
        for (int socket = 0; socket < 4; socket++)
            fake_forget(&fake, socket);
    }
    cr_assert_eq(table->moves.n, MOVES);
    fake_close(&fake);
}
