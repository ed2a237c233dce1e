/* Taking over a table: the remaining time of its turn. */
#include <criterion/criterion.h>

#include "tests/tables/fake.h"

static struct fake fake;

/* The turn began, 4 s later its player drew, 2 s later the node sent its last heartbeat. */
static int64_t left_after_outage(int64_t alive_after_ms)
{
    static struct tab_load_move moves[FAKE_ROWS_MAX];
    static struct fake next_process;
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    for (int turn = 0; turn < 3; turn++)
        fake_play_to_seat(&fake, table, (uint8_t)((eng_seat_to_move(&table->game) + 1) % 4));
    fake.now_ms += 4000;
    struct tab_command draw = fake_next(table, "d"); /* not the beginning of a turn */
    tab_command(table, &draw);
    fake_settle_down(&fake);
    for (size_t i = 0; i < fake.rows_n; i++)
        moves[i] = fake.rows[i].row;
    struct tab_load load = fake.load;
    load.moves = moves;
    load.moves_n = fake.rows_n;
    load.heard_unix_ms = moves[fake.rows_n - 1].unix_ms + alive_after_ms;

    (void)fake_open(&next_process, 0, 4);
    fake_settle_down(&next_process); /* its own table has no players, so it is canceled */
    next_process.now_ms = fake.now_ms + 3600000;
    struct tab_table *again;
    cr_assert_eq(tab_registry_load(&next_process.registry, &load, &again), TAB_LOADED);
    int64_t left = again->turn_ms - next_process.now_ms;
    fake_close(&next_process);
    fake_close(&fake);
    return left;
}

Test(recover, the_outage_is_added_to_the_deadline)
{
    cr_assert_eq(left_after_outage(-1000), 26000, "last seen at its last move");
    cr_assert_eq(left_after_outage(2000), 24000, "last seen 2 s after it");
    cr_assert_eq(left_after_outage(60000), TAB_RECOVER_LEFT_MS, "overdue: a moment to come back");
}
