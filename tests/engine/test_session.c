/* Sessions of several hands, the options of private tables, and records of later hands. */
#include <criterion/criterion.h>
#include <string.h>

#include "engine/record/record.h"
#include "tests/engine/play.h"

enum { MOVES_MAX = 60000, TEXT_MAX = 1024 * 1024 };

static struct eng_move moves[MOVES_MAX];
static struct eng_step steps[MOVES_MAX], again_steps[MOVES_MAX];
static struct eng_record record, again;
static char text[TEXT_MAX], printed[TEXT_MAX];

/* Plays the hand that was dealt; returns the number of moves. */
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

/* After recording, printing, parsing, and verifying, the hand has the session's scores. */
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

Test(session, every_hand_of_a_complete_session_has_a_valid_record)
{
    static const char *const variants[] = {"straight", "treff", "rummy40", "rami"};
    for (size_t i = 0; i < ARRAY_LEN(variants); i++)
        for (int players = 2; players <= 4; players++)
            play_session(variants[i], players);
}

/* ---- The hands of a session as records ---- */

enum { HANDS_MAX = 12 };

static struct eng_record hands[HANDS_MAX];
static struct eng_game ends[HANDS_MAX];
static struct eng_step hand_steps[HANDS_MAX][4096];
static struct eng_verdict verdict;
static char all[TEXT_MAX];

/* Plays n hands of a session. Writes their records one after another to `all`, and how each ended to
 * ends[]. Returns the text's length. */
static size_t make_session(const char *variant, int players, int n)
{
    struct eng_game g, before;
    struct eng_outcome out;
    uint64_t rng = 5;
    struct buf b = buf_on(all, sizeof all - 1);
    eng_init(&g, eng_params_find(variant), players);
    for (int hand = 0; hand < n; hand++) {
        uint8_t seed[32] = {(uint8_t)(hand + 1)}, key[ENG_KEY_BYTES];
        struct eng_client_seed seeds[ENG_SEAT_MAX] = {0};
        before = g;
        eng_deal_key(key, seed, 7, (uint32_t)hand + 1, seeds, players);
        eng_deal(&g, key, &out);
        record_holds(&before, &g, seed, play_hand(&g, &rng));
        ends[hand] = g;
        if (hand > 0)
            buf_put(&b, "\n", 1);
        eng_record_print(&record, &b);
    }
    cr_assert_not(b.full);
    all[b.len] = '\0';
    return b.len;
}

static void read_session(size_t len, int n)
{
    size_t at = 0;
    for (int hand = 0; hand < n; hand++) {
        struct eng_record_error error;
        cr_assert_lt(at, len);
        hands[hand].steps = hand_steps[hand];
        hands[hand].steps_max = ARRAY_LEN(hand_steps[hand]);
        cr_assert(eng_record_parse_next(&hands[hand], all, len, &at, &error), "%u:%u: %s", error.line,
                  error.column, error.expected);
    }
    cr_assert_eq(at, len);
}

static enum eng_verdict_code follows(int hand)
{
    bool good = eng_record_follows(&hands[hand], &hands[hand - 1], &ends[hand - 1], &verdict);
    cr_assert_eq(good, verdict.code == ENG_VERDICT_OK);
    return verdict.code;
}

Test(session, the_records_of_its_hands_form_one_text_and_link_up)
{
    static const struct {
        const char *variant;
        int hands;
    } rows[] = {{"treff", 3}, {"rummy40", 3}, {"rami", 3}, {"straight", 2}};
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        read_session(make_session(rows[i].variant, 3, rows[i].hands), rows[i].hands);
        for (int hand = 0; hand < rows[i].hands; hand++) {
            struct eng_game end;
            cr_assert(eng_record_end(&hands[hand], &end, &verdict), "%s", verdict.text);
            for (int seat = 0; seat < 3; seat++)
                cr_assert_eq(end.points[seat], ends[hand].points[seat]);
            cr_assert(hand == 0 || follows(hand) == ENG_VERDICT_OK, "%s: %s", rows[i].variant, verdict.text);
        }
    }
}

/* The previous hands, not a seed, prove the totals in a record. */
Test(session, a_record_with_other_totals_does_not_follow)
{
    read_session(make_session("treff", 2, 3), 3);
    for (int hand = 1; hand < 3; hand++) {
        for (int seat = 0; seat < 2; seat++) {
            hands[hand].totals[seat]++;
            cr_assert_eq(follows(hand), ENG_VERDICT_WRONG_SCORE);
            cr_assert_eq(verdict.seat, seat);
            hands[hand].totals[seat]--;
            hands[hand].bonus[seat] -= 25;
            cr_assert_eq(follows(hand), ENG_VERDICT_WRONG_SCORE);
            cr_assert_eq(verdict.seat, seat);
            hands[hand].bonus[seat] += 25;
        }
        cr_assert_eq(follows(hand), ENG_VERDICT_OK);
    }
    /* Totals that change the places make the score wrong even for that hand alone. */
    struct eng_record turned = hands[2];
    int best = turned.result.scores[0].place == 1 ? 0 : 1;
    turned.totals[best] -= 1000;
    cr_assert_not(eng_record_verify(&turned, &verdict));
    cr_assert_eq(verdict.code, ENG_VERDICT_WRONG_SCORE);
}

Test(session, a_hand_of_another_session_does_not_follow)
{
    read_session(make_session("treff", 2, 3), 3);
    hands[1].table_id++;
    cr_assert_eq(follows(1), ENG_VERDICT_WRONG_SESSION);
    hands[1].table_id--;
    hands[1].params.turn_s++;
    cr_assert_eq(follows(1), ENG_VERDICT_WRONG_SESSION);
    hands[1].params.turn_s--;
    hands[1].hand_no++;
    cr_assert_eq(follows(1), ENG_VERDICT_WRONG_SESSION);
    hands[1].hand_no--;
    hands[1].setup.starter ^= 1;
    cr_assert_eq(follows(1), ENG_VERDICT_WRONG_DEAL);
    hands[1].setup.starter ^= 1;
    cr_assert_eq(follows(1), ENG_VERDICT_OK);
    ends[0].phase = ENG_SESSION_OVER;
    cr_assert_eq(follows(1), ENG_VERDICT_WRONG_SESSION);
    hands[2].hand_no = 4;
    cr_assert_not(eng_record_verify(&hands[2], &verdict));
    cr_assert_eq(verdict.code, ENG_VERDICT_WRONG_POSITION);
}

Test(session, an_error_in_the_second_record_has_its_line_in_the_whole_text)
{
    size_t len = make_session("rami", 2, 2), at = 0;
    struct eng_record_error error;
    char *second = strstr(all, "\n\n[Rummyd");
    cr_assert_not_null(second);
    uint32_t line = 3;
    for (const char *c = all; c < second; c++)
        line += *c == '\n';
    memcpy(second + 2, "[Runnyd", 7);
    read_session((size_t)(second + 1 - all), 1);
    hands[1].steps = hand_steps[1];
    hands[1].steps_max = ARRAY_LEN(hand_steps[1]);
    cr_assert(eng_record_parse_next(&hands[0], all, len, &at, &error));
    cr_assert_not(eng_record_parse_next(&hands[1], all, len, &at, &error));
    cr_assert_eq(error.line, line, "%u", error.line);
    cr_assert_eq(error.column, 2);
    /* A text of several records is not a single record. */
    memcpy(second + 2, "[Rummyd", 7);
    cr_assert_not(eng_record_parse(&hands[0], all, len, &error));
    cr_assert_str_eq(error.expected, "the end of the record");
}

Test(session, hands_and_stock_after_the_deal_match_the_rules)
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

/* Between two hands a seat may leave or return, and nothing else is a move. */
Test(session, only_leaving_and_returning_are_allowed_between_hands)
{
    struct eng_game g, before;
    struct eng_outcome out;
    uint64_t rng = 3;
    play_deal(&g, eng_params_find("treff"), 3, 11, &out);
    (void)play_hand(&g, &rng);
    cr_assert_eq(g.phase, ENG_HAND_OVER);
    before = g;
    for (int type = 1; type < ENG_MOVE_TYPE_END; type++) {
        struct eng_move m = {.type = (uint8_t)type, .seat = 1, .meld = ENG_NO_MELD};
        if (type == ENG_LEAVE)
            continue;
        cr_assert_neq(eng_apply(&g, &m, &out), ENG_OK);
        cr_assert_eq(memcmp(&before, &g, sizeof g), 0);
    }
    struct eng_move leave = {.type = ENG_LEAVE, .seat = 1, .meld = ENG_NO_MELD};
    cr_assert_eq(eng_apply(&g, &leave, &out), ENG_OK);
    eng_check(&g);
    cr_assert_eq(eng_apply(&g, &leave, &out), ENG_ALREADY_LEFT);
    before = g;
    uint8_t key[ENG_KEY_BYTES] = {5};
    eng_deal(&g, key, &out);
    cr_assert(eng_seat_is_away(&g, 1), "a bot plays on");
    cr_assert_gt(eng_cards_count(&g.hand[1]), 0);
    g.away |= 4;
    while (g.phase != ENG_SESSION_OVER) {
        (void)play_hand(&g, &rng);
        if (g.phase == ENG_SESSION_OVER)
            break;
        struct eng_move back = {.type = ENG_RETURN, .seat = 2, .meld = ENG_NO_MELD};
        enum eng_refusal code = eng_apply(&g, &back, &out);
        cr_assert(code == ENG_OK || code == ENG_NOT_AWAY);
        eng_deal(&g, key, &out);
    }
    cr_assert_eq(g.place[1], 3, "the seat that left is placed last");
}
