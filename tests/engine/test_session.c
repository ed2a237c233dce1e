/* Sessions of several hands, the options of private tables, and records of later hands. */
#include <criterion/criterion.h>
#include <string.h>

#include "engine/record.h"
#include "tests/engine/play.h"

enum { MOVES_MAX = 60000, TEXT_MAX = 1024 * 1024 };

static struct eng_move moves[MOVES_MAX];
static struct eng_step steps[MOVES_MAX], again_steps[MOVES_MAX];
static struct eng_record record, again;
static char text[TEXT_MAX], printed[TEXT_MAX];

/* Plays the hand that was dealt; returns how many moves it took. */
static uint32_t play_hand(struct eng_game *g, uint64_t *rng)
{
    uint32_t n = 0;
    struct eng_outcome out;
    while (eng_seat_to_move(g) != ENG_NO_SEAT) {
        struct eng_move m;
        play_propose(g, rng, &m);
        if (eng_apply(g, &m, &out) != ENG_OK)
            continue;
        cr_assert_lt(n, MOVES_MAX);
        moves[n++] = m;
    }
    return n;
}

/* Recorded, printed, read and verified, the hand scores what the session says. */
static void record_holds(const struct eng_game *before, const struct eng_game *after, const uint8_t seed[32],
                         uint32_t n)
{
    struct eng_verdict verdict;
    struct eng_record_error error;
    eng_record_init(&record, &after->params, after->players, steps, MOVES_MAX);
    eng_record_set_seed(&record, seed);
    record.table_id = 7;
    record.hand_no = after->hand_no;
    record.has_totals = after->hand_no > 1;
    record.setup.starter = after->starter;
    memcpy(record.totals, before->points, sizeof record.totals);
    memcpy(record.bonus, before->bonus, sizeof record.bonus);
    cr_assert(eng_record_play(&record, moves, n, &verdict), "%s", verdict.text);
    struct buf b = buf_on(text, sizeof text);
    eng_record_print(&record, &b);
    cr_assert_not(b.full);
    eng_record_init(&again, &after->params, 2, again_steps, MOVES_MAX);
    cr_assert(eng_record_parse(&again, text, b.len, &error), "%u:%u: %s", error.line, error.column,
              error.expected);
    cr_assert(eng_record_verify(&again, &verdict), "%s", verdict.text);
    struct buf b2 = buf_on(printed, sizeof printed);
    eng_record_print(&again, &b2);
    cr_assert(b.len == b2.len && memcmp(text, printed, b.len) == 0);
    for (int seat = 0; seat < after->players; seat++)
        cr_assert_eq(after->points[seat], before->points[seat] + record.result.scores[seat].points);
}

static void play_session(const char *variant, int players)
{
    struct eng_game g, before;
    struct eng_outcome out;
    uint64_t rng = (uint64_t)players;
    uint8_t first = ENG_NO_SEAT;
    eng_init(&g, eng_params_find(variant), players);
    while (eng_phase(&g) != ENG_SESSION_OVER) {
        uint8_t seed[32] = {(uint8_t)(g.hand_no + 1)}, key[ENG_KEY_BYTES];
        struct eng_client_seed seeds[ENG_SEAT_MAX] = {0};
        before = g;
        eng_deal_key(key, seed, 7, g.hand_no + 1U, seeds, players);
        eng_deal(&g, key, &out);
        first = first == ENG_NO_SEAT ? g.starter : first;
        cr_assert_eq(g.starter, (first + g.hand_no - 1) % players, "starters rotate");
        uint32_t n = play_hand(&g, &rng);
        record_holds(&before, &g, seed, n);
    }
    const struct eng_params *p = eng_params_find(variant);
    bool reached = false;
    for (int seat = 0; seat < players; seat++)
        reached |= p->target > 0 && g.points[seat] >= p->target;
    cr_assert(reached || g.hand_no == p->session_hands);
}

Test(session, is_played_to_its_end_and_every_hand_has_a_record_that_holds)
{
    static const char *const variants[] = {"straight", "treff", "rummy40", "rami"};
    for (size_t i = 0; i < ARRAY_LEN(variants); i++)
        for (int players = 2; players <= 4; players++)
            play_session(variants[i], players);
}

Test(session, a_record_with_other_totals_does_not_hold)
{
    struct eng_params p = *eng_params_find("treff");
    struct eng_verdict verdict;
    uint8_t seed[32] = {9}, key[ENG_KEY_BYTES];
    struct eng_client_seed seeds[ENG_SEAT_MAX] = {0};
    struct eng_game g;
    struct eng_outcome out;
    uint64_t rng = 5;
    eng_init(&g, &p, 2);
    eng_deal_key(key, seed, 7, 1, seeds, 2);
    eng_deal(&g, key, &out);
    (void)play_hand(&g, &rng);
    struct eng_game before = g;
    eng_deal_key(key, seed, 7, 2, seeds, 2);
    eng_deal(&g, key, &out);
    uint32_t n = play_hand(&g, &rng);
    record_holds(&before, &g, seed, n);
    again.totals[0] += 1000;
    again.totals[1] -= 1000;
    bool changes = again.result.scores[0].place != 1 || again.result.scores[1].place != 2;
    cr_assert_eq(eng_record_verify(&again, &verdict), !changes);
    again.totals[0] -= 2000;
    again.totals[1] += 2000;
    cr_assert_eq(eng_record_verify(&again, &verdict), changes && again.result.scores[0].place == 2);
    again.hand_no = 4;
    cr_assert_not(eng_record_verify(&again, &verdict));
    cr_assert_eq(verdict.code, ENG_VERDICT_WRONG_POSITION);
}

Test(session, the_pile_of_the_deal_is_that_of_the_rules)
{
    static const struct {
        const char *variant;
        int players, deal, stock;
    } rows[] = {
        {"straight", 2, 10, 31}, {"straight", 3, 7, 30}, {"straight", 4, 7, 23}, {"treff", 2, 13, 80},
        {"treff", 3, 13, 67},    {"treff", 4, 13, 54},   {"rummy40", 2, 13, 83}, {"rummy40", 3, 13, 70},
        {"rummy40", 4, 13, 57},  {"rami", 2, 13, 83},    {"rami", 3, 13, 70},    {"rami", 4, 13, 57},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct eng_game g;
        struct eng_outcome out;
        play_deal(&g, eng_params_find(rows[i].variant), rows[i].players, i, &out);
        cr_assert_eq(g.stock_n, rows[i].stock, "%s %d", rows[i].variant, rows[i].players);
        cr_assert_eq(g.discard_n, 1);
        for (int seat = 0; seat < rows[i].players; seat++)
            cr_assert_eq(eng_cards_count(&g.hand[seat]), rows[i].deal);
    }
}

Test(session, options_have_limits)
{
    static const struct {
        const char *variant, *name, *value;
        bool good;
    } rows[] = {
        {"straight", "ace", "high", true},
        {"straight", "ace", "low", true},
        {"straight", "ace", "both", false},
        {"treff", "ace", "high", false},
        {"straight", "target", "50", true},
        {"straight", "target", "500", true},
        {"straight", "target", "49", false},
        {"straight", "target", "501", false},
        {"straight", "target", "x", false},
        {"treff", "target", "150", false},
        {"treff", "rounds", "1", true},
        {"treff", "rounds", "10", false},
        {"straight", "rounds", "3", false},
        {"rummy51", "rounds", "3", false},
        {"rami", "opening_min", "40", true},
        {"treff", "opening_min", "40", false},
        {"rami", "turn_s", "10", true},
        {"rami", "turn_s", "121", false},
        {"rummy51", "turn_s", "9", false},
        {"rummy51", "taken_discard_in_opening", "1", true},
        {"rami", "taken_discard_in_opening", "1", false},
        {"rami", "packs", "1", false},
        {"rami", "no_such", "1", false},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct eng_params p = *eng_params_find(rows[i].variant), before = p;
        cr_assert_eq(eng_params_set(&p, rows[i].name, rows[i].value), rows[i].good, "%s %s %s",
                     rows[i].variant, rows[i].name, rows[i].value);
        cr_assert(rows[i].good || memcmp(&p, &before, sizeof p) == 0);
        cr_assert(eng_params_ok(&p, 4));
    }
    struct eng_params p = *eng_params_find("straight");
    cr_assert(eng_params_set(&p, "ace", "high"));
    cr_assert(p.ace_high && !p.ace_low && p.ace_points == 15);
    cr_assert(eng_params_set(&p, "ace", "low"));
    cr_assert(!p.ace_high && p.ace_low && p.ace_points == 1);
}
