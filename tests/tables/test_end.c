/* Live tables with fake ports: how they end, and how they are taken up again. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/record/record.h"
#include "tests/tables/fake.h"

static struct fake fake;

#define HAS(text, part) cr_assert_not_null(strstr((text), (part)), "%s lacks %s", (text), (part))

/* ---- To the end ---- */
Test(settlement, goes_with_the_last_move_and_is_told_after_it)
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
        places += fake.pending->scores[i].place;
    cr_assert_eq(places, 10, "each place once");
    cr_assert(fake_commit(&fake));
    cr_assert_eq(table->state, TAB_OVER);
    HAS(fake.sockets[6].frames[0], "\"phase\":\"over\"");
    HAS(fake.sockets[6].frames[0], "\"result\":{\"winner\":");
    HAS(fake.sockets[6].frames[fake.sockets[6].n - 2], "{\"t\":\"settled\",\"d\":{\"game_id\":\"77\"");
    HAS(fake_last(&fake, 6), "{\"t\":\"fairness\"");
    HAS(fake_last(&fake, 6),
        "\"server_seed\":\"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\"");

    /* The record it settled with stands on its own. */
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
    cr_assert_eq(fake.sockets[6].close_code, TAB_CLOSE_OVER);
    cr_assert_null(tab_registry_find(&fake.registry, 7));
    fake_close(&fake);
}

/* ---- Recovery ---- */
static void expect_same(const struct tab_table *live, const struct tab_table *again)
{
    cr_assert_eq(memcmp(&live->game, &again->game, sizeof(live->game)), 0);
    cr_assert_eq(live->events.last_v, again->events.last_v);
    cr_assert_eq(live->turn_v, again->turn_v);
    cr_assert_eq(live->dealt_v, again->dealt_v);
    for (uint32_t v = 1; v <= live->events.last_v; v++) {
        const struct eng_event *a = tab_events_at(&live->events, v), *b = tab_events_at(&again->events, v);
        cr_assert((!a && !b) || (a && b && memcmp(a, b, sizeof(*a)) == 0));
    }
}

Test(recovery, equals_live_after_every_move)
{
    static struct tab_load_move moves[FAKE_ROWS_MAX];
    struct tab_table *table = fake_open(&fake, 2, 4);
    fake_start(&fake, table, 2);
    struct tab_table *again = malloc(sizeof(*again));
    for (int step = 0; step < 600 && table->state == TAB_PLAYING; step++) {
        if (!fake_commit(&fake)) {
            if (eng_seat_to_move(&table->game) == 0) {
                char id[16];
                (void)snprintf(id, sizeof(id), "r-%d", step);
                struct tab_command next = fake_next(table, id);
                tab_command(table, &next);
            } else {
                fake_pass(&fake, 30000);
            }
            continue;
        }
        if (fake.pending || table->state != TAB_PLAYING)
            continue;
        for (size_t i = 0; i < fake.rows_n; i++)
            moves[i] = fake.rows[i].row;
        fake.load.moves = moves;
        fake.load.moves_n = fake.rows_n;
        cr_assert(tab_replay(again, &fake.load));
        expect_same(table, again);
        for (uint8_t s = 0; s < 2; s++)
            for (int i = 0; i < TAB_COMMAND_REPLIES_MAX; i++) {
                const struct tab_command_reply *answer = &table->seats[s].replies.list[i];
                if (answer->id[0] == '\0' || strcmp(answer->id, "seed") == 0 || answer->code != ENG_OK)
                    continue;
                const struct tab_command_reply *same =
                    tab_command_replies_find(&again->seats[s].replies, answer->id);
                cr_assert(same && same->v == answer->v, "%s", answer->id);
            }
        tab_unload(again);
    }
    cr_assert_gt(fake.rows_n, 100);
    free(again);
    fake_close(&fake);
}

Test(recovery, a_journal_that_does_not_fit_its_hashes_is_left_alone)
{
    static struct tab_load_move moves[FAKE_ROWS_MAX];
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    for (int turn = 0; turn < 8; turn++)
        fake_play_to_seat(&fake, table, (uint8_t)((eng_seat_to_move(&table->game) + 1) % 4));
    struct tab_table *again = malloc(sizeof(*again));
    for (int wrong = -1; wrong < 5; wrong++) {
        for (size_t i = 0; i < fake.rows_n; i++)
            moves[i] = fake.rows[i].row;
        struct tab_load load = fake.load;
        load.moves = moves;
        load.moves_n = fake.rows_n;
        if (wrong == 0)
            moves[3].hash ^= 1;
        if (wrong == 1)
            moves[3].v++;
        if (wrong == 2)
            moves[3].seat ^= 1;
        if (wrong == 3)
            fake.hands[0].server_seed[0] ^= 1;
        if (wrong == 4)
            moves[3].len = 1;
        cr_assert_eq(tab_replay(again, &load), wrong < 0, "case %d", wrong);
        if (wrong == 3)
            fake.hands[0].server_seed[0] ^= 1;
        tab_unload(again);
    }
    free(again);
    fake_close(&fake);
}

/* The turn began, 4 s later its player drew, 2 s later the node was seen alive for the last time. */
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
    fake_settle_down(&next_process); /* its own table has nobody: it is cancelled */
    next_process.now_ms = fake.now_ms + 3600000;
    struct tab_table *again;
    cr_assert_eq(tab_registry_load(&next_process.registry, &load, &again), TAB_LOADED);
    int64_t left = again->turn_ms - next_process.now_ms;
    fake_close(&next_process);
    fake_close(&fake);
    return left;
}

Test(recovery, the_outage_is_added_to_the_deadline)
{
    cr_assert_eq(left_after_outage(-1000), 26000, "last seen at its last move");
    cr_assert_eq(left_after_outage(2000), 24000, "last seen 2 s after it");
    cr_assert_eq(left_after_outage(60000), TAB_RECOVER_LEFT_MS, "overdue: a moment to come back");
}
