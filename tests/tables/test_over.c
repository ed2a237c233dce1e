/* The settlement, and the frames about it until the table is dropped. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "engine/record/record.h"
#include "tests/tables/fake.h"

static struct fake fake;

Test(over, the_settlement_is_written_with_the_last_move_and_sent_afterwards)
{
    struct tab_table *table = fake_open(&fake, 1, 4);
    fake_start(&fake, table, 1);
    tab_quit(table, 0, &fake.sockets[0]);
    for (int k = 0; k < 20000 && table->state == TAB_PLAYING; k++) {
        if (fake.pending && fake.pending->kind == TAB_WRITE_SETTLE)
            break;
        if (!fake_commit(&fake))
            fake_pass(&fake, 30000);
    }
    cr_assert_eq(fake.pending->kind, TAB_WRITE_SETTLE);
    tab_join(table, 0, &fake.sockets[6], -1);
    cr_assert_eq(fake.sockets[6].n, 0);
    int places = 0;
    for (int i = 0; i < 4; i++)
        places += fake.pending->more->scores[i].place;
    cr_assert_eq(places, 10, "each place once");
    cr_assert(fake_commit(&fake));
    cr_assert_eq(table->state, TAB_OVER);
    HAS(fake.sockets[6].frames[0], "\"phase\":\"over\"");
    HAS(fake.sockets[6].frames[0], "\"result\":{\"winner\":");
    HAS(fake.sockets[6].frames[fake.sockets[6].n - 2], "{\"t\":\"settled\",\"d\":{\"game_id\":\"77\"");
    HAS(fake_last(&fake, 6), "{\"t\":\"fairness\"");
    HAS(fake_last(&fake, 6),
        "\"server_seed\":\"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\"");

    /* The record of the settlement is self-contained. */
    struct eng_record *record = calloc(1, sizeof(*record));
    struct eng_step *steps = calloc(TAB_MOVES_MAX, sizeof(*steps));
    struct eng_record_error error;
    struct eng_verdict verdict;
    eng_record_init(record, eng_params_find("rummy51"), 4, steps, TAB_MOVES_MAX);
    cr_assert(eng_record_parse(record, fake.record, strlen(fake.record), &error));
    cr_assert(eng_record_verify(record, &verdict), "%s", verdict.text);
    cr_assert_eq(record->steps_n, fake.rows_n);
    free(steps);
    free(record);

    fake_pass(&fake, 60000);
    cr_assert_eq(fake.sockets[6].close_code, WIRE_CLOSE_OVER);
    cr_assert_null(tab_registry_find(&fake.registry, 7));
    fake_close(&fake);
}
