/* A table rebuilt from its rows is the same table. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tables/fake.h"

static struct fake fake;

static void expect_same(const struct tab_table *live, const struct tab_table *again)
{
    cr_assert_eq(memcmp(&live->game, &again->game, sizeof(live->game)), 0);
    cr_assert_eq(live->events.last_v, again->events.last_v);
    cr_assert_eq(live->turn_v, again->turn_v);
    cr_assert_eq(live->dealt_v, again->dealt_v);
    fake_expect_same_events(&live->events, &again->events);
}

/* Version of the command with this hash, or 0 if unknown. */
static uint32_t version_of(const struct tab_command_replies *replies, uint64_t hash)
{
    for (int i = 0; i < TAB_COMMAND_REPLIES_MAX; i++)
        if (replies->list[i].hash == hash)
            return replies->list[i].v;
    return 0;
}

Test(replay, equals_the_live_table_after_every_move)
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
                uint64_t hash = table->seats[s].replies.list[i].hash;
                if (hash == 0 || hash == tab_command_id_hash("seed") ||
                    table->seats[s].replies.list[i].code != ENG_OK)
                    continue;
                cr_assert_eq(version_of(&again->seats[s].replies, hash), table->seats[s].replies.list[i].v);
            }
        tab_unload(again);
    }
    cr_assert_gt(fake.rows_n, 100);
    free(again);
    fake_close(&fake);
}

Test(replay, an_inconsistent_journal_is_rejected_with_the_place_of_the_difference)
{
    static struct tab_load_move moves[FAKE_ROWS_MAX];
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    for (int turn = 0; turn < 8; turn++)
        fake_play_to_seat(&fake, table, (uint8_t)((eng_seat_to_move(&table->game) + 1) % 4));
    struct tab_table *again = malloc(sizeof(*again));
    static const char *const what[] = {"hash", "version", "move", NULL, "move", "hand"};
    for (int wrong = -1; wrong < 6; wrong++) {
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
        if (wrong == 5)
            moves[3].hand_no = 0;
        cr_assert_eq(tab_replay(again, &load), wrong < 0, "case %d", wrong);
        const struct tab_difference *difference = &again->difference;
        if (wrong < 0)
            cr_assert_null(difference->loss);
        else
            cr_assert_str_eq(difference->loss, "replay_differs");
        if (wrong >= 0 && what[wrong]) {
            cr_assert_str_eq(difference->what, what[wrong], "case %d", wrong);
            cr_assert(difference->v == moves[3].v && difference->seat == moves[3].seat, "case %d", wrong);
        }
        if (wrong == 0)
            cr_assert_eq(difference->hash ^ difference->hash_played, 1);
        if (wrong == 3)
            fake.hands[0].server_seed[0] ^= 1;
        tab_unload(again);
    }
    free(again);
    fake_close(&fake);
}

Test(replay, unreadable_rows_and_unknown_rules_are_reported)
{
    struct tab_table *table = fake_open(&fake, 2, 4), *again = malloc(sizeof(*again));
    for (int wrong = 0; wrong < 3; wrong++) {
        struct tab_load load = fake.load;
        if (wrong == 0)
            load.unreadable = true;
        if (wrong == 1)
            memcpy(load.room.variant, "whist", sizeof("whist"));
        if (wrong == 2)
            load.params = "wings=2";
        cr_assert_not(tab_replay(again, &load));
        cr_assert_str_eq(again->difference.loss, "rows_unreadable");
        cr_assert_str_eq(again->difference.what, wrong == 0 ? "rows" : "rules");
        cr_assert_eq(again->seats[1].person.player_id, 102, "its owner remains known");
        tab_unload(again);
    }
    free(again);
    (void)table;
    fake_close(&fake);
}

Test(replay, rows_without_a_hand_or_with_a_misnumbered_next_hand_are_rejected)
{
    static struct tab_load_move moves[FAKE_ROWS_MAX];
    struct tab_table *table = fake_open_variant(&fake, "pool101", "", 2, 2);
    fake_start(&fake, table, 2);
    struct tab_command drop = fake_move(eng_seat_to_move(&table->game), "drop", ENG_DROP);
    tab_command(table, &drop);
    cr_assert(fake_commit(&fake));
    cr_assert_eq(table->hand_no, 2);
    for (size_t i = 0; i < fake.rows_n; i++)
        moves[i] = fake.rows[i].row;
    struct tab_load load = fake.load;
    load.moves = moves;
    load.moves_n = fake.rows_n;
    struct tab_table *again = malloc(sizeof(*again));
    for (int wrong = -1; wrong < 2; wrong++) {
        if (wrong == 0)
            fake.hands[1].no = 3;
        if (wrong == 1)
            load.hands_n = load.moves_n = 0;
        cr_assert_eq(tab_replay(again, &load), wrong < 0, "case %d", wrong);
        fake.hands[1].no = 2;
        tab_unload(again);
    }
    free(again);
    fake_close(&fake);
}
