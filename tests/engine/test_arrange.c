/* Compares the declare family's solver with brute force (oracle.h), which lets wild cards stand for any
 * card, so it also proves that the solver's shortcuts lose nothing. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "engine/core/grouping.h"
#include "engine/solver/arrange.h"
#include "tests/engine/oracle.h"

enum { POINTS_MAX = 1000 }; /* more than the points of any hand */

/* ---- Hands ------------------------------------------------------------------------------------- */

/* A pure run for most hands, then few ranks and suits or overlapping pieces, so that many groups compete
 * for the same cards. */
static void random_hand(uint8_t *hand, int n)
{
    int held = 0, jokers = (int)oracle_random(3), style = (int)oracle_random(4);
    unsigned from = oracle_random(13), ranks = style == 0 ? 13 : 3 + oracle_random(5),
             suits = style == 1 ? 1 + oracle_random(4) : 4;

    for (int i = 0; i < jokers && held < n; i++)
        held = oracle_add(hand, held, ENG_JOKER_FIRST + (unsigned)i);
    if (oracle_random(4) != 0) {
        unsigned suit = oracle_random(4), low = oracle_random(12), length = 3 + oracle_random(3);
        for (unsigned i = 0; i < length && held < n; i++)
            held = oracle_add(hand, held, oracle_random(2) * 52 + suit * 13 + (low + i) % 13);
    }
    if (2 * ranks * suits < 16)
        ranks = 13;
    while (held < n) {
        unsigned rank = (from + oracle_random(ranks)) % 13, suit = oracle_random(suits),
                 copy = oracle_random(2) * 52;
        held = oracle_add(hand, held, copy + suit * 13 + rank);
        if (style == 3 && held < n)
            held = oracle_add(hand, held, copy + suit * 13 + (rank + 1 + oracle_random(2)) % 13);
    }
}

static struct eng_wild random_wild(const uint8_t *hand, int n)
{
    struct eng_wild wild = {.card = (uint8_t)oracle_random(ENG_JOKER_FIRST + 2),
                            .natural_pure = oracle_random(5) != 0};

    wild.exact = oracle_random(4) == 0;
    if (oracle_random(3) == 0) /* includes wild cards */
        wild.card = hand[oracle_random((unsigned)n)];
    if (oracle_random(20) == 0)
        wild.card = ENG_NO_CARD;
    return wild;
}

/* ---- Comparing ---------------------------------------------------------------------------------- */

static void show(const struct eng_wild *wild, const uint8_t *hand, int n)
{
    char name[ENG_CARD_NAME_MAX] = "-";

    if (wild->card != ENG_NO_CARD)
        (void)eng_card_name(name, wild->card);
    fprintf(stderr, "wild %s%s%s:", name, wild->exact ? " exact" : "", wild->natural_pure ? "" : " spoils");
    for (int i = 0; i < n; i++) {
        (void)eng_card_name(name, hand[i]);
        fprintf(stderr, " %s", name);
    }
    fprintf(stderr, "\n");
}

/* The result consists of the hand's cards, and judging it confirms the claimed level. */
static void check_found(const struct eng_wild *wild, const uint8_t *hand, int n,
                        const struct eng_arrangement *found)
{
    int seen[ENG_CARD_MAX] = {0}, at = 0, pure = 0, sequences = 0, loose = 0;

    for (int g = 0; g < found->groups; at += found->lens[g++]) {
        enum eng_group_kind kind = eng_group_judge(wild, found->cards + at, found->lens[g]);
        cr_assert_neq(kind, ENG_GROUP_NONE);
        pure += kind == ENG_GROUP_PURE;
        sequences += kind >= ENG_GROUP_SEQUENCE;
    }
    for (int i = 0; i < found->n; i++) {
        seen[found->cards[i]]++;
        loose += i >= at ? eng_grouping_card_points(wild, found->cards[i]) : 0;
    }
    if (found->finish != ENG_NO_CARD)
        seen[found->finish]++;
    cr_assert_eq(found->n + (found->finish != ENG_NO_CARD), n);
    for (int i = 0; i < n; i++)
        cr_assert_eq(seen[hand[i]], 1);
    cr_assert_eq(loose, found->loose);
    cr_assert(found->level == ARRANGE_NO_PURE || pure > 0);
    cr_assert(found->level != ARRANGE_TWO_SEQUENCES || sequences > 1);
    if (found->level == ARRANGE_TWO_SEQUENCES && loose == 0)
        cr_assert_eq(at, found->n); /* nothing remains, not even a joker */
}

static void compare(const struct eng_wild *wild, const uint8_t *hand, int n)
{
    struct eng_arrangement found;
    struct oracle_says truth = oracle_declare(wild, hand, n);

    eng_arrange(wild, hand, n, &found);
    bool same = found.level == truth.level && found.loose == truth.loose && found.points == truth.points;
    if (!same) {
        fprintf(stderr, "solver %d %d %d, oracle %d %d %d, ", found.level, found.loose, found.points,
                truth.level, truth.loose, truth.points);
        show(wild, hand, n);
    }
    cr_assert(same);
    check_found(wild, hand, n, &found);
    cr_assert_eq(eng_arrange_points(wild, hand, n), truth.points);
    if (n <= ENG_GROUPING_CARDS) {
        struct eng_grouping g;
        int points;
        eng_solve_grouping(wild, hand, n, &g, &points);
        cr_assert(points == truth.points && eng_grouping_points(wild, &g, POINTS_MAX) == truth.points);
        cr_assert_eq(eng_grouping_valid(wild, &g),
                     n == ENG_GROUPING_CARDS && found.level == ARRANGE_TWO_SEQUENCES && found.loose == 0);
    }
}

/* The best result without each of the cards. */
static void compare_without(const struct eng_wild *wild, const uint8_t *hand, int n,
                            const struct oracle_says *truth)
{
    struct eng_arrange_rest rests[ENG_HAND_MAX];
    int kinds = eng_arrange_without(wild, hand, n, rests);

    for (int i = 0; i < n; i++) {
        bool joker = eng_is_wild(wild, hand[i]);
        int k = 0;
        while (k < kinds && !(joker ? eng_is_wild(wild, rests[k].card)
                                    : rests[k].card % 52 == hand[i] % 52 && rests[k].card < ORACLE_JOKER))
            k++;
        cr_assert_lt(k, kinds);
        if (!joker || !wild->natural_pure) /* discards a joker that is not needed */
            cr_assert(rests[k].level == truth[i].level && rests[k].loose == truth[i].loose);
    }
}

/* The finishing card: the best of all candidates. */
static void compare_finish(const struct eng_wild *wild, const uint8_t *hand, int n)
{
    struct eng_arrangement found;
    struct oracle_says truth[ORACLE_CARDS];
    int least = POINTS_MAX;

    (void)oracle_declare(wild, hand, n);
    for (int i = 0; i < n; i++) {
        truth[i] = oracle_declare_without(i);
        least = truth[i].points < least ? truth[i].points : least;
    }
    compare_without(wild, hand, n, truth);
    eng_arrange_finish(wild, hand, n, &found);
    if (found.points != least) {
        fprintf(stderr, "finish: solver %d, oracle %d, ", found.points, least);
        show(wild, hand, n);
    }
    cr_assert_eq(found.points, least);
    check_found(wild, hand, n, &found);

    bool valid = found.level == ARRANGE_TWO_SEQUENCES && least == 0;
    cr_assert_eq(eng_arrange_declaration(wild, hand, n, &found), valid);
    if (valid)
        check_found(wild, hand, n, &found);
}

typedef void compare_fn(const struct eng_wild *wild, const uint8_t *hand, int n);

static void compare_many(const char *kind, compare_fn *fn, int n_min, int n_max, unsigned seed, int hands)
{
    oracle_seed(seed);
    for (int i = 0; i < hands; i++) {
        uint8_t hand[ORACLE_CARDS];
        int n = n_min + (int)oracle_random((unsigned)(n_max - n_min + 1));
        random_hand(hand, n);
        struct eng_wild wild = random_wild(hand, n);
        fn(&wild, hand, n);
    }
    oracle_equal(hands, kind);
}

Test(eng_arrange, equals_the_oracle_on_small_hands)
{
    compare_many("Indian, groups and points alone, 3 to 9 cards", compare, 3, 9, 1, oracle_hands(20000));
}

Test(eng_arrange, equals_the_oracle_on_full_hands)
{
    compare_many("Indian, groups and points alone, 10 to 13 cards", compare, 10, 13, 2, oracle_hands(5000));
}

Test(eng_arrange, equals_the_oracle_on_the_largest_hands)
{
    compare_many("Indian, groups and points alone, 14 and 15 cards", compare, 14, 15, 3, oracle_hands(1000));
}

Test(eng_arrange, finds_the_finishing_card_of_the_oracle)
{
    compare_many("Indian, finishing card, 8 to 15 cards", compare_finish, 8, 15, 4, oracle_hands(2000));
}
