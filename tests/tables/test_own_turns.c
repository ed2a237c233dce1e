/* Distinguishes turns that a player plays from those that the clock or a bot plays. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/tables/fake.h"

static struct fake fake;

static struct tab_table *begin(int seats)
{
    struct tab_table *table = fake_open_variant(&fake, "straight", "", seats, seats);
    fake_start(&fake, table, seats);
    return table;
}

static struct tab_own_turns of(const struct tab_table *table, uint8_t seat)
{
    return table->seats[seat].own_turns;
}

static void expect(const struct tab_table *table, uint8_t seat, int turns, int own)
{
    cr_assert_eq(of(table, seat).turns, turns, "seat %d had %d turns", seat, of(table, seat).turns);
    cr_assert_eq(of(table, seat).own, own, "seat %d played %d turns", seat, of(table, seat).own);
}

/* Lets the clock of the seat to move run out. */
static uint8_t time_out(struct tab_table *table)
{
    uint8_t seat = eng_seat_to_move(&table->game);
    fake_pass(&fake, table->params.turn_s * 1000);
    cr_assert(fake_commit(&fake));
    return seat;
}

static void leave(struct tab_table *table, uint8_t seat)
{
    struct tab_command go = {.kind = TAB_DO_LEAVE, .seat = seat, .id = "go"};
    tab_command(table, &go);
    fake_settle_down(&fake);
}

/* Plays a whole turn of the seat to move. */
static uint8_t play(struct tab_table *table)
{
    uint8_t seat = eng_seat_to_move(&table->game);
    fake_play_to_seat(&fake, table, (uint8_t)((seat + 1) % table->seats_n));
    return seat;
}

Test(own_turns, are_zero_for_players_who_leave_at_once)
{
    struct tab_table *table = begin(2);
    uint8_t first = eng_seat_to_move(&table->game);
    leave(table, 1 - first);
    leave(table, first);
    for (int i = 0; i < 1000 && table->state == TAB_PLAYING; i++) {
        fake_pass(&fake, 10000); /* their bots play the session to its end */
        fake_settle_down(&fake);
    }
    cr_assert_eq(table->state, TAB_OVER);
    for (uint8_t seat = 0; seat < 2; seat++) {
        expect(table, seat, of(table, seat).turns, 0);
        cr_assert_gt(table->settled->scores[seat].turns, 0);
        cr_assert_eq(table->settled->scores[seat].own_turns, 0);
    }
    cr_assert(table->settled->scores[0].left && table->settled->scores[1].left);
    fake_close(&fake);
}

Test(own_turns, count_once_regardless_of_their_number_of_moves)
{
    struct tab_table *table = begin(2);
    uint8_t seat = play(table);
    expect(table, seat, 1, 1);
    expect(table, 1 - seat, 0, 0);
    play(table);
    play(table);
    expect(table, seat, 2, 2);
    expect(table, 1 - seat, 1, 1);
    fake_close(&fake);
}

Test(own_turns, exclude_turns_played_by_the_timeout)
{
    struct tab_table *table = begin(2);
    uint8_t seat = time_out(table);
    expect(table, seat, 1, 0);
    play(table);
    play(table);
    expect(table, seat, 2, 1);
    fake_close(&fake);
}

Test(own_turns, include_turns_the_player_began_and_the_timeout_ended)
{
    struct tab_table *table = begin(2);
    uint8_t seat = eng_seat_to_move(&table->game);
    struct tab_command draw = fake_move(seat, "draw", ENG_DRAW_STOCK);
    tab_command(table, &draw);
    fake_settle_down(&fake);
    expect(table, seat, 1, 1);
    cr_assert_eq(time_out(table), seat);
    expect(table, seat, 1, 1);
    fake_close(&fake);
}

Test(own_turns, exclude_turns_of_the_bot_of_an_absent_player)
{
    struct tab_table *table = begin(3);
    uint8_t seat = eng_seat_to_move(&table->game);
    play(table);
    leave(table, seat);
    play(table);
    while (table->state == TAB_PLAYING && of(table, seat).turns < 3) {
        uint8_t next = eng_seat_to_move(&table->game);
        if (next != seat)
            play(table);
        else
            fake_pass(&fake, 1000), fake_settle_down(&fake);
    }
    cr_assert_geq(of(table, seat).turns, 2);
    cr_assert_eq(of(table, seat).own, 1);
    fake_close(&fake);
}

Test(own_turns, are_the_same_after_a_restart)
{
    static struct tab_load_move moves[FAKE_ROWS_MAX];
    struct tab_table *table = begin(2);
    time_out(table);
    play(table);
    play(table);
    time_out(table);
    for (size_t i = 0; i < fake.rows_n; i++)
        moves[i] = fake.rows[i].row;
    fake.load.moves = moves;
    fake.load.moves_n = fake.rows_n;
    struct tab_table *again = malloc(sizeof(*again));
    cr_assert(again && tab_replay(again, &fake.load));
    for (uint8_t seat = 0; seat < 2; seat++) {
        expect(table, seat, 2, 1);
        expect(again, seat, 2, 1);
    }
    tab_unload(again);
    free(again);
    fake_close(&fake);
}

Test(own_turns, have_an_upper_limit)
{
    struct tab_own_turns own = {0};
    const struct eng_move move = {.type = ENG_TIME_OUT};
    for (int i = 0; i < TAB_TURNS_MAX + 5; i++) {
        tab_own_turns_begin(&own);
        tab_own_turns_note_move(&own, &move, false);
    }
    cr_assert_eq(own.turns, TAB_TURNS_MAX);
    tab_own_turns_begin(&own);
    tab_own_turns_note_move(&own, &move, true);
    cr_assert_eq(own.own, 0, "never more than turns");
}

Test(own_turns, exclude_leaving_returning_and_grouping)
{
    const uint8_t others[] = {ENG_LEAVE, ENG_RETURN, ENG_REJOIN, ENG_CLOSE, ENG_GROUP};
    struct tab_own_turns own = {0};
    for (size_t i = 0; i < sizeof(others); i++) {
        const struct eng_move move = {.type = others[i]};
        tab_own_turns_note_move(&own, &move, true);
    }
    cr_assert(own.turns == 0 && own.own == 0);
}
