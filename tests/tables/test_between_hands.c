/* Sessions of several hands with fake ports: the time between hands, seeds, recovery at any point. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/record/record.h"
#include "tests/tables/fake.h"

static struct fake fake;

static struct tab_command command_of(uint8_t seat, enum tab_command_kind kind, const char *id)
{
    struct tab_command command = {
        .kind = (uint8_t)kind, .seat = seat, .seed = {.len = 16, .bytes = {9, 9, seat}}};
    (void)snprintf(command.id, sizeof(command.id), "%s", id);
    return command;
}

/* With no player connected, clocks and bots play until the pending write is of this kind. */
static void play_until(struct tab_table *table, enum tab_write_kind kind)
{
    for (int i = 0; i < 20000 && table->state == TAB_PLAYING; i++) {
        if (fake.pending && fake.pending->kind == kind)
            return;
        if (!fake_commit(&fake))
            fake_pass(&fake, 30000);
    }
    cr_assert(fake.pending && fake.pending->kind == kind, "never came");
}

static struct tab_table *open_session(int people)
{
    struct tab_table *table = fake_open_variant(&fake, "treff", "", 2, people);
    fake_start(&fake, table, people);
    for (uint8_t i = 0; i < people; i++)
        tab_quit(table, i, &fake.sockets[i]);
    return table;
}

Test(between_hands, one_write_ends_a_hand_and_commits_to_the_next)
{
    struct tab_table *table = open_session(1);
    play_until(table, TAB_WRITE_HAND);
    cr_assert_eq(fake.pending->hand_no, 1);
    cr_assert_not_null(fake.pending->more->record);
    uint8_t promised[32];
    memcpy(promised, fake.pending->more->next_commit, 32);
    tab_join(table, 0, &fake.sockets[5], -1);
    cr_assert_eq(fake.sockets[5].n, 0, "nothing is sent before it is durable");
    cr_assert(fake_commit(&fake));
    cr_assert_eq(table->hand_no, 2);
    cr_assert_eq(table->dealt_no, 1);
    cr_assert_eq(memcmp(table->commit, promised, 32), 0);
    HAS(fake.sockets[5].frames[0], "\"phase\":\"hand_over\"");
    HAS(fake_last(&fake, 5), "{\"t\":\"next_hand\",\"d\":{\"hand_no\":2,\"commit\":");
    cr_assert_eq(fake_count(&fake, 5, "\"t\":\"fairness\""), 1);
    /* No frame contains the seed of the next hand. */
    char seed[65];
    for (int i = 0; i < 32; i++)
        (void)snprintf(seed + 2 * i, 3, "%02x", table->server_seed[i]);
    cr_assert_eq(fake_count(&fake, 5, seed), 0);
    fake_close(&fake);
}

Test(between_hands, the_next_hand_is_dealt_when_all_players_are_ready)
{
    struct tab_table *table = open_session(2);
    play_until(table, TAB_WRITE_HAND);
    cr_assert(fake_commit(&fake));
    tab_join(table, 0, &fake.sockets[2], -1);
    fake_settle_down(&fake); /* away players return */
    tab_join(table, 1, &fake.sockets[3], -1);
    fake_settle_down(&fake);
    struct tab_command seed = command_of(0, TAB_DO_SEED, "s0"), ready = command_of(0, TAB_DO_READY, "r0");
    tab_command(table, &seed);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_SEED);
    fake_settle_down(&fake);
    HAS(fake_last(&fake, 2), "{\"t\":\"ack\",\"id\":\"s0\"");
    tab_command(table, &ready);
    HAS(fake_last(&fake, 3), "\"ready\":[0]");
    cr_assert_null(fake.pending, "the table waits for the other one");
    ready = command_of(1, TAB_DO_READY, "r1");
    tab_command(table, &ready);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_DEAL);
    cr_assert_eq(fake.pending->hand_no, 2);
    cr_assert_eq(fake.pending->more->seeds[0].len, 16);
    cr_assert_eq(fake.pending->more->seeds[1].len, 0);
    int before = fake.sockets[2].n;
    cr_assert(fake_commit(&fake));
    cr_assert_eq(table->dealt_no, 2);
    HAS(fake.sockets[2].frames[before], "\"t\":\"dealt\"");
    cr_assert_gt(fake_count(&fake, 2, "\"t\":\"snapshot\""), 1);
    ready = command_of(0, TAB_DO_READY, "r2");
    tab_command(table, &ready);
    HAS(fake_last(&fake, 2), "not_between_hands");
    seed.id[0] = 'x';
    tab_command(table, &seed);
    HAS(fake_last(&fake, 2), "seed_too_late");
    fake_close(&fake);
}

/* The seat drops in its first turn; timeouts drop the others. */
static void drop_a_hand(struct tab_table *table, uint8_t seat)
{
    while (eng_seat_to_move(&table->game) != seat)
        if (!fake_commit(&fake))
            fake_pass(&fake, 30000);
    struct tab_command drop = fake_move(seat, "", ENG_DROP);
    tab_command(table, &drop);
    play_until(table, TAB_WRITE_HAND);
    cr_assert(fake_commit(&fake));
}

Test(between_hands, players_out_of_a_pool_for_good_are_not_waited_for)
{
    struct tab_table *table = fake_open_variant(&fake, "pool101", "rejoin_max=0", 3, 3);
    fake_start(&fake, table, 3);
    uint8_t out = ENG_NO_SEAT;
    while (out == ENG_NO_SEAT) {
        drop_a_hand(table, 1); /* so that two are never out at the same time */
        for (uint8_t i = 0; i < 3; i++)
            if (eng_seat_is_out(&table->game, i))
                out = i;
        if (out == ENG_NO_SEAT) {
            HAS(fake_last(&fake, 0), "\"asked\":[0,1,2],\"ready\":[]");
            fake_pass(&fake, 8000);
            cr_assert(fake_commit(&fake));
        }
    }
    static const char *const asked[] = {"\"asked\":[1,2]", "\"asked\":[0,2]", "\"asked\":[0,1]"};
    HAS(fake_last(&fake, out), "\"t\":\"next_hand\"");
    HAS(fake_last(&fake, out), asked[out]);
    for (uint8_t i = 0; i < 3; i++) {
        struct tab_command ready = command_of(i, TAB_DO_READY, "r");
        if (i != out)
            tab_command(table, &ready);
    }
    cr_assert_eq(fake.pending->kind, TAB_WRITE_DEAL, "and it is not waited for");
    cr_assert(fake_commit(&fake));
    while (table->state == TAB_PLAYING && !(fake.pending && fake.pending->kind == TAB_WRITE_SETTLE)) {
        cr_assert_neq(eng_seat_to_move(&table->game), out);
        cr_assert_not(eng_seat_to_group(&table->game, out));
        if (!fake_commit(&fake))
            fake_pass(&fake, 30000);
    }
    fake_close(&fake);
}

Test(between_hands, the_pause_between_hands_ends_without_waiting_for_absent_players)
{
    struct tab_table *table = open_session(1);
    play_until(table, TAB_WRITE_HAND);
    cr_assert(fake_commit(&fake));
    cr_assert_null(fake.pending);
    fake_pass(&fake, 7999);
    cr_assert_null(fake.pending);
    fake_pass(&fake, 1);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_DEAL);
    fake_close(&fake);
}

/* Each command is a write, and there is always another one before it has completed. */
Test(between_hands, a_flood_of_seeds_does_not_delay_the_deal)
{
    struct tab_table *table = fake_open_variant(&fake, "pool101", "", 2, 2);
    fake_start(&fake, table, 2);
    struct tab_command drop = fake_move(eng_seat_to_move(&table->game), "drop", ENG_DROP);
    tab_command(table, &drop);
    fake_settle_down(&fake);
    int64_t ended_ms = fake.now_ms;
    for (int i = 0; i < 100 && table->dealt_no == 1; i++) {
        struct tab_command seed = {
            .kind = TAB_DO_SEED, .seat = 0, .seed = {.len = 16, .bytes = {(uint8_t)i}}};
        (void)snprintf(seed.id, sizeof(seed.id), "s-%d", i);
        tab_command(table, &seed);
        if (i == 0)
            continue;
        fake.now_ms += 500; /* the database is slow */
        cr_assert(fake_commit(&fake));
    }
    cr_assert_eq(table->dealt_no, 2, "it is dealt");
    cr_assert_leq(fake.now_ms - ended_ms, 8000 + TAB_OVERDUE_MS + 2 * 500);
    fake_close(&fake);
}

Test(between_hands, an_outage_stops_the_pause_between_hands)
{
    struct tab_table *table = open_session(1);
    play_until(table, TAB_WRITE_HAND);
    cr_assert(fake_commit(&fake));
    tab_outage_begin(&fake.registry, true);
    fake_pass(&fake, 60000);
    cr_assert_null(fake.pending);
    tab_outage_end(&fake.registry);
    fake_pass(&fake, 7999);
    cr_assert_null(fake.pending);
    fake_pass(&fake, 1);
    cr_assert_eq(fake.pending->kind, TAB_WRITE_DEAL);
    fake_close(&fake);
}

/* ---- Recovery ---- */
static void expect_same(const struct tab_table *live)
{
    static struct tab_load_move moves[FAKE_ROWS_MAX];
    struct tab_table *again = malloc(sizeof(*again));
    for (size_t i = 0; i < fake.rows_n; i++)
        moves[i] = fake.rows[i].row;
    fake.load.moves = moves;
    fake.load.moves_n = fake.rows_n;
    cr_assert(tab_replay(again, &fake.load));
    cr_assert_eq(memcmp(&live->game, &again->game, sizeof(live->game)), 0);
    cr_assert_eq(live->events.last_v, again->events.last_v);
    cr_assert_eq(live->hand_no, again->hand_no);
    cr_assert_eq(live->dealt_no, again->dealt_no);
    cr_assert_eq(live->dealt_v, again->dealt_v);
    cr_assert_eq(live->turn_v, again->turn_v);
    cr_assert_eq(live->moves.n, again->moves.n);
    cr_assert_eq(live->last.no, again->last.no);
    cr_assert_eq(memcmp(live->last.server_seed, again->last.server_seed, 32), 0);
    cr_assert_eq(memcmp(live->commit, again->commit, 32), 0);
    cr_assert_eq(live->before == NULL, again->before == NULL);
    cr_assert(!live->before || memcmp(live->before, again->before, sizeof(*live->before)) == 0);
    for (uint8_t i = 0; i < live->seats_n; i++)
        cr_assert_eq(live->seats[i].person.seed.len, again->seats[i].person.seed.len);
    fake_expect_same_events(&live->events, &again->events);
    tab_unload(again);
    free(again);
}

Test(between_hands, replayed_rows_equal_the_table_at_any_point)
{
    struct tab_table *table = open_session(2);
    uint32_t records = 0;
    for (int i = 0; i < 20000 && table->state == TAB_PLAYING; i++) {
        bool settles = fake.pending && fake.pending->kind == TAB_WRITE_SETTLE;
        bool ended = fake.pending && (settles || fake.pending->kind == TAB_WRITE_HAND);
        if (!fake.pending) {
            fake_pass(&fake, 4000);
            continue;
        }
        cr_assert(fake_commit(&fake));
        records += ended;
        if (!fake.pending && !settles && (i % 7 == 0 || ended))
            expect_same(table);
        if (eng_phase(&table->game) == ENG_HAND_OVER && !fake.pending &&
            table->seats[0].person.seed.len == 0) {
            struct tab_command seed = command_of(0, TAB_DO_SEED, "sx");
            seed.id[1] = (char)('0' + table->hand_no);
            tab_command(table, &seed);
        }
    }
    cr_assert_eq(table->state, TAB_OVER);
    cr_assert_eq(records, 3, "three rounds");
    cr_assert_eq(table->last.no, 3);
    fake_close(&fake);
}

Test(between_hands, inconsistent_rows_are_rejected)
{
    static struct tab_load_move moves[FAKE_ROWS_MAX];
    struct tab_table *table = open_session(1), *again = malloc(sizeof(*again));
    play_until(table, TAB_WRITE_DEAL);
    cr_assert(fake_commit(&fake));
    for (int wrong = -1; wrong < 5; wrong++) {
        for (size_t i = 0; i < fake.rows_n; i++)
            moves[i] = fake.rows[i].row;
        struct tab_hand hands[3] = {fake.hands[0], fake.hands[1], fake.hands[1]};
        struct tab_load load = fake.load;
        load.hands = hands;
        load.moves = moves;
        load.moves_n = fake.rows_n;
        if (wrong == 0)
            hands[0].seeds[0].bytes[0] ^= 1;
        if (wrong == 1)
            hands[1].no = 3;
        if (wrong == 2)
            load.hands_n = 1; /* the hand is over, and no next hand is promised */
        if (wrong == 3)
            load.hands_n = 3;
        if (wrong == 4)
            moves[0].hand_no = 2;
        cr_assert_eq(tab_replay(again, &load), wrong < 0, "case %d", wrong);
        tab_unload(again);
    }
    free(again);
    fake_close(&fake);
}

/* The record of its last hand is already written: the end of the session is appended to it. */
Test(between_hands, a_departure_that_ends_the_session_is_in_the_last_record)
{
    struct tab_table *table = fake_open_variant(&fake, "deals2", "", 2, 2);
    struct eng_record record;
    struct eng_step *steps = calloc(TAB_MOVES_MAX, sizeof(*steps));
    struct eng_record_error error;
    struct eng_verdict verdict;
    char memory[65536];
    struct buf text = buf_on(memory, sizeof(memory) - 1);

    fake_start(&fake, table, 2);
    for (uint8_t i = 0; i < 2; i++)
        tab_quit(table, i, &fake.sockets[i]);
    play_until(table, TAB_WRITE_HAND);
    cr_assert(fake_commit(&fake));
    buf_str(&text, fake.record);
    struct tab_hand last = table->last;
    tab_join(table, 1, &fake.sockets[3], -1);
    fake_settle_down(&fake);
    struct tab_command leave = command_of(1, TAB_DO_LEAVE, "l");
    tab_command(table, &leave);
    cr_assert(fake.pending && fake.pending->kind == TAB_WRITE_SETTLE);
    cr_assert(fake_commit(&fake));
    cr_assert_eq(table->state, TAB_OVER);
    cr_assert_eq(memcmp(&last, &table->last, sizeof(last)), 0, "the promised hand is never revealed");
    buf_str(&text, fake.record);
    memory[text.len] = '\0';
    HAS(fake.record, "leave 1\nfinal 0 place 1 total ");
    HAS(fake.record, " won\nfinal 1 place 2 total ");
    eng_record_init(&record, eng_params_find("deals2"), 2, steps, TAB_MOVES_MAX);
    cr_assert(eng_record_parse(&record, memory, text.len, &error), "%u:%u: %s", error.line, error.column,
              error.expected);
    cr_assert(eng_record_verify(&record, &verdict), "%s", verdict.text);
    cr_assert_eq(record.close.winners, 1);
    free(steps);
    fake_close(&fake);
}

/* A bot that is out of a pool rejoins, if permitted, before the next hand is dealt. */
Test(between_hands, bots_rejoin_a_pool)
{
    struct tab_table *table = fake_open_variant(&fake, "pool101", "", 4, 1);
    struct eng_game *game = &table->game;
    const uint8_t bot = 2;

    fake_start(&fake, table, 1);
    tab_quit(table, 0, &fake.sockets[0]);
    play_until(table, TAB_WRITE_HAND);
    cr_assert(fake_commit(&fake));
    cr_assert(table->seats[bot].person.bot && eng_phase(game) == ENG_HAND_OVER);
    for (int seat = 0; seat < 4; seat++)
        game->points[seat] = seat == bot ? 101 : 10 + seat;
    game->out_at[bot] = game->hand_no;
    cr_assert(eng_seat_is_out(game, bot));
    fake_pass(&fake, 30000);
    cr_assert(fake.pending && fake.pending->kind == TAB_WRITE_MOVE && fake.pending->seat == bot);
    cr_assert_eq(fake.pending->move[0], ENG_REJOIN);
    cr_assert(!eng_seat_is_out(game, bot) && game->points[bot] == 14);
    cr_assert(fake_commit(&fake));
    play_until(table, TAB_WRITE_DEAL);
    cr_assert(fake_commit(&fake));
    cr_assert(table->between.n == 1 && table->between.moves[0].type == ENG_REJOIN,
              "for the record of the hand");
    cr_assert(table->between.moves[0].seat == bot && table->coming.n == 0);
    fake_close(&fake);
}

/* Only one player is in, and a human player may still rejoin, so the table waits until the time between
 * hands is over, and then ends the pool. */
Test(between_hands, a_pool_with_one_player_ends_if_no_player_rejoins)
{
    struct tab_table *table = fake_open_variant(&fake, "pool101", "", 4, 2);
    struct eng_game *game = &table->game;

    fake_start(&fake, table, 2);
    tab_quit(table, 0, &fake.sockets[0]);
    play_until(table, TAB_WRITE_HAND);
    cr_assert(fake_commit(&fake));
    for (uint8_t seat = 0; seat < 4; seat++) {
        game->points[seat] = seat == 0 ? 79 : 101;
        game->out_at[seat] = seat == 0 ? 0 : game->hand_no;
        game->place[seat] = seat == 0 ? 1 : 2;
    }
    cr_assert_not(eng_may_deal(game));
    fake_pass(&fake, 1);
    cr_assert_null(fake.pending, "the deal waits for seat 1");
    fake_pass(&fake, 30000);
    cr_assert(fake.pending && fake.pending->kind == TAB_WRITE_SETTLE && fake.pending->move[0] == ENG_CLOSE);
    cr_assert(fake.pending->more->record &&
              strstr(fake.pending->more->record, "after close\nfinal 0 place 1 total 79 won\n"));
    cr_assert(fake_commit(&fake));
    cr_assert_eq(table->state, TAB_OVER);
    fake_close(&fake);
}
