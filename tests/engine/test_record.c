/* Records: printed ones parse to the same record and verify, and changed ones are detected. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/record/record.h"
#include "tests/engine/play.h"

enum { STEPS_MAX = 16384, TEXT_MAX = 1 << 21 };

static struct eng_move moves[STEPS_MAX];
static struct eng_step steps[STEPS_MAX], read_steps[STEPS_MAX];
static char text[TEXT_MAX], changed[TEXT_MAX];
static struct eng_verdict verdict;

/* A whole random game as a record and as text; returns the text's length. */
static size_t make_record(struct eng_record *r, uint64_t number)
{
    uint64_t rng = number;
    uint8_t seed[32];
    struct eng_game g;
    struct eng_outcome out;
    uint32_t n = 0;
    eng_record_init(r, eng_params_find("rummy51"), 2 + (int)(number % 3), steps, STEPS_MAX);
    for (int i = 0; i < 32; i++)
        seed[i] = (uint8_t)play_random(&rng);
    eng_record_set_seed(r, seed);
    r->table_id = 1000 + number;
    strcpy(r->start, "2026-11-20T19:28:00.123Z");
    strcpy(r->end, "2026-11-20T19:41:07.000Z");
    strcpy(r->seats[0].name, "Ana \"51\" \\ Ž");
    strcpy(r->seats[1].name, "Mravac");
    r->seats[1].bot = ENG_BOT_MEDIUM;
    r->seats[0].seed.len = 16;
    cr_assert(eng_record_play(r, NULL, 0, &verdict));
    cr_assert(eng_record_start(r, &g, &verdict));
    while (eng_phase(&g) != ENG_SESSION_OVER) {
        struct eng_move m;
        if (play_below(&rng, 30) == 0)
            play_nonsense(&g, &rng, &m);
        else
            play_propose(&g, &rng, &m);
        cr_assert_lt(n, STEPS_MAX);
        if (eng_apply(&g, &m, &out) == ENG_OK)
            moves[n++] = m;
    }
    cr_assert(eng_record_play(r, moves, n, &verdict), "%s", verdict.text);
    struct buf b = buf_on(text, sizeof text - 1);
    eng_record_print(r, &b);
    cr_assert_not(b.full);
    cr_assert_leq(b.len, eng_record_text_max(n));
    text[b.len] = '\0';
    return b.len;
}

static bool parse(struct eng_record *r, const char *from, struct eng_record_error *error)
{
    r->steps = read_steps;
    r->steps_max = STEPS_MAX;
    return eng_record_parse(r, from, strlen(from), error);
}

Test(record, a_printed_record_parses_as_the_same_record_and_verifies)
{
    for (uint64_t number = 0; number < 60; number++) {
        struct eng_record one, two;
        struct eng_record_error error;
        make_record(&one, number);
        cr_assert(eng_record_verify(&one, &verdict), "%s", verdict.text);
        cr_assert(parse(&two, text, &error), "%u:%u expected %s", error.line, error.column, error.expected);
        cr_assert(eng_record_verify(&two, &verdict), "%s", verdict.text);
        cr_assert_eq(memcmp(steps, read_steps, one.steps_n * sizeof *steps), 0);
        two.steps = one.steps;
        cr_assert_eq(memcmp(&one, &two, sizeof one), 0);
    }
}

/* The text with one part replaced. */
static void replace(const char *part, const char *by)
{
    char *at = strstr(text, part);
    cr_assert_not_null(at, "%s", part);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, by, at + strlen(part));
}

static enum eng_verdict_code verdict_of_changed(void)
{
    struct eng_record r;
    struct eng_record_error error;
    cr_assert(parse(&r, changed, &error), "%u:%u expected %s", error.line, error.column, error.expected);
    bool good = eng_record_verify(&r, &verdict);
    cr_assert_eq(good, verdict.code == ENG_VERDICT_OK);
    return verdict.code;
}

/* Finds a line to change in the text of record 2 of four players. */
static void line_of(const char *prefix, char line[512])
{
    char *at = strstr(text, prefix);
    cr_assert_not_null(at, "%s", prefix);
    snprintf(line, 512, "%.*s", (int)strcspn(at, "\n"), at);
}

Test(record, wrong_seeds_deals_moves_and_scores_get_different_verdicts)
{
    struct eng_record r;
    char line[512], other[1024], hex[3] = {0};
    make_record(&r, 2);
    line_of("[ServerSeed", line);
    strcpy(other, line);
    other[13] = other[13] == '0' ? '1' : '0';
    replace(line, other);
    cr_assert_eq(verdict_of_changed(), ENG_VERDICT_WRONG_COMMIT);

    line_of("[ClientSeed0", line);
    snprintf(hex, sizeof hex, "%s", "ff");
    snprintf(other, sizeof other, "[ClientSeed0 \"%s%s", hex, line + 16);
    replace(line, other);
    cr_assert_eq(verdict_of_changed(), ENG_VERDICT_WRONG_DEAL);

    line_of("[Table", line);
    replace(line, "[Table \"1\"]");
    cr_assert_eq(verdict_of_changed(), ENG_VERDICT_WRONG_DEAL);

    snprintf(other, sizeof other, "[Starter \"%d\"]", (r.setup.starter + 1) % r.players);
    line_of("[Starter", line);
    replace(line, other);
    cr_assert_eq(verdict_of_changed(), ENG_VERDICT_WRONG_DEAL);

    line_of("score 0", line);
    line_of("result", other);
    replace("\nresult out", "\nresult stalled");
    cr_assert_eq(verdict_of_changed(), ENG_VERDICT_WRONG_SCORE);
    char *points = strstr(line, "points ");
    snprintf(other, sizeof other, "%.*spoints 7%s", (int)(points - line), line, strstr(points, " cards"));
    replace(line, other);
    cr_assert_eq(verdict_of_changed(), ENG_VERDICT_WRONG_SCORE);
    cr_assert_eq(verdict.seat, 0);
    cr_assert_eq(verdict.step, r.steps_n);
}

Test(record, an_illegal_move_is_reported_with_its_turn_and_reason)
{
    struct eng_record r;
    char line[512], other[1024];
    make_record(&r, 2);
    line_of("\n1. ", other);
    line_of("1. ", line);
    snprintf(other, sizeof other, "%.5sstock 2C1, throw 2C1", line);
    replace(line, other);
    cr_assert_eq(verdict_of_changed(), ENG_VERDICT_ILLEGAL_MOVE);
    cr_assert_eq(verdict.refusal, ENG_ALREADY_DRAWN);
    cr_assert_eq(verdict.turn, 1);
    cr_assert_eq(verdict.step, 0);
    cr_assert_eq(verdict.seat, r.setup.starter);
}

Test(record, a_drawn_card_that_differs_from_the_seeds_does_not_verify)
{
    struct eng_record r;
    make_record(&r, 2);
    char *at = strstr(text, "stock ");
    cr_assert_not_null(at);
    char part[16], by[16];
    snprintf(part, sizeof part, "%.9s", at);
    snprintf(by, sizeof by, "stock %s", strncmp(part + 6, "X1", 2) == 0 ? "X2" : "X1");
    if (part[6] == 'X')
        part[8] = '\0';
    replace(part, by);
    cr_assert_eq(verdict_of_changed(), ENG_VERDICT_WRONG_DEAL);
}

Test(record, a_result_is_required_if_and_only_if_the_hand_is_over)
{
    struct eng_record r;
    make_record(&r, 2);
    *strstr(text, "\nresult") = '\0';
    strcpy(changed, text);
    cr_assert_eq(verdict_of_changed(), ENG_VERDICT_WRONG_SCORE);
    make_record(&r, 2);
    char *last = strstr(text, "\n\nresult"), *line = last;
    while (*--line != '\n')
        ;
    snprintf(changed, sizeof changed, "%.*s%s", (int)(line - text), text, last);
    cr_assert_eq(verdict_of_changed(), ENG_VERDICT_WRONG_SCORE);
}

static const char position[] = "; a vector: the swap of a joker wins\n"
                               "[Rummyd \"1\"]\n"
                               "[Variant \"rummy51\"]\n"
                               "[Params \"turn_s=45\"]\n"
                               "[Players \"2\"]\n"
                               "[Setup \"yes\"]\n"
                               "[Starter \"1\"]\n"
                               "[Turns \"4 4\"]\n"
                               "[ToMove \"0\"]\n"
                               "[Phase \"draw\"]\n"
                               "[Cards0 \"6H1\"]\n"
                               "[Cards1 \"KC1 KC2\"]\n"
                               "[Opened \"0 1\"]\n"
                               "[Meld \"1 5H1 X1 7H1\"]\n"
                               "[Discard \"9C1 9C2\"]\n"
                               "[Stock \"4H1\"]\n"
                               "\n"
                               "1. 0 stock 4H1, lay 4H1 m0, swap 6H1 m0, throw X1\n"
                               "\n"
                               "result out 0\n"
                               "score 0 place 1 points -40 cards 0 opened won\n"
                               "score 1 place 2 points 20 cards 2 opened\n";

Test(record, any_position_can_be_set_up)
{
    struct eng_record one, two;
    struct eng_record_error error;
    cr_assert(parse(&one, position, &error), "%u:%u expected %s", error.line, error.column, error.expected);
    cr_assert_eq(one.params.turn_s, 45);
    cr_assert(eng_record_verify(&one, &verdict), "%s", verdict.text);
    struct buf b = buf_on(text, sizeof text - 1);
    memcpy(steps, read_steps, sizeof steps);
    eng_record_print(&one, &b);
    text[b.len] = '\0';
    cr_assert(parse(&two, text, &error), "%u:%u expected %s", error.line, error.column, error.expected);
    cr_assert_eq(memcmp(&one, &two, sizeof one), 0);
    cr_assert_eq(memcmp(steps, read_steps, one.steps_n * sizeof *steps), 0);
}

Test(record, an_impossible_position_does_not_verify)
{
    static const struct {
        const char *part, *by;
    } cases[] = {
        {"KC1 KC2", "KC1 6H1"},                 /* a card twice */
        {"KC1 KC2", "KC1 X5"},                  /* not in this pack */
        {"1 5H1 X1 7H1", "1 5H1 X1 8H1"},       /* no meld */
        {"[Opened \"0 1\"]", "[Opened \"0\"]"}, /* the owner of the meld has not opened */
        {"4 4", "200 0"},                       /* this hand would already be over */
        {"9C1 9C2", "9C1 5H1"},
        {"[Stock \"4H1\"]", "[Stock \"9C1\"]"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        strcpy(text, position);
        replace(cases[i].part, cases[i].by);
        cr_assert_eq(verdict_of_changed(), ENG_VERDICT_WRONG_POSITION, "%s", cases[i].by);
    }
}

Test(record, parse_errors_have_a_position_and_an_expectation)
{
    static const struct {
        const char *part, *by;
        uint32_t line, column;
    } cases[] = {
        {"[Rummyd \"1\"]", "[Rummyd \"2\"]", 2, 10},
        {"rummy51", "rummy52", 3, 11},
        {"turn_s=45", "turn_s=450", 4, 17},
        {"turn_s=45", "turn_s=045", 4, 17},
        {"turn_s=45", "turn=45", 4, 10},
        {"[Players \"2\"]", "[Players \"7\"]", 5, 11},
        {"[Players \"2\"]", "[Player \"2\"]", 5, 2},
        {"[Setup \"yes\"]\n", "[Setup \"yes\"]\n[Setup \"yes\"]\n", 7, 7},
        {"KC1 KC2", "KC1 KC1", 12, 17},
        {"KC1 KC2", "KC1  KC2", 12, 14},
        {"KC1 KC2", "KC3", 12, 10},
        {"\n\n1. 0", "\n1. 0", 17, 1},
        {"\n1. 0", "\n2. 0", 18, 1},
        {"1. 0 stock", "1. 2 stock", 18, 4},
        {"1. 0 stock", "1. 0 stack", 18, 6},
        {"1. 0 stock", "1. - stock", 18, 6},
        {"stock 4H1", "stock", 18, 11},
        {"throw X1", "throw", 18, 47},
        {"throw X1", "throw X1,", 18, 50},
        {"throw X1\n", "throw X1, cancel\n", 18, 52},
        {"lay 4H1 m0", "lay 4H1 m36", 18, 26},
        {"result out 0", "result over 0", 20, 8},
        {"score 1 place 2", "score 0 place 2", 22, 8},
        {"opened won\n", "won opened\n", 21, 39},
        {"cards 2 opened\n", "cards 2 opened", 22, 41},
        {"cards 2 opened\n", "cards 2 opened\nmore", 23, 1},
        {"[Turns \"4 4\"]\n", "", 16, 1},
        {"[Cards1 \"KC1 KC2\"]\n", "", 16, 1},
        {"[Starter \"1\"]", "[Starter \"3\"]", 17, 1},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct eng_record r;
        struct eng_record_error error;
        strcpy(text, position);
        replace(cases[i].part, cases[i].by);
        cr_assert_not(parse(&r, changed, &error), "%s", cases[i].by);
        cr_assert(error.line == cases[i].line && error.column == cases[i].column, "%s: %u:%u expected %s",
                  cases[i].by, error.line, error.column, error.expected);
    }
}

Test(record, truncated_and_corrupted_records_do_not_crash)
{
    struct eng_record r;
    struct eng_record_error error;
    size_t len = make_record(&r, 1);
    for (size_t cut = 0; cut < len; cut += 1 + cut / 64) {
        r.steps = read_steps;
        r.steps_max = STEPS_MAX;
        if (eng_record_parse(&r, text, cut, &error))
            eng_record_verify(&r, &verdict);
    }
    uint64_t rng = 4;
    for (int i = 0; i < 3000; i++) {
        size_t at = play_below(&rng, (uint32_t)len);
        char was = text[at];
        text[at] = (char)play_random(&rng);
        r.steps = read_steps;
        r.steps_max = STEPS_MAX;
        if (eng_record_parse(&r, text, len, &error))
            eng_record_verify(&r, &verdict);
        text[at] = was;
    }
}

Test(record, memory_and_text_are_bounded)
{
    struct eng_record r, small;
    struct eng_record_error error;
    size_t len = make_record(&r, 1);
    small.steps = read_steps;
    small.steps_max = r.steps_n - 1;
    cr_assert_not(eng_record_parse(&small, text, len, &error));
    cr_assert_str_eq(error.expected, "fewer moves");
    r.steps_max = r.steps_n;
    cr_assert(eng_record_play(&r, moves, r.steps_n, &verdict));
    cr_assert_not(eng_record_play(&r, moves, r.steps_n + 1, &verdict));
    cr_assert_eq(verdict.code, ENG_VERDICT_TOO_LONG);
    struct buf b = buf_on(changed, len - 1);
    eng_record_print(&r, &b);
    cr_assert(b.full);
}

/* The example records in the tree are valid. */
Test(record, the_example_records_verify)
{
    static const char *const files[] = {"tests/fuzz/seeds/record/dealt.rec",
                                        "tests/fuzz/seeds/record/position.rec"};
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        struct eng_record r;
        struct eng_record_error error;
        FILE *f = fopen(files[i], "r");
        cr_assert_not_null(f, "run the tests from the root of the repository");
        size_t n = fread(changed, 1, sizeof changed - 1, f);
        fclose(f);
        changed[n] = '\0';
        cr_assert(parse(&r, changed, &error), "%s:%u:%u expected %s", files[i], error.line, error.column,
                  error.expected);
        cr_assert(eng_record_verify(&r, &verdict), "%s: %s", files[i], verdict.text);
    }
}
