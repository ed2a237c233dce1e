/* A returning player gets the moves that were played for them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tables/fake.h"

static struct fake fake;

enum { SEAT = 2, BACK = 5 };

#define TOLD "\"t\":\"played_for_you\""

static const char *told(int socket)
{
    for (int i = fake.sockets[socket].n - 1; i >= 0; i--)
        if (strstr(fake.sockets[socket].frames[i], TOLD))
            return fake.sockets[socket].frames[i];
    return "";
}

/* Lets the clock of SEAT run out n times. */
static void let_time_out(struct tab_table *table, int n)
{
    for (int k = 0; k < n; k++) {
        fake_play_to_seat(&fake, table, SEAT);
        fake_pass(&fake, table->params.turn_s * 1000);
        cr_assert(fake_commit(&fake));
    }
}

static struct tab_table *begin(void)
{
    struct tab_table *table = fake_open(&fake, 4, 4);
    fake_start(&fake, table, 4);
    return table;
}

Test(missed_moves, are_sent_once_on_connection_to_their_player_only)
{
    struct tab_table *table = begin();
    tab_quit(table, SEAT, &fake.sockets[SEAT]);
    fake_play_to_seat(&fake, table, SEAT);
    uint32_t before = eng_version(&table->game);
    let_time_out(table, 1);
    struct eng_view view;
    char card[ENG_CARD_NAME_MAX], expected[160];
    eng_view(&table->game, ENG_SPECTATOR, &view);
    (void)eng_card_name(card, view.discard[view.discard_n - 1]);
    tab_join(table, SEAT, &fake.sockets[BACK], -1);
    /* Four events: timed out, drew, discarded, and the next turn. */
    (void)snprintf(expected, sizeof(expected),
                   "\"d\":{\"from_v\":%u,\"to_v\":%u,\"turns\":1,\"time_outs\":1,\"melds\":0,\"lay_offs\":0,"
                   "\"opening\":null,\"thrown\":[\"%s\"],\"drop_points\":null",
                   before + 1, before + 4, card);
    HAS(told(BACK), expected);
    HAS(fake.sockets[BACK].frames[0], "\"t\":\"snapshot\"");
    tab_quit(table, SEAT, &fake.sockets[BACK]);
    fake_forget(&fake, BACK);
    tab_join(table, SEAT, &fake.sockets[BACK], -1);
    cr_assert_eq(fake_count(&fake, BACK, TOLD), 0, "they know");
    for (int i = 0; i < 4; i++)
        cr_assert_eq(fake_count(&fake, i, TOLD), 0);
    fake_close(&fake);
}

Test(missed_moves, are_sent_once_the_return_is_durable)
{
    struct tab_table *table = begin();
    tab_quit(table, SEAT, &fake.sockets[SEAT]);
    let_time_out(table, 3);
    fake_play_to_seat(&fake, table, SEAT);
    while (eng_seat_to_move(&table->game) == SEAT) { /* a bot plays their fourth turn */
        fake_pass(&fake, 1000);
        fake_settle_down(&fake);
    }
    tab_join(table, SEAT, &fake.sockets[BACK], -1);
    cr_assert(fake.pending && fake.pending->move[0] == ENG_RETURN);
    cr_assert_eq(fake_count(&fake, BACK, TOLD), 0);
    cr_assert(fake_commit(&fake));
    HAS(told(BACK), "\"turns\":4,\"time_outs\":3");
    HAS(fake_last(&fake, BACK), TOLD);
    HAS(fake.sockets[BACK].frames[fake.sockets[BACK].n - 2], "\"t\":\"returned\"");
    fake_close(&fake);
}

Test(missed_moves, are_sent_to_a_connected_player_with_their_next_move)
{
    struct tab_table *table = begin();
    let_time_out(table, 3);
    cr_assert_eq(fake_count(&fake, SEAT, TOLD), 0, "they saw it");
    fake_play_to_seat(&fake, table, SEAT);
    struct tab_command next = fake_next(table, "mine");
    tab_command(table, &next);
    fake_settle_down(&fake);
    HAS(told(SEAT), "\"time_outs\":3");
    HAS(fake_last(&fake, SEAT), "{\"t\":\"ack\",\"id\":\"mine\"");
    fake_close(&fake);
}

Test(missed_moves, are_cleared_by_a_move_of_the_player)
{
    struct tab_table *table = begin();
    let_time_out(table, 1);
    fake_play_to_seat(&fake, table, SEAT);
    fake_play_to_seat(&fake, table, (SEAT + 1) % 4);
    tab_quit(table, SEAT, &fake.sockets[SEAT]);
    tab_join(table, SEAT, &fake.sockets[BACK], -1);
    cr_assert_eq(fake_count(&fake, BACK, TOLD), 0);
    fake_close(&fake);
}

Test(missed_moves, are_the_same_after_a_restart)
{
    static struct tab_load_move moves[FAKE_ROWS_MAX];
    struct tab_table *table = begin();
    tab_quit(table, SEAT, &fake.sockets[SEAT]);
    let_time_out(table, 2);
    for (size_t i = 0; i < fake.rows_n; i++)
        moves[i] = fake.rows[i].row;
    fake.load.moves = moves;
    fake.load.moves_n = fake.rows_n;
    struct tab_table *again = malloc(sizeof(*again));
    cr_assert(tab_replay(again, &fake.load));
    cr_assert_eq(table->seats[SEAT].missed.turns, 2);
    cr_assert_eq(
        memcmp(&again->seats[SEAT].missed, &table->seats[SEAT].missed, sizeof(struct tab_missed_moves)), 0);
    tab_unload(again);
    free(again);
    fake_close(&fake);
}

Test(missed_moves, include_the_cost_of_a_drop_and_of_the_end_of_the_hand)
{
    struct tab_table *table = fake_open_variant(&fake, "pool101", "", 4, 4);
    fake_start(&fake, table, 4);
    tab_quit(table, SEAT, &fake.sockets[SEAT]);
    let_time_out(table, 3);
    const struct tab_missed_moves *missed = &table->seats[SEAT].missed;
    cr_assert_eq(missed->drop_points, table->params.drop_middle);
    cr_assert_eq(missed->hands, 0);
    for (uint8_t i = 0; i < 4; i++) /* the other players leave, and the hand is over */
        if (i != SEAT && table->state == TAB_PLAYING) {
            struct tab_command leave = {.kind = TAB_DO_LEAVE, .seat = i, .id = "go"};
            tab_command(table, &leave);
            fake_settle_down(&fake);
        }
    cr_assert_eq(missed->hands, 1);
    cr_assert_eq(missed->points, table->params.drop_middle);
    fake_close(&fake);
}

Test(missed_moves, keep_only_the_latest_discards)
{
    struct tab_missed_moves missed = {0};
    struct eng_outcome out = {
        .code = ENG_OK, .events_n = 1, .events[0] = {.type = ENG_EV_DISCARDED, .seat = 1, .n = 1}};
    const struct eng_move move = {.type = ENG_DISCARD, .seat = 1};
    for (int i = 0; i < TAB_MISSED_DISCARDS_MAX + 4; i++) {
        out.events[0].cards[0] = (uint8_t)i;
        tab_missed_moves_note(&missed, 1, &move, false, (uint32_t)i + 1, &out);
    }
    cr_assert_eq(missed.discards_n, TAB_MISSED_DISCARDS_MAX);
    cr_assert_eq(missed.discards[0], 4);
    cr_assert_eq(missed.discards[TAB_MISSED_DISCARDS_MAX - 1], TAB_MISSED_DISCARDS_MAX + 3);
    cr_assert_eq(missed.turns, TAB_MISSED_DISCARDS_MAX + 4);
}

Test(missed_moves, count_melds_openings_and_lay_offs)
{
    struct tab_missed_moves missed = {0};
    struct eng_outcome out = {.code = ENG_OK,
                              .events_n = 5,
                              .events = {{.type = ENG_EV_MELDED, .seat = 1},
                                         {.type = ENG_EV_MELDED, .seat = 1},
                                         {.type = ENG_EV_TAKEN_BACK, .seat = 1},
                                         {.type = ENG_EV_OPENED, .seat = 1, .opened.sum = 57},
                                         {.type = ENG_EV_LAID_OFF, .seat = 1}}};
    const struct eng_move move = {.type = ENG_MELD, .seat = 1};
    tab_missed_moves_note(&missed, 1, &move, false, 9, &out);
    cr_assert(missed.melds == 1 && missed.opening == 57 && missed.lay_offs == 1 && missed.turns == 0);
    cr_assert(missed.from_v == 9 && missed.to_v == 13);
    const struct eng_move close = {.type = ENG_CLOSE, .seat = 1};
    tab_missed_moves_note(&missed, 1, &close, false, 14, &out);
    cr_assert_eq(missed.to_v, 13, "the table's own move");
    tab_missed_moves_note(&missed, 1, &move, true, 20, &out);
    cr_assert_eq(missed.from_v, 0);
}
