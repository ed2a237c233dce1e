/* Actions between two hands, in records: listed with the next hand, or after the last one if a player's
 * leaving ended the session. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/bug.h"
#include "engine/record/record.h"
#include "tests/engine/play.h"

#define ROW(name) (eng_params_find(name))
#define TOTALS(...) ((const int[]){__VA_ARGS__})

enum { BETWEEN_MOVES = 4000 };

/* A hand of a pool of four is over: seat 2 is out, seat 3 has the highest total of those still in. */
static struct eng_game pool_after_a_hand(void)
{
    struct eng_game g;
    struct eng_outcome out;
    uint64_t rng = 5;
    play_deal(&g, ROW("pool101"), 4, 9, &out);
    while (g.phase != ENG_HAND_OVER) {
        struct eng_move m;
        play_well(&g, &rng, &m);
        (void)eng_apply(&g, &m, &out);
    }
    memcpy(g.points, TOTALS(10, 20, 101, 60), sizeof *g.points * 4);
    g.out_at[2] = g.hand_no;
    eng_check(&g);
    return g;
}

/* The record of the next hand, with these moves between the two hands. */
static void record_after(struct eng_record *r, const struct eng_game *end, const struct eng_move *moves,
                         int n)
{
    static struct eng_step steps[BETWEEN_MOVES];
    static struct eng_move played[BETWEEN_MOVES];
    struct eng_game g = *end;
    struct eng_outcome out;
    struct eng_between between = {0};
    struct eng_verdict verdict;
    uint8_t seed[32] = {31}, key[ENG_KEY_BYTES];
    struct eng_client_seed seeds[ENG_SEAT_MAX] = {0};
    uint64_t rng = 6;
    uint32_t played_n = 0;
    for (int i = 0; i < n; i++) {
        cr_assert_eq(eng_apply(&g, &moves[i], &out), ENG_OK);
        eng_between_add(&between, &moves[i]);
    }
    eng_record_init(r, &g.params, g.players, steps, BETWEEN_MOVES);
    eng_record_set_seed(r, seed);
    r->table_id = 7;
    eng_record_follow(r, &g, &between);
    eng_deal_key(key, seed, 7, r->hand_no, seeds, g.players);
    eng_deal(&g, key, &out);
    while (g.phase != ENG_HAND_OVER && g.phase != ENG_SESSION_OVER) {
        cr_assert_lt(played_n, BETWEEN_MOVES);
        play_well(&g, &rng, &played[played_n]);
        played_n += eng_apply(&g, &played[played_n], &out) == ENG_OK;
    }
    cr_assert(eng_record_play(r, played, played_n, &verdict), "%s", verdict.text);
}

Test(between, a_record_lists_the_order_in_which_seats_left_and_rejoined)
{
    static struct eng_record record, again;
    static struct eng_step steps[BETWEEN_MOVES];
    static char text[1 << 19], printed[1 << 19];
    const struct eng_move rejoin = {.type = ENG_REJOIN, .seat = 2, .meld = ENG_NO_MELD};
    const struct eng_move leave = {.type = ENG_LEAVE, .seat = 3, .meld = ENG_NO_MELD};
    const struct {
        struct eng_move moves[2];
        const char *stated;
        int total;
    } cases[] = {{{rejoin, leave}, "[Between \"rejoin 2, leave 3\"]\n", 61},
                 {{leave, rejoin}, "[Between \"leave 3, rejoin 2\"]\n", 21}};
    struct eng_game end = pool_after_a_hand();
    struct eng_record before = {
        .params = end.params, .players = end.players, .table_id = 7, .hand_no = end.hand_no};
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct eng_record_error error;
        struct eng_verdict verdict;
        record_after(&record, &end, cases[i].moves, 2);
        struct buf b = buf_on(text, sizeof text), c = buf_on(printed, sizeof printed);
        eng_record_print(&record, &b);
        cr_assert_not_null(strstr(text, cases[i].stated));
        eng_record_init(&again, &end.params, end.players, steps, BETWEEN_MOVES);
        cr_assert(eng_record_parse(&again, text, b.len, &error), "%u:%u: %s", error.line, error.column,
                  error.expected);
        eng_record_print(&again, &c);
        cr_assert(b.len == c.len && memcmp(text, printed, b.len) == 0);
        cr_assert_eq(again.totals[2], cases[i].total, "a seat that rejoins gets the highest total plus one");
        cr_assert(eng_record_verify(&again, &verdict), "%s", verdict.text);
        cr_assert(eng_record_follows(&again, &before, &end, &verdict), "%s", verdict.text);
        struct eng_between stated = again.between;
        again.between.moves[0] = stated.moves[1];
        again.between.moves[1] = stated.moves[0];
        cr_assert_not(eng_record_follows(&again, &before, &end, &verdict));
        cr_assert_eq(verdict.code, ENG_VERDICT_WRONG_SCORE, "another order gives another total");
        again.between.n = 0;
        cr_assert_not(eng_record_follows(&again, &before, &end, &verdict));
        again.between = stated;
        again.between.moves[0].seat = 0; /* still in the pool; or leaves, contrary to the record */
        cr_assert_not(eng_record_follows(&again, &before, &end, &verdict));
        cr_assert_eq(verdict.code, i == 0 ? ENG_VERDICT_ILLEGAL_MOVE : ENG_VERDICT_WRONG_SCORE);
    }
}

/* ---- The end of a session between two hands ---- */

static struct eng_record closed, read_again;
static struct eng_step closed_steps[BETWEEN_MOVES];
static char closed_text[1 << 19], closed_printed[1 << 19];
static struct eng_verdict said;

#define DO(kind, who) INIT(.type = (kind), .seat = (who), .meld = ENG_NO_MELD)

/* The second hand of the pool is over and so is the session, after the seats rejoin and leave in this
 * order. */
static void close_pool(const struct eng_move *moves, int n)
{
    struct eng_game end = pool_after_a_hand();
    struct eng_outcome out;
    struct eng_between done = {0};
    record_after(&closed, &end, NULL, 0);
    cr_assert(eng_record_end(&closed, &end, &said), "%s", said.text);
    cr_assert_eq(end.phase, ENG_HAND_OVER);
    for (int i = 0; i < n; i++) {
        cr_assert_eq(end.phase, ENG_HAND_OVER);
        cr_assert_eq(eng_apply(&end, &moves[i], &out), ENG_OK);
        eng_between_add(&done, &moves[i]);
    }
    cr_assert_eq(end.phase, ENG_SESSION_OVER);
    eng_record_close(&closed, &end, &done);
}

static bool parses(const char *from, size_t len, struct eng_record_error *error)
{
    eng_record_init(&read_again, ROW("pool101"), 4, closed_steps, BETWEEN_MOVES);
    return eng_record_parse(&read_again, from, len, error);
}

/* Writes the record of a pool that these moves end to closed_text, and checks that it is valid and does not
 * change when it is parsed and printed again. Returns its length. */
static size_t print_closed(const struct eng_move *moves, int n)
{
    struct eng_record_error error;
    close_pool(moves, n);
    struct buf b = buf_on(closed_text, sizeof closed_text - 1),
               c = buf_on(closed_printed, sizeof closed_printed);
    eng_record_print(&closed, &b);
    closed_text[b.len] = '\0';
    cr_assert(parses(closed_text, b.len, &error), "%u:%u: %s", error.line, error.column, error.expected);
    eng_record_print(&read_again, &c);
    cr_assert(b.len == c.len && memcmp(closed_text, closed_printed, b.len) == 0);
    cr_assert(eng_record_verify(&read_again, &said), "%s", said.text);
    return b.len;
}

Test(between, the_last_record_lists_the_departures_that_ended_the_session)
{
    const struct eng_move moves[] = {DO(ENG_LEAVE, 2), DO(ENG_LEAVE, 3), DO(ENG_LEAVE, 0)};
    size_t len = print_closed(moves, ARRAY_LEN(moves));
    const char *after = strstr(closed_text, "\nafter leave 2, leave 3, leave 0\nfinal 0 place ");
    cr_assert_not_null(after);
    cr_assert_not_null(strstr(after, " won\nfinal 2 "), "seat 1 is the last one in: %s", after);
    /* The record printed when the hand ended, plus the end of the session, is the same text. */
    struct eng_record open = closed;
    open.close = (struct eng_record_close){0};
    struct buf b = buf_on(closed_printed, sizeof closed_printed);
    eng_record_print(&open, &b);
    eng_record_print_close(&closed, &b);
    cr_assert(b.len == len && memcmp(closed_text, closed_printed, len) == 0);
}

/* No player rejoins the only one who is still in, so the table ends the session, and the record states
 * that. */
Test(between, the_last_record_states_that_no_player_rejoined)
{
    const struct eng_move moves[] = {DO(ENG_LEAVE, 3), DO(ENG_LEAVE, 0), DO(ENG_CLOSE, 0)};
    (void)print_closed(moves, ARRAY_LEN(moves));
    cr_assert_not_null(strstr(closed_text, "\nafter leave 3, leave 0, close\nfinal 0 place "));
    read_again.close.done.n--;
    cr_assert_not(eng_record_verify(&read_again, &said), "seat 2 may still rejoin");
    cr_assert_eq(said.code, ENG_VERDICT_WRONG_SESSION);
    read_again = closed;
    read_again.close.done.moves[1].type = ENG_CLOSE;
    cr_assert_not(eng_record_verify(&read_again, &said), "two are in, and the game continues");
    cr_assert_eq(said.refusal, ENG_NOTHING_DECLARED);
    /* No hand follows while only one player is in. */
    struct eng_record next = closed;
    struct eng_game end;
    closed.close.done.n = 0;
    cr_assert(eng_record_end(&closed, &end, &said), "%s", said.text);
    next.hand_no++;
    next.has_totals = true;
    next.between = (struct eng_between){.n = 2, .moves = {{ENG_LEAVE, 3}, {ENG_LEAVE, 0}}};
    for (int seat = 0; seat < 4; seat++) {
        next.totals[seat] = end.points[seat];
        next.bonus[seat] = end.bonus[seat];
        next.setup.out_at[seat] = end.out_at[seat];
    }
    next.setup.left = next.setup.away = 1 | 1 << 3;
    next.setup.out_at[0] = next.setup.out_at[3] = end.hand_no;
    cr_assert_not(eng_record_follows(&next, &closed, &end, &said));
    cr_assert_eq(said.code, ENG_VERDICT_WRONG_SESSION);
    cr_assert_str_eq(said.text, "Before this hand, only one seat was still in, and no one had rejoined.");
}

static void blames(enum eng_verdict_code code, const char *what)
{
    cr_assert_not(eng_record_verify(&read_again, &said), "%s", what);
    cr_assert_eq(said.code, code, "%s: %s", what, said.text);
    read_again = closed;
}

Test(between, a_changed_end_of_a_session_does_not_verify)
{
    const struct eng_move moves[] = {DO(ENG_REJOIN, 2), DO(ENG_LEAVE, 0), DO(ENG_LEAVE, 3), DO(ENG_LEAVE, 1)};
    close_pool(moves, ARRAY_LEN(moves));
    struct eng_between *done = &read_again.close.done;
    read_again = closed;
    cr_assert_eq(closed.close.winners, 1 << 2, "the seat that rejoined is the last one in");
    cr_assert(eng_record_verify(&read_again, &said), "%s", said.text);
    read_again.close.seats[1].total++;
    blames(ENG_VERDICT_WRONG_SCORE, "total");
    cr_assert_eq(said.seat, 1);
    read_again.close.seats[0].place = read_again.close.seats[1].place;
    blames(ENG_VERDICT_WRONG_SCORE, "place");
    read_again.close.winners |= 1;
    blames(ENG_VERDICT_WRONG_SCORE, "winner");
    done->n--;
    blames(ENG_VERDICT_WRONG_SESSION, "one who left is not told");
    done->moves[done->n].type = ENG_LEAVE;
    done->moves[done->n++].seat = 2;
    blames(ENG_VERDICT_WRONG_SESSION, "one more left after the end");
    done->moves[2].seat = 0;
    blames(ENG_VERDICT_ILLEGAL_MOVE, "one left twice");
    cr_assert_eq(said.refusal, ENG_ALREADY_LEFT);
    read_again.result.finished = false;
    blames(ENG_VERDICT_WRONG_SCORE, "a hand that is not over");
}

Test(between, no_hand_follows_a_session_ended_by_departures)
{
    const struct eng_move moves[] = {DO(ENG_LEAVE, 2), DO(ENG_LEAVE, 3), DO(ENG_LEAVE, 0)};
    struct eng_game end;
    close_pool(moves, ARRAY_LEN(moves));
    cr_assert(eng_record_end(&closed, &end, &said), "%s", said.text);
    cr_assert_eq(end.phase, ENG_SESSION_OVER);
    struct eng_record next = closed;
    next.hand_no++;
    cr_assert_not(eng_record_follows(&next, &closed, &end, &said));
    cr_assert_eq(said.code, ENG_VERDICT_WRONG_SESSION);
}

Test(between, an_invalid_session_end_is_reported_with_its_position)
{
    const struct eng_move moves[] = {DO(ENG_LEAVE, 2), DO(ENG_LEAVE, 3), DO(ENG_LEAVE, 0)};
    static const struct {
        const char *text;
        uint32_t line, column; /* from the `after` line on */
        const char *expected;
    } cases[] = {
        {"after drop 3\n", 1, 7, "close, or return, rejoin, or leave with a seat"},
        {"after close 3\n", 1, 12, NULL},
        {"after leave 3,leave 0\n", 1, 14, NULL},
        {"after leave 4\n", 1, 13, NULL},
        {"after leave 3\n", 2, 1, NULL},
        {"after leave 3\nfinal 1 place 1 total 0\n", 2, 8, "the seats in order"},
        {"after leave 3\nfinal 0 place 5 total 0\n", 2, 15, "a place"},
        {"after leave 3\nfinal 0 place 1 total 1000000\n", 2, 23, "a total"},
        {"after leave 3\nfinal 0 place 1 total 0 left\n", 2, 24, NULL},
        {"after leave 0, leave 0, leave 0, leave 0, leave 0, leave 0, leave 0, leave 0, leave 0, leave 0, "
         "leave 0, leave 0, "
         "leave 0, leave 0, leave 0, leave 0, leave 0, leave 0, leave 0, leave 0\n",
         1, 184, "each action at most once per seat"},
    };
    struct eng_record_error error;
    close_pool(moves, ARRAY_LEN(moves));
    struct buf b = buf_on(closed_text, sizeof closed_text);
    closed.close.done.n = 0;
    eng_record_print(&closed, &b);
    uint32_t lines = 1;
    for (size_t i = 0; i < b.len; i++)
        lines += closed_text[i] == '\n';
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf c = buf_on(closed_printed, sizeof closed_printed);
        buf_put(&c, closed_text, b.len);
        buf_str(&c, cases[i].text);
        cr_assert_not(parses(closed_printed, c.len, &error), "case %zu", i);
        cr_assert_eq(error.line, lines + cases[i].line - 1, "case %zu: line %u", i, error.line);
        cr_assert_eq(error.column, cases[i].column, "case %zu: column %u: %s", i, error.column,
                     error.expected);
        cr_assert(cases[i].expected == NULL || strcmp(error.expected, cases[i].expected) == 0, "case %zu: %s",
                  i, error.expected);
    }
}
