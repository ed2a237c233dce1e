/* The solver against a brute-force search that shares no code with it: every subset of the hand
 * is tried as a meld in every position, every way of cutting the hand into melds is compared. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/meld.h"
#include "engine/solver.h"
#include "tests/engine/oracle.h"

/* ---- The oracle ------------------------------------------------------------------------------ */

enum { NONE = -1000000 };

static int oracle_jokers_ok(const struct solver_rules *r, int naturals, int jokers, int limit)
{
    return naturals > 0 && jokers <= limit && jokers - naturals <= r->joker_excess_max;
}

static int oracle_set(const struct solver_rules *r, const uint8_t *cards, int n)
{
    int naturals = 0, jokers = 0, rank = -1, suits = 0;

    for (int i = 0; i < n; i++) {
        if (cards[i] >= 104) {
            jokers++;
            continue;
        }
        int suit = cards[i] % 52 / 13;
        if ((rank >= 0 && rank != cards[i] % 13) || (suits & 1 << suit))
            return NONE;
        rank = cards[i] % 13;
        suits |= 1 << suit;
        naturals++;
    }
    if (n < 3 || n > r->set_max || !oracle_jokers_ok(r, naturals, jokers, r->set_jokers_max))
        return NONE;
    return n * r->set_worth[rank];
}

/* The run of length n from place `low`, each place natural or joker. */
static int oracle_run_at(const struct solver_rules *r, const uint8_t *cards, int n, int low)
{
    int natural_at[14] = {0}, aces = 0, jokers = 0, naturals = 0, suit = -1, worth = 0;

    for (int i = 0; i < n; i++) {
        if (cards[i] >= 104) {
            jokers++;
            continue;
        }
        naturals++;
        if (suit >= 0 && suit != cards[i] % 52 / 13)
            return NONE;
        suit = cards[i] % 52 / 13;
        if (cards[i] % 13 == 0)
            aces++;
        else if (natural_at[cards[i] % 13]++)
            return NONE;
    }
    if (n > r->run_max || !oracle_jokers_ok(r, naturals, jokers, r->run_jokers_max))
        return NONE;
    int best = NONE;
    /* A single ace may stand at either end, two at both. */
    for (int ends = 0; ends < 4; ends++) {
        int at[14], ok = (ends & 1) + (ends >> 1) == aces, covered = 0;
        memcpy(at, natural_at, sizeof at);
        at[0] = ends & 1;
        at[13] = ends >> 1;
        worth = 0;
        for (int p = 0; p < 14; p++) {
            int in = p >= low && p < low + n;
            ok = ok && (in || !at[p]);
            if (in) {
                worth += r->run_worth[p];
                covered += at[p];
                ok = ok && (r->jokers_adjacent || at[p] || p == low || at[p - 1]);
            }
        }
        if (ok && covered == naturals && worth > best)
            best = worth;
    }
    return best;
}

static int oracle_one_suit(const uint8_t *cards, int n)
{
    for (int i = 1; i < n && cards[i] < 104; i++)
        if (cards[i] % 52 / 13 != cards[0] % 52 / 13)
            return 0;
    return 1;
}

/* cards: ascending */
static int oracle_worth(const struct solver_rules *r, const uint8_t *cards, int n)
{
    int best = oracle_set(r, cards, n);

    if (!oracle_one_suit(cards, n))
        return best;
    for (int low = r->place_low; low + n - 1 <= r->place_high && n >= 3; low++) {
        int worth = oracle_run_at(r, cards, n, low);
        best = worth > best ? worth : best;
    }
    return best;
}

static int weight_of(const struct solver_goal *goal, uint8_t card)
{
    return card >= 104 ? goal->joker_weight : goal->weight[card % 52];
}

/* Greatest sum over all ways to cut a part of the hand into melds, under the goal's constraints. */
static int oracle(const struct solver_rules *r, const struct solver_goal *goal, const uint8_t *cards, int n)
{
    size_t subsets = (size_t)1 << n;
    int *meld = malloc(subsets * sizeof *meld), *cut = malloc(subsets * sizeof *cut), best = NONE;

    for (unsigned set = 0; set < subsets; set++) {
        uint8_t part[15];
        int k = 0, weight = 0;
        for (int i = 0; i < n; i++) {
            if (set >> i & 1) {
                part[k++] = cards[i];
                weight += weight_of(goal, cards[i]);
            }
        }
        int worth = k >= 3 ? oracle_worth(r, part, k) : NONE;
        meld[set] = worth == NONE ? NONE : worth * goal->worth_factor + weight;
    }
    cut[0] = 0;
    for (unsigned set = 1; set < subsets; set++) {
        unsigned low = set & -set, rest = set & ~low;
        cut[set] = NONE;
        for (unsigned sub = rest;; sub = (sub - 1) & rest) {
            unsigned group = sub | low;
            if (meld[group] != NONE && cut[set & ~group] != NONE &&
                meld[group] + cut[set & ~group] > cut[set])
                cut[set] = meld[group] + cut[set & ~group];
            if (sub == 0)
                break;
        }
    }
    for (unsigned set = 0; set < subsets; set++) {
        int has = goal->must_card == ENG_NO_CARD;
        for (int i = 0; i < n; i++)
            has = has || ((set >> i & 1) && cards[i] < 104 && cards[i] % 52 == goal->must_card % 52);
        int naturals = 0, left = 0;
        for (int i = 0; i < n; i++) {
            left += !(set >> i & 1);
            naturals += !(set >> i & 1) && cards[i] < 104;
        }
        int kept = goal->keep == SOLVER_KEEP_NOTHING || n == 0 || naturals > 0 ||
                   (goal->keep == SOLVER_KEEP_A_CARD && left > 0) ||
                   (goal->keep == SOLVER_KEEP_A_THROW && left == 1);
        if (has && kept && cut[set] > best)
            best = cut[set];
    }
    free(meld);
    free(cut);
    return best;
}

/* ---- Hands, rules and goals ------------------------------------------------------------------- */

static uint64_t rng_state;

static unsigned rng(unsigned below)
{
    rng_state = rng_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(rng_state >> 33) % below;
}

static int add_card(uint8_t *hand, int n, uint8_t card)
{
    for (int i = 0; i < n; i++) {
        if (hand[i] == card)
            return n;
    }
    hand[n] = card;
    return n + 1;
}

/* rich: few ranks and suits, so that sets and runs compete for the same cards. */
static int random_hand(uint8_t *hand, int n, int jokers, int rich)
{
    int held = 0, ranks = rich ? 3 + (int)rng(5) : 13, from = (int)rng(13),
        suits = rich ? 1 + (int)rng(4) : 4;

    if (2 * ranks * suits < n)
        ranks = 13;
    for (int i = 0; i < jokers && i < n; i++)
        held = add_card(hand, held, (uint8_t)(104 + i));
    while (held < n)
        held = add_card(hand, held,
                        (uint8_t)(rng(2) * 52 + rng((unsigned)suits) * 13 +
                                  ((unsigned)from + rng((unsigned)ranks)) % 13));
    for (int i = 1; i < n; i++) {
        for (int k = i; k > 0 && hand[k - 1] > hand[k]; k--) {
            uint8_t swap = hand[k];
            hand[k] = hand[k - 1];
            hand[k - 1] = swap;
        }
    }
    return n;
}

enum { RULES_N = 5 };

static struct solver_rules some_rules(int which)
{
    struct solver_rules r = {.place_low = 0,
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
    default: /* ace low only, short runs */
        r.place_high = 12;
        r.run_max = 5;
        r.run_worth[0] = r.set_worth[0] = 1;
        break;
    }
    return r;
}

static struct solver_goal some_goal(int which)
{
    struct solver_goal g = {.must_card = ENG_NO_CARD};

    for (int t = 0; t < 52; t++) {
        int rank = t % 13;
        g.weight[t] = (int16_t)(which == 0   ? 0
                                : which == 1 ? (rank == 0 || rank > 9 ? 10 : rank + 1)
                                             : 1 + (int)rng(30));
    }
    g.worth_factor = which == 0 ? 1 : which == 3 ? 3 : 0;
    g.joker_weight = which == 0 ? 0 : which == 1 ? 20 : (int16_t)(1 + rng(30));
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

/* The groups of a result are melds of cards of the hand, each card once, and add up. */
static void check_result(const struct solver_rules *r, const struct solver_goal *goal, const uint8_t *hand,
                         int n, const struct solver_result *result)
{
    int seen[110] = {0}, score = 0, out = 0, worth = 0;

    for (int g = 0; g < result->groups_n; g++) {
        const struct solver_group *group = &result->groups[g];
        int value = group->kind == ENG_SET ? oracle_set(r, group->cards, group->n)
                                           : oracle_run_at(r, group->cards, group->n, group->low);
        cr_assert(value != NONE, "a group is no meld");
        cr_assert_eq(value, group->worth);
        worth += value;
        score += value * goal->worth_factor;
        for (int i = 0; i < group->n; i++) {
            seen[group->cards[i]]++;
            score += weight_of(goal, group->cards[i]);
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

static void compare(const struct solver_rules *r, const struct solver_goal *goal, const uint8_t *hand, int n)
{
    struct solver_result result;
    int truth = oracle(r, goal, hand, n);

    solver_best(r, goal, hand, n, &result);
    if (truth == NONE) {
        cr_assert(!result.found && result.left_n == n);
        return;
    }
    if (result.score != truth) {
        fprintf(stderr, "solver %d, oracle %d, run jokers %d, excess %d, factor %d:", result.score, truth,
                r->run_jokers_max, r->joker_excess_max, goal->worth_factor);
        show(hand, n);
    }
    cr_assert_eq(result.score, truth);
    check_result(r, goal, hand, n, &result);
    if (!goal->keep && goal->must_card == ENG_NO_CARD)
        cr_assert_eq(solver_score(r, goal, hand, n), truth);
}

static void compare_many(int hands, int n_min, int n_max, int jokers_max, uint64_t seed)
{
    rng_state = seed;
    for (int i = 0; i < hands; i++) {
        uint8_t hand[15];
        int n = n_min + (int)rng((unsigned)(n_max - n_min + 1));
        n = random_hand(hand, n, (int)rng((unsigned)jokers_max + 1), rng(8) != 0);
        struct solver_rules rules = some_rules((int)rng(RULES_N));
        struct solver_goal goal = some_goal((int)rng(4));
        goal.keep = (uint8_t)rng(4);
        if (rng(4) == 0 && hand[0] < 104)
            goal.must_card = hand[rng((unsigned)n)];
        if (goal.must_card != ENG_NO_CARD && goal.must_card >= 104)
            goal.must_card = ENG_NO_CARD;
        compare(&rules, &goal, hand, n);
    }
}

Test(solver, equals_brute_force_on_small_hands)
{
    compare_many(30000, 3, 9, 4, 1);
}

Test(solver, equals_brute_force_on_middle_hands)
{
    compare_many(2000, 10, 12, 4, 2);
}

Test(solver, equals_brute_force_on_full_hands)
{
    compare_many(60, 13, 15, 4, 3);
}

Test(solver, equals_brute_force_with_six_jokers)
{
    compare_many(4000, 6, 10, 6, 4);
}

/* One kind of question, hands of all sizes, the large ones rarely: each costs the oracle some milliseconds.
 */
static void compare_kind(int kind, int hands, uint64_t seed)
{
    rng_state = seed;
    for (int i = 0; i < hands; i++) {
        uint8_t hand[15];
        int n = rng(100) == 0 ? 13 + (int)rng(3) : 3 + (int)rng(10);
        n = random_hand(hand, n, (int)rng(5), rng(8) != 0);
        struct solver_rules rules = some_rules((int)rng(RULES_N));
        struct solver_goal goal = some_goal(kind);
        compare(&rules, &goal, hand, n);
    }
}

Test(solver, equals_the_oracle_in_the_greatest_opening)
{
    compare_kind(0, oracle_hands(400), 6);
}

Test(solver, equals_the_oracle_in_the_least_dead_weight)
{
    compare_kind(1, oracle_hands(400), 7);
}

Test(solver, lays_what_the_table_takes)
{
    const struct eng_params *params = eng_params_find("rummy51");

    rng_state = 5;
    for (int i = 0; i < 4000; i++) {
        uint8_t hand[15];
        int n = random_hand(hand, 10 + (int)rng(6), (int)rng(5), 1),
            jokers_max = eng_jokers_max(params, i & 1, false);
        struct solver_rules rules;
        struct solver_goal goal;
        struct solver_result result;
        solver_rules_of(&rules, params, jokers_max);
        solver_goal_points(&goal, params);
        solver_best(&rules, &goal, hand, n, &result);
        for (int g = 0; g < result.groups_n; g++) {
            struct eng_meld meld;
            struct eng_blame blame;
            const struct solver_group *group = &result.groups[g];
            cr_assert(eng_meld_check(params, group->cards, group->n, jokers_max, &meld, &blame));
            cr_assert_eq(meld.kind, group->kind);
            cr_assert_eq(meld.low, group->low);
            cr_assert_eq(eng_meld_points(params, &meld), group->worth);
        }
    }
}

/* To leave one joker and nothing else can be worth more than to leave a natural card, and yet it is
 * not what the best of the remaining cards would be: A X 3 4 X | Q K X, one X left, is 15 + 31. */
Test(solver, leaves_one_joker_and_nothing_else)
{
    static const uint8_t hand[] = {0, 2, 3, 11, 12, 104, 105, 106, 107}; /* AC 3C 4C QC KC and four jokers */
    struct solver_rules rules = some_rules(3);
    struct solver_goal goal = {.worth_factor = 1, .keep = SOLVER_KEEP_A_THROW, .must_card = ENG_NO_CARD};
    struct solver_result result;

    solver_best(&rules, &goal, hand, sizeof hand, &result);
    cr_assert_eq(result.score, 46);
    cr_assert_eq(result.left_n, 1);
    cr_assert_geq(result.left[0], 104);
    compare(&rules, &goal, hand, sizeof hand);
}

/* Two sets of one rank, the last one looked at: what could still come has to count the jokers of the second,
 * although no rank is left. */
Test(solver, lays_a_second_set_of_the_last_rank)
{
    static const uint8_t opening[] = {9, 13, 14, 22, 35, 48, 61, 67, 74, 87, 104, 105, 106};
    static const uint8_t later[] = {0, 1, 13, 14, 39, 40, 61, 65, 66, 78, 91, 92, 104};
    struct solver_rules rules = some_rules(1);
    struct solver_goal goal = some_goal(0);

    compare(&rules, &goal, opening, sizeof opening);
    cr_assert_eq(solver_score(&rules, &goal, opening, sizeof opening), 115);
    rules = some_rules(0);
    goal = some_goal(1);
    compare(&rules, &goal, later, sizeof later);
    cr_assert_eq(solver_score(&rules, &goal, later, sizeof later), 90);
}
