/* Compares the meld solver with brute force (oracle.h), under the rules of several variants and under other
 * rules. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "engine/core/meld.h"
#include "engine/solver/solver.h"
#include "tests/engine/oracle.h"

/* ---- Hands, rules and goals ------------------------------------------------------------------- */

/* rich: few ranks and suits or overlapping pieces, so that sets and runs compete for the same cards. */
static int random_hand(uint8_t *hand, int n, int jokers, bool rich)
{
    bool pieces = rich && oracle_random(3) == 0;
    int held = 0, ranks = rich ? 3 + (int)oracle_random(5) : 13, from = (int)oracle_random(13),
        suits = rich ? 1 + (int)oracle_random(4) : 4;

    if (2 * ranks * suits < n)
        ranks = 13;
    for (int i = 0; i < jokers && i < n; i++)
        held = oracle_add(hand, held, ORACLE_JOKER + (unsigned)i);
    while (held < n) {
        unsigned copy = oracle_random(2) * 52, suit = oracle_random((unsigned)suits),
                 rank = (unsigned)from + oracle_random((unsigned)ranks);
        held = oracle_add(hand, held, copy + suit * 13 + rank % 13);
        if (pieces && held < n)
            held = oracle_add(hand, held, copy + suit * 13 + (rank + 1 + oracle_random(2)) % 13);
    }
    for (int i = 1; i < n; i++) {
        for (int k = i; k > 0 && hand[k - 1] > hand[k]; k--) {
            uint8_t swap = hand[k];
            hand[k] = hand[k - 1];
            hand[k - 1] = swap;
        }
    }
    return n;
}

enum { RULES_N = 6 };

static struct eng_solver_rules some_rules(int which)
{
    struct eng_solver_rules r = {.place_low = 0,
                                 .place_high = 13,
                                 .run_max = 14,
                                 .set_max = 4,
                                 .run_jokers_max = 14,
                                 .set_jokers_max = 1,
                                 .joker_excess_max = 13,
                                 .jokers_adjacent = true};
    for (int p = 0; p < 14; p++)
        r.run_worth[p] = (uint8_t)(p == 0 || p > 9 ? 10 : p + 1);
    memcpy(r.set_worth, r.run_worth, 13);
    switch (which) {
    case 0: /* rummy51, later turns */
        break;
    case 1: /* rummy51, the opening turn */
        r.run_jokers_max = 1;
        break;
    case 2: /* treff */
        r.set_jokers_max = 2;
        r.joker_excess_max = 0;
        r.run_worth[0] = 1;
        r.run_worth[13] = r.set_worth[0] = 11;
        break;
    case 3: /* rummy40 */
        r.joker_excess_max = -1;
        r.jokers_adjacent = false;
        r.run_worth[0] = 1;
        r.run_worth[13] = r.set_worth[0] = 11;
        break;
    case 4: /* straight, ace high */
        r.place_low = 1;
        r.run_worth[13] = r.set_worth[0] = 15;
        break;
    default: /* ace low only, short runs */
        r.place_high = 12;
        r.run_max = 5;
        r.run_worth[0] = r.set_worth[0] = 1;
        break;
    }
    return r;
}

/* Not the rules of a variant, but possible parameters. */
static struct eng_solver_rules odd_rules(void)
{
    static const int8_t excess[] = {-1, 0, 13};
    struct eng_solver_rules r = {.place_low = (uint8_t)oracle_random(2),
                                 .place_high = (uint8_t)(12 + oracle_random(2)),
                                 .run_max = (uint8_t)(3 + oracle_random(12)),
                                 .set_max = (uint8_t)(3 + oracle_random(2)),
                                 .run_jokers_max = (uint8_t)oracle_random(7),
                                 .set_jokers_max = (uint8_t)oracle_random(4),
                                 .joker_excess_max = excess[oracle_random(3)],
                                 .jokers_adjacent = oracle_random(2) != 0};
    unsigned court = 1 + oracle_random(15);

    for (int p = 0; p < 14; p++)
        r.run_worth[p] = (uint8_t)(p > 9 ? court : (unsigned)p + 1);
    r.run_worth[0] = (uint8_t)(1 + oracle_random(15));
    r.run_worth[13] = (uint8_t)(1 + oracle_random(15));
    memcpy(r.set_worth, r.run_worth, 13);
    r.set_worth[0] = r.run_worth[oracle_random(2) * 13];
    return r;
}

enum { GREATEST_OPENING, LEAST_DEADWOOD, ANY_WEIGHTS, ANY_WEIGHTS_AND_WORTH, ANY_GOAL };

static struct eng_solver_goal some_goal(int which)
{
    struct eng_solver_goal g = {.must_card = ENG_NO_CARD};

    for (int t = 0; t < 52; t++) {
        int rank = t % 13;
        g.weight[t] = (int16_t)(which == GREATEST_OPENING ? 0
                                : which == LEAST_DEADWOOD ? (rank == 0 || rank > 9 ? 10 : rank + 1)
                                                          : 1 + (int)oracle_random(30));
    }
    g.worth_factor = which == GREATEST_OPENING ? 1 : which == ANY_WEIGHTS_AND_WORTH ? 3 : 0;
    g.joker_weight = which == GREATEST_OPENING ? 0
                     : which == LEAST_DEADWOOD ? 20
                                               : (int16_t)(1 + oracle_random(30));
    return g;
}

static void show(const uint8_t *hand, int n)
{
    for (int i = 0; i < n; i++) {
        if (hand[i] >= 104)
            fprintf(stderr, " X");
        else
            fprintf(stderr, " %c%c", "A23456789TJQK"[hand[i] % 13], "CSHD"[hand[i] % 52 / 13]);
    }
    fprintf(stderr, "\n");
}

/* The groups of a result are melds of cards of the hand, each card once, and the sums are correct. */
static void check_result(const struct eng_solver_rules *r, const struct eng_solver_goal *goal,
                         const uint8_t *hand, int n, const struct eng_solver_result *result)
{
    int seen[110] = {0}, score = 0, out = 0, worth = 0;

    for (int g = 0; g < result->groups_n; g++) {
        const struct eng_solver_group *group = &result->groups[g];
        int value = group->kind == ENG_SET ? oracle_set(r, group->cards, group->n)
                                           : oracle_run(r, group->cards, group->n, group->low);
        cr_assert(value != ORACLE_NONE, "a group is not a meld");
        cr_assert_eq(value, group->worth);
        worth += value;
        score += value * goal->worth_factor;
        for (int i = 0; i < group->n; i++) {
            seen[group->cards[i]]++;
            score +=
                group->cards[i] >= ORACLE_JOKER ? goal->joker_weight : goal->weight[group->cards[i] % 52];
            if (group->kind == ENG_RUN && group->cards[i] < 104)
                cr_assert_eq(group->cards[i] % 13, (group->low + i) % 13, "a run out of order");
        }
        out += group->n;
    }
    for (int i = 0; i < result->left_n; i++) {
        seen[result->left[i]]++;
        cr_assert_neq(result->left[i], goal->must_card);
        cr_assert(i == 0 || result->left[i - 1] < result->left[i]);
    }
    for (int i = 0; i < n; i++)
        cr_assert_eq(seen[hand[i]], 1);
    cr_assert_eq(out + result->left_n, n);
    cr_assert_eq(score, result->score);
    cr_assert_eq(worth, result->worth);
}

static void compare(const struct eng_solver_rules *r, const struct eng_solver_goal *goal, const uint8_t *hand,
                    int n)
{
    struct eng_solver_result result;
    int truth = oracle_laid(r, goal, hand, n);

    eng_solver_best(r, goal, hand, n, &result);
    if (truth == ORACLE_NONE) {
        cr_assert(!result.found && result.left_n == n);
        return;
    }
    if (result.score != truth) {
        fprintf(stderr,
                "solver %d, oracle %d, places %d to %d, runs to %d with %d jokers, sets to %d with %d, "
                "excess %d, "
                "adjacent %d, factor %d, keep %d, must %d:",
                result.score, truth, r->place_low, r->place_high, r->run_max, r->run_jokers_max, r->set_max,
                r->set_jokers_max, r->joker_excess_max, r->jokers_adjacent, goal->worth_factor, goal->keep,
                goal->must_card);
        show(hand, n);
    }
    cr_assert_eq(result.score, truth);
    check_result(r, goal, hand, n, &result);
    if (!goal->keep && goal->must_card == ENG_NO_CARD)
        cr_assert_eq(eng_solver_score(r, goal, hand, n), truth);
}

/* Any goal: in every second hand some card must stay, in every fourth a given card must go out. */
static struct eng_solver_goal goal_for(int goal, const uint8_t *hand, int n)
{
    struct eng_solver_goal g = some_goal(goal == ANY_GOAL ? (int)oracle_random(ANY_GOAL) : goal);

    if (goal != ANY_GOAL)
        return g;
    g.keep = (uint8_t)oracle_random(SOLVER_KEEP_A_THROW + 1);
    if (oracle_random(4) == 0)
        g.must_card = hand[oracle_random((unsigned)n)];
    if (g.must_card >= ORACLE_JOKER)
        g.must_card = ENG_NO_CARD;
    return g;
}

struct kind {
    const char *name;
    int goal, n_min, n_max, jokers_min, jokers_max;
    bool odd;
};

static void compare_many(const struct kind *kind, unsigned seed, int hands)
{
    oracle_seed(seed);
    for (int i = 0; i < hands; i++) {
        uint8_t hand[ORACLE_CARDS];
        int n = kind->n_min + (int)oracle_random((unsigned)(kind->n_max - kind->n_min + 1)),
            jokers =
                kind->jokers_min + (int)oracle_random((unsigned)(kind->jokers_max - kind->jokers_min + 1));
        n = random_hand(hand, n, jokers, oracle_random(8) != 0);
        struct eng_solver_rules rules = kind->odd ? odd_rules() : some_rules((int)oracle_random(RULES_N));
        struct eng_solver_goal goal = goal_for(kind->goal, hand, n);
        compare(&rules, &goal, hand, n);
    }
    oracle_equal(hands, kind->name);
}

Test(solver, equals_the_oracle_in_the_greatest_opening)
{
    compare_many(
        &(struct kind){"laid down, greatest opening, 3 to 15 cards", GREATEST_OPENING, 3, 15, 0, 4, false}, 1,
        oracle_hands(8000));
}

Test(solver, equals_the_oracle_in_the_least_deadwood)
{
    compare_many(
        &(struct kind){"laid down, least deadwood, 3 to 15 cards", LEAST_DEADWOOD, 3, 15, 0, 4, false}, 2,
        oracle_hands(8000));
}

Test(solver, equals_the_oracle_in_every_goal)
{
    compare_many(&(struct kind){"laid down, every goal, 3 to 12 cards", ANY_GOAL, 3, 12, 0, 4, false}, 3,
                 oracle_hands(30000));
}

Test(solver, equals_the_oracle_on_full_hands)
{
    compare_many(&(struct kind){"laid down, every goal, 13 to 15 cards", ANY_GOAL, 13, 15, 0, 4, false}, 4,
                 oracle_hands(2000));
}

Test(solver, equals_the_oracle_with_up_to_six_jokers)
{
    compare_many(&(struct kind){"laid down, every goal, 6 to 15 cards, 4 to 6 of them jokers", ANY_GOAL, 6,
                                15, 4, 6, false},
                 5, oracle_hands(4000));
}

Test(solver, equals_the_oracle_under_odd_rules)
{
    compare_many(
        &(struct kind){"laid down, every goal, 3 to 15 cards, odd rules", ANY_GOAL, 3, 15, 0, 6, true}, 7,
        oracle_hands(8000));
}

Test(solver, lays_only_melds_that_the_table_accepts)
{
    const struct eng_params *params = eng_params_find("rummy51");

    oracle_seed(6);
    for (int i = 0; i < 4000; i++) {
        uint8_t hand[ORACLE_CARDS];
        int n = random_hand(hand, 10 + (int)oracle_random(6), (int)oracle_random(5), true),
            jokers_max = eng_jokers_max(params, i & 1, false);
        struct eng_solver_rules rules;
        struct eng_solver_goal goal;
        struct eng_solver_result result;
        eng_solver_rules_of(&rules, params, jokers_max);
        eng_solver_goal_points(&goal, params);
        eng_solver_best(&rules, &goal, hand, n, &result);
        for (int g = 0; g < result.groups_n; g++) {
            struct eng_meld meld;
            struct eng_blame blame;
            const struct eng_solver_group *group = &result.groups[g];
            cr_assert(eng_meld_check(params, group->cards, group->n, jokers_max, &meld, &blame));
            cr_assert_eq(meld.kind, group->kind);
            cr_assert_eq(meld.low, group->low);
            cr_assert_eq(eng_meld_points(params, &meld), group->worth);
        }
    }
}

/* Leaving only one joker can be worth more than leaving a natural card, although it is not the best result
 * for the remaining cards: A X 3 4 X | Q K X, with one X left, is 15 + 31. */
Test(solver, can_leave_only_one_joker)
{
    static const uint8_t hand[] = {0, 2, 3, 11, 12, 104, 105, 106, 107}; /* AC 3C 4C QC KC and four jokers */
    struct eng_solver_rules rules = some_rules(3);
    struct eng_solver_goal goal = {.worth_factor = 1, .keep = SOLVER_KEEP_A_THROW, .must_card = ENG_NO_CARD};
    struct eng_solver_result result;

    eng_solver_best(&rules, &goal, hand, sizeof hand, &result);
    cr_assert_eq(result.score, 46);
    cr_assert_eq(result.left_n, 1);
    cr_assert_geq(result.left[0], 104);
    compare(&rules, &goal, hand, sizeof hand);
}

/* Two sets of one rank, which is searched last: the bound must include the jokers of the second set
 * although no rank is left. */
Test(solver, lays_a_second_set_of_the_last_rank)
{
    static const uint8_t opening[] = {9, 13, 14, 22, 35, 48, 61, 67, 74, 87, 104, 105, 106};
    static const uint8_t later[] = {0, 1, 13, 14, 39, 40, 61, 65, 66, 78, 91, 92, 104};
    struct eng_solver_rules rules = some_rules(1);
    struct eng_solver_goal goal = some_goal(GREATEST_OPENING);

    compare(&rules, &goal, opening, sizeof opening);
    cr_assert_eq(eng_solver_score(&rules, &goal, opening, sizeof opening), 115);
    rules = some_rules(0);
    goal = some_goal(LEAST_DEADWOOD);
    compare(&rules, &goal, later, sizeof later);
    cr_assert_eq(eng_solver_score(&rules, &goal, later, sizeof later), 90);
}

/* Four cards in a row and a joker are too many for a run of four: the one with the fewest points stays in
 * hand, even if it is in the middle. */
Test(solver, can_lay_a_joker_in_place_of_a_card_in_hand)
{
    static const uint8_t hand[] = {8, 9, 10, 11, 104}; /* 9C TC JC QC and a joker */
    struct eng_solver_rules rules = some_rules(0);
    struct eng_solver_goal goal = {.joker_weight = 30, .must_card = ENG_NO_CARD};

    for (int type = 0; type < SOLVER_TYPES; type++)
        goal.weight[type] = type == 9 ? 1 : 10;
    compare(&rules, &goal, hand, sizeof hand);
    cr_assert_eq(eng_solver_score(&rules, &goal, hand, sizeof hand), 61);
    rules.run_max = 4;
    compare(&rules, &goal, hand, sizeof hand);
    cr_assert_eq(eng_solver_score(&rules, &goal, hand, sizeof hand), 60);
}
