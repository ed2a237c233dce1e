/* The strongest bots search on other threads: the input of a search, when its result is used, and that no
 * clock runs out because of it. */
#include <criterion/criterion.h>

#include "tables/run.h"
#include "tests/engine/prove.h"
#include "tests/tables/fake.h"

static struct fake fake;

enum { BOT = 2, SEATS = 3 };

static uint64_t count(enum tab_thought_end end)
{
    return fake.registry.counts.thoughts[end];
}

/* Two human players and a master, whose turn it is to draw and which has just begun to search. */
static struct tab_table *open_thinking(const char *variant)
{
    struct tab_table *table = fake_open_variant(&fake, variant, "", SEATS, 2);
    table->room.bot_level = ENG_BOT_MASTER;
    fake_start(&fake, table, 2);
    fake_play_to_seat(&fake, table, BOT);
    /* the bot has the first turn, which begins with a discard */
    while (eng_phase(&table->game) != ENG_TO_DRAW) {
        fake_answer(&fake);
        fake_pass(&fake, table->bot_ms - fake.now_ms);
        cr_assert(fake_commit(&fake));
        fake_play_to_seat(&fake, table, BOT);
    }
    cr_assert_eq(table->seats[BOT].person.bot_level, ENG_BOT_MASTER);
    cr_assert_eq(fake.thoughts_n, (int)count(TAB_THOUGHT_PLAYED) + 1);
    fake.thoughts_n = 1;
    fake.registry.counts.thoughts[TAB_THOUGHT_PLAYED] = 0;
    cr_assert(fake.thoughts_n == 1 && fake.thought.v == table->events.last_v && !fake.pending);
    return table;
}

static void expect_written(const struct eng_move *move)
{
    uint8_t bytes[ENG_MOVE_BYTES_MAX];
    struct eng_move of_bot = *move;
    of_bot.seat = BOT;
    size_t n = (size_t)eng_move_encode(bytes, &of_bot);
    cr_assert_not_null(fake.pending);
    cr_assert_eq(fake.pending->move_n, n);
    cr_assert_arr_eq(fake.pending->move, bytes, n);
}

/* The bot's move without a search result. */
static struct eng_move first_choice(const struct tab_table *table)
{
    struct eng_view view;
    struct eng_move move;
    uint64_t dice = tab_thoughts_dice(table);
    eng_view(&table->game, BOT, &view);
    eng_bot_move(&view, ENG_BOT_MASTER, &dice, &move);
    return move;
}

Test(thoughts, run_during_the_bots_visible_pause)
{
    struct tab_table *table = open_thinking("rummy51");
    struct eng_move move = fake_think(&fake.thought);
    cr_assert(table->bot_ms > fake.now_ms, "it is watched");
    fake_answer(&fake);
    cr_assert_null(fake.pending, "an answer that is early waits");
    fake_pass(&fake, table->bot_ms - fake.now_ms - 1);
    cr_assert_null(fake.pending);
    fake_pass(&fake, 1);
    expect_written(&move);
    cr_assert_eq(count(TAB_THOUGHT_PLAYED), 1);
    cr_assert(fake_commit(&fake));
    cr_assert_eq(fake.thoughts_n, 2, "its next move needs a new search");
    fake_close(&fake);
}

Test(thoughts, that_arrive_after_the_pause_are_played_at_once)
{
    struct tab_table *table = open_thinking("rummy51");
    struct eng_move move = fake_think(&fake.thought);
    fake_pass(&fake, table->bot_ms - fake.now_ms + TAB_THOUGHT_WAIT_MAX_MS - 1);
    cr_assert_null(fake.pending);
    fake_answer(&fake);
    expect_written(&move);
    fake_close(&fake);
}

Test(thoughts, are_not_waited_for_beyond_the_limit)
{
    struct tab_table *table = open_thinking("rummy51");
    struct eng_move move = first_choice(table);
    struct tab_thought late = fake.thought;
    fake_pass(&fake, table->bot_ms - fake.now_ms + TAB_THOUGHT_WAIT_MAX_MS);
    expect_written(&move);
    cr_assert(count(TAB_THOUGHT_LATE) == 1 && fake.registry.counts.timeouts == 0);
    cr_assert(fake_commit(&fake));
    uint32_t v = table->events.last_v;
    late.move = move;
    tab_registry_answer(&fake.registry, &late);
    cr_assert(count(TAB_THOUGHT_STALE) == 1 && !fake.pending && table->events.last_v == v);
    fake_close(&fake);
}

Test(thoughts, are_not_waited_for_beyond_the_end_of_the_turn)
{
    struct tab_table *table = open_thinking("rummy51");
    table->turn_ms = table->bot_ms + 10;
    cr_assert_eq(tab_thoughts_due_ms(table), table->bot_ms + 10);
    table->turn_ms = table->bot_ms - 10;
    cr_assert_eq(tab_thoughts_due_ms(table), table->bot_ms);
    tab_run(table);
    fake_pass(&fake, table->bot_ms - fake.now_ms);
    cr_assert_neq(fake.pending->move[0], ENG_TIME_OUT);
    fake_close(&fake);
}

Test(thoughts, that_exceed_the_capacity_are_retried_only_once)
{
    struct tab_table *table = open_thinking("rummy51");
    fake_answer(&fake);
    fake.thinkers_full = true;
    fake_pass(&fake, table->bot_ms - fake.now_ms);
    cr_assert(fake_commit(&fake));
    cr_assert(count(TAB_THOUGHT_REFUSED) == 1 && fake.thoughts_n == 1 && !fake.pending);
    fake.thinkers_full = false;
    fake_pass(&fake, table->bot_ms - fake.now_ms);
    cr_assert(fake.thoughts_n == 2 && !fake.pending, "requested again when it would move");
    fake_answer(&fake);
    cr_assert(fake_commit(&fake));

    fake.thinkers_full = true;
    /* that was not the end of its turn, so it now searches again */
    if (eng_seat_to_move(&table->game) == BOT) {
        fake_answer(&fake);
        fake_pass(&fake, table->bot_ms - fake.now_ms);
        cr_assert(fake_commit(&fake));
    }
    fake_play_to_seat(&fake, table, BOT);
    struct eng_move move = first_choice(table);
    fake_pass(&fake, table->bot_ms - fake.now_ms);
    expect_written(&move);
    fake_close(&fake);
}

Test(thoughts, for_an_outdated_position_are_dropped)
{
    struct tab_table *table = open_thinking("rummy51");
    struct tab_thought old = fake.thought;
    struct tab_command leave = {.kind = TAB_DO_LEAVE, .seat = 0, .id = "leave"};
    tab_command(table, &leave);
    cr_assert(fake_commit(&fake));
    cr_assert(fake.thoughts_n == 2 && fake.thought.v == table->events.last_v && fake.thought.v > old.v);
    cr_assert(fake.thought.dice != old.dice && fake.thought.view.left[0]);
    old.move = fake_think(&old);
    tab_registry_answer(&fake.registry, &old);
    cr_assert(count(TAB_THOUGHT_STALE) == 1 && !table->thinking.answered);

    struct tab_thought gone = fake.thought;
    tab_registry_drop(table, WIRE_CLOSE_RESTARTING);
    tab_registry_answer(&fake.registry, &gone);
    cr_assert_eq(count(TAB_THOUGHT_STALE), 2);
    fake_close(&fake);
}

Test(thoughts, pause_and_resume_with_the_table)
{
    struct tab_table *table = open_thinking("rummy51");
    struct eng_move move = fake_think(&fake.thought);
    tab_outage_begin(&fake.registry, true);
    fake_answer(&fake);
    fake_pass(&fake, 60000);
    cr_assert_null(fake.pending, "the database is unreachable");
    tab_outage_end(&fake.registry);
    fake_pass(&fake, table->bot_ms - fake.now_ms);
    expect_written(&move);
    cr_assert_eq(fake.thoughts_n, 1);
    fake_close(&fake);
}

static void expect_same(const struct tab_thought *a, const struct tab_thought *b)
{
    struct tab_thought one = *a, other = *b;
    one.view.params = other.view.params = NULL;
    cr_assert(one.table_id == other.table_id && one.v == other.v && one.dice == other.dice);
    cr_assert_arr_eq(&one.params, &other.params, sizeof(one.params));
    cr_assert_arr_eq(&one.view, &other.view, sizeof(one.view));
    struct eng_move move = fake_think(a), again = fake_think(b);
    cr_assert_arr_eq(&move, &again, sizeof(move));
}

/* Another process that continues the table finds the same move. */
Test(thoughts, are_the_same_on_every_node)
{
    for (size_t i = 0; i < 10; i++) {
        struct tab_table *table = open_thinking(eng_params_at(i)->variant);
        struct tab_thought here = fake.thought;
        struct tab_load_move rows[FAKE_ROWS_MAX];
        for (size_t k = 0; k < fake.rows_n; k++)
            rows[k] = fake.rows[k].row;
        fake.load.moves = rows;
        fake.load.moves_n = fake.rows_n;
        tab_registry_drop(table, WIRE_CLOSE_RESTARTING);
        cr_assert_eq(tab_registry_load(&fake.registry, &fake.load, &table), TAB_LOADED);
        cr_assert_eq(fake.thoughts_n, 2);
        expect_same(&here, &fake.thought);
        fake_close(&fake);
    }
}

/* Its input and its move do not depend on anything hidden from its seat. */
Test(thoughts, do_not_depend_on_hidden_cards)
{
    uint64_t hidden = 1;
    for (size_t i = 0; i < 10; i++) {
        struct tab_table *table = open_thinking(eng_params_at(i)->variant);
        for (int k = 0; k < 5; k++) {
            struct tab_thought here = fake.thought;
            struct eng_game game = table->game;
            prove_change_hidden(&table->game, BOT, &hidden);
            cr_assert_neq(memcmp(&game, &table->game, sizeof(game)), 0);
            table->thinking.v = 0;
            tab_thoughts_request(table, BOT);
            table->game = game;
            expect_same(&here, &fake.thought);
        }
        fake_close(&fake);
    }
}
