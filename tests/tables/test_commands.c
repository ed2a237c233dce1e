/* Commands wait in their queue, and each id has one reply. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tables/fake.h"

static struct fake fake;

Test(commands, a_refused_move_is_answered_after_the_pending_write)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    uint8_t seat = eng_seat_to_move(&table->game), other = (uint8_t)((seat + 2) % 4);
    struct tab_command good = fake_next(table, "good"), bad = fake_move(other, "bad", ENG_DRAW_STOCK);
    tab_command(table, &good);
    fake_forget(&fake, other);
    tab_command(table, &bad);
    cr_assert_eq(fake.sockets[other].n, 0);
    cr_assert(fake_commit(&fake));
    HAS(fake_last(&fake, other), "{\"t\":\"nack\",\"id\":\"bad\",\"code\":\"not_your_turn\",\"cards\":[],"
                                 "\"text\":\"It's not your turn.\"}");
    cr_assert_eq(fake.writes[TAB_WRITE_MOVE], 1);
    fake_close(&fake);
}

Test(commands, a_repeated_id_returns_the_first_reply_and_changes_nothing)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    uint8_t seat = eng_seat_to_move(&table->game);
    struct tab_command bad = fake_move(seat, "bad", ENG_DRAW_STOCK), good = fake_next(table, "good");
    tab_command(table, &bad);
    char *first_nack = strdup(fake_last(&fake, seat));
    HAS(first_nack, "nack");
    tab_command(table, &good);
    tab_command(table, &good); /* while the first is pending */
    cr_assert(fake_commit(&fake));
    char *ack = strdup(fake_last(&fake, seat));
    HAS(ack, "{\"t\":\"ack\",\"id\":\"good\"");
    cr_assert_eq(fake_count(&fake, seat, "\"id\":\"good\""), 2);
    uint64_t hash = eng_hash(&table->game);
    tab_command(table, &good);
    cr_assert_str_eq(fake_last(&fake, seat), ack);
    tab_command(table, &bad);
    cr_assert_str_eq(fake_last(&fake, seat), first_nack);
    cr_assert_eq(eng_hash(&table->game), hash);
    cr_assert_null(fake.pending);
    cr_assert_eq(fake.writes[TAB_WRITE_MOVE], 1);
    free(first_nack);
    free(ack);
    fake_close(&fake);
}

Test(commands, one_seat_cannot_fill_the_queue_for_the_others)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    struct tab_command next = fake_next(table, "n");
    uint8_t greedy = (uint8_t)((next.seat + 1) % 4), other = (uint8_t)((next.seat + 2) % 4);
    tab_command(table, &next);
    for (int i = 0; i < TAB_QUEUE_MAX; i++) {
        char id[8];
        (void)snprintf(id, sizeof(id), "g-%d", i);
        struct tab_command more = fake_move(greedy, id, ENG_DRAW_STOCK);
        tab_command(table, &more);
    }
    struct tab_command own = fake_move(other, "own", ENG_DRAW_STOCK);
    tab_command(table, &own);
    cr_assert_eq(fake_count(&fake, other, "busy"), 0, "there is space for a seat without commands");
    HAS(fake_last(&fake, greedy), "\"id\":\"g-11\",\"code\":\"busy\"");
    fake_settle_down(&fake);
    cr_assert_eq(fake_count(&fake, other, "\"id\":\"own\""), 1);
    cr_assert_eq(fake_count(&fake, greedy, "busy"), 1, "and nothing else was dropped");
    cr_assert_eq(fake_count(&fake, greedy, "\"id\":\"g-10\""), 1);
    fake_close(&fake);
}

Test(commands, a_full_queue_returns_busy)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    struct tab_command next = fake_next(table, "n");
    tab_command(table, &next);
    for (int i = 0; i < TAB_QUEUE_MAX; i++) {
        struct tab_command more = fake_move(1, "m", ENG_DRAW_STOCK);
        tab_command(table, &more);
    }
    cr_assert_eq(fake_count(&fake, 1, "busy"), 0);
    struct tab_command last = fake_move(1, "last", ENG_DRAW_STOCK);
    tab_command(table, &last);
    HAS(fake_last(&fake, 1), "\"id\":\"last\",\"code\":\"busy\"");
    fake_close(&fake);
}
