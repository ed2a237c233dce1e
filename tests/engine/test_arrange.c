/* The declare family's solver against a brute-force search that shares no code with it: every subset of the
 * hand is tried as a group at every place, every way of cutting the hand into groups is compared. Wild cards
 * are anything here, so the search also tells that the solver's shortcuts lose nothing.
 *
 * RUMMYD_ORACLE_HANDS: so many hands instead of the few of a common run (`make oracle`). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/grouping.h"
#include "engine/solver_declare.h"
#include "tests/engine/oracle.h"

/* ---- The oracle ------------------------------------------------------------------------------ */

enum { NEVER = 10000, STATES = 6, HAND = 15 };

struct oracle {
    int n;
    bool wild[HAND];
    int rank[HAND], suit[HAND], points[HAND]; /* rank and suit -1: a printed joker */
    bool natural_pure;
    unsigned plain, of_suit[4]; /* cards that are not wild */
    unsigned clash[HAND];       /* with which of those it cannot be in a set */
    uint8_t kind[1 << HAND];    /* of each subset: 0 none, 1 set, 2 sequence, 3 pure */
    int groups_n[HAND];         /* by lowest card */
    uint16_t groups[HAND][1 << (HAND - 1)];
    int16_t least[1 << HAND][STATES]; /* by 3 * has a pure one + sequences (2: or more) */
};

static bool of_one_suit(const struct oracle *o, unsigned set)
{
    unsigned plain = set & o->plain;

    return plain == 0 || (o->of_suit[o->suit[__builtin_ctz(plain)]] & plain) == plain;
}

static bool is_sequence(const struct oracle *o, unsigned set, bool pure)
{
    unsigned plain = set & o->plain;
    int cards = 0;

    if (plain == 0)
        return false;
    for (unsigned left = set; left != 0; left &= left - 1)
        cards++;
    for (int suit = 0; suit < 4; suit++) {
        if ((plain & ~o->of_suit[suit]) != 0)
            continue;
        for (int low = 0; low + cards <= 14 && cards <= 13; low++) {
            int standing[14] = {0}, placed = 0, naturals = 0;
            bool fits = true;
            for (int i = 0; i < o->n && fits; i++) {
                if (!(set >> i & 1))
                    continue;
                if (o->wild[i] && (!pure || !o->natural_pure || o->rank[i] < 0)) {
                    fits = !pure;
                    continue;
                }
                int place = o->rank[i] == 0 && low > 0 ? 13 : o->rank[i];
                fits = o->suit[i] == suit && place >= low && place < low + cards && standing[place]++ == 0;
                placed++;
                naturals += !o->wild[i];
            }
            if (fits && naturals > 0 && (!pure || placed == cards))
                return true;
        }
    }
    return false;
}

static bool is_set(const struct oracle *o, unsigned set)
{
    for (unsigned left = set & o->plain; left != 0; left &= left - 1)
        if ((o->clash[__builtin_ctz(left)] & set) != 0)
            return false;
    return true;
}

/* Which cards are in the way of a group. */
static void oracle_masks(struct oracle *o)
{
    o->plain = 0;
    memset(o->of_suit, 0, sizeof o->of_suit);
    for (int i = 0; i < o->n; i++) {
        o->clash[i] = 0;
        if (o->wild[i])
            continue;
        o->plain |= 1u << i;
        o->of_suit[o->suit[i]] |= 1u << i;
        for (int k = 0; k < o->n; k++)
            if (k != i && !o->wild[k] && (o->rank[k] != o->rank[i] || o->suit[k] == o->suit[i]))
                o->clash[i] |= 1u << k;
    }
}

/* The state after one more group of a kind. */
static const uint8_t after[4][STATES] = {
    {0, 1, 2, 3, 4, 5}, /* none */
    {0, 1, 2, 3, 4, 5}, /* a set */
    {1, 2, 2, 4, 5, 5}, /* a sequence */
    {4, 5, 5, 4, 5, 5}, /* a pure one */
};

static void oracle_cut(struct oracle *o, unsigned set)
{
    int low = __builtin_ctz(set);

    for (int s = 0; s < STATES; s++)
        o->least[set][s] = (int16_t)(o->least[set & (set - 1)][s] + o->points[low]);
    for (int g = 0; g < o->groups_n[low]; g++) {
        unsigned group = o->groups[low][g], rest = set & ~group;
        if ((set & group) != group)
            continue;
        const uint8_t *state = after[o->kind[group]];
        for (int s = 0; s < STATES; s++) {
            if (o->least[rest][s] < o->least[set][state[s]])
                o->least[set][state[s]] = o->least[rest][s];
        }
    }
}

static void oracle_of(struct oracle *o, const struct eng_wild *wild, const uint8_t *cards, int n)
{
    int turned = wild->card == ENG_NO_CARD ? -1 : wild->card >= 104 ? 0 : wild->card % 13;

    o->n = n;
    o->natural_pure = wild->natural_pure;
    for (int i = 0; i < n; i++) {
        bool printed = cards[i] >= 104;
        o->rank[i] = printed ? -1 : cards[i] % 13;
        o->suit[i] = printed ? -1 : cards[i] % 52 / 13;
        o->wild[i] = printed || (o->rank[i] == turned &&
                                 (!wild->exact || wild->card >= 104 || wild->card % 52 == cards[i] % 52));
        o->points[i] = o->wild[i] ? 0 : o->rank[i] == 0 || o->rank[i] > 9 ? 10 : o->rank[i] + 1;
        o->groups_n[i] = 0;
    }
    oracle_masks(o);
    for (int s = 0; s < STATES; s++)
        o->least[0][s] = s == 0 ? 0 : NEVER;
    for (unsigned set = 1; set < 1u << n; set++) {
        o->kind[set] = 0;
        unsigned one_less = set & (set - 1);
        if ((one_less & (one_less - 1)) != 0 && of_one_suit(o, set))
            o->kind[set] = is_sequence(o, set, true) ? 3 : is_sequence(o, set, false) ? 2 : 0;
        if ((one_less & (one_less - 1)) != 0 && o->kind[set] == 0 && is_set(o, set))
            o->kind[set] = 1;
        int low = __builtin_ctz(set);
        if (o->kind[set])
            o->groups[low][o->groups_n[low]++] = (uint16_t)set;
    }
    for (unsigned set = 1; set < 1u << n; set++)
        oracle_cut(o, set);
}

/* Of a part of the hand: level, loose and points as in struct arrangement. */
static void oracle_says(const struct oracle *o, unsigned set, int *level, int *loose, int *points)
{
    const int16_t *least = o->least[set];
    int pure = NEVER;

    *loose = *points = 0;
    for (int i = 0; i < o->n; i++)
        *points += set >> i & 1 ? o->points[i] : 0;
    for (int s = 3; s < STATES; s++)
        pure = least[s] < pure ? least[s] : pure;
    *level = least[5] < NEVER ? 2 : pure < NEVER ? 1 : 0;
    *loose = least[0];
    for (int s = 1; s < 3; s++)
        *loose = least[s] < *loose ? least[s] : *loose;
    if (*level == 1)
        *loose = pure;
    if (*level == 2)
        *loose = *points = least[5];
}

/* ---- Hands ------------------------------------------------------------------------------------- */

static uint64_t rng_state;

static unsigned rng(unsigned below)
{
    rng_state = rng_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(rng_state >> 33) % below;
}

static int add_card(uint8_t *hand, int n, unsigned card)
{
    for (int i = 0; i < n; i++) {
        if (hand[i] == card)
            return n;
    }
    hand[n] = (uint8_t)card;
    return n + 1;
}

/* A pure run for most, then few ranks and suits or pieces that cross, so that much competes for the same
 * cards. */
static void random_hand(uint8_t *hand, int n)
{
    int held = 0, jokers = (int)rng(3), style = (int)rng(4);
    unsigned from = rng(13), ranks = style == 0 ? 13 : 3 + rng(5), suits = style == 1 ? 1 + rng(4) : 4;

    for (int i = 0; i < jokers && held < n; i++)
        held = add_card(hand, held, ENG_JOKER_FIRST + (unsigned)i);
    if (rng(4) != 0) {
        unsigned suit = rng(4), low = rng(12), length = 3 + rng(3);
        for (unsigned i = 0; i < length && held < n; i++)
            held = add_card(hand, held, rng(2) * 52 + suit * 13 + (low + i) % 13);
    }
    if (2 * ranks * suits < 16)
        ranks = 13;
    while (held < n) {
        unsigned rank = (from + rng(ranks)) % 13, suit = rng(suits), copy = rng(2) * 52;
        held = add_card(hand, held, copy + suit * 13 + rank);
        if (style == 3 && held < n)
            held = add_card(hand, held, copy + suit * 13 + (rank + 1 + rng(2)) % 13);
    }
}

static struct eng_wild random_wild(const uint8_t *hand, int n)
{
    struct eng_wild wild = {.card = (uint8_t)rng(ENG_JOKER_FIRST + 2), .natural_pure = rng(5) != 0};

    wild.exact = rng(4) == 0;
    if (rng(3) == 0) /* wild cards at hand */
        wild.card = hand[rng((unsigned)n)];
    if (rng(20) == 0)
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

/* What was found is made of the hand's cards and is judged as it claims. */
static void check_found(const struct eng_wild *wild, const uint8_t *hand, int n,
                        const struct arrangement *found)
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
        cr_assert_eq(at, found->n); /* nothing stays over, not even a joker */
}

static void compare(struct oracle *o, const struct eng_wild *wild, const uint8_t *hand, int n)
{
    struct arrangement found;
    int level, loose, points;

    oracle_of(o, wild, hand, n);
    oracle_says(o, (1u << n) - 1, &level, &loose, &points);
    arrange(wild, hand, n, &found);
    if (found.level != level || found.loose != loose || found.points != points) {
        fprintf(stderr, "solver %d %d %d, oracle %d %d %d, ", found.level, found.loose, found.points, level,
                loose, points);
        show(wild, hand, n);
    }
    cr_assert(found.level == level && found.loose == loose && found.points == points);
    check_found(wild, hand, n, &found);
    cr_assert_eq(arrange_points(wild, hand, n), points);
    if (n <= ENG_GROUPING_CARDS) {
        struct eng_grouping g;
        eng_solve_grouping(wild, hand, n, &g, &level);
        cr_assert(level == points && eng_grouping_points(wild, &g, NEVER) == points);
        cr_assert_eq(eng_grouping_valid(wild, &g),
                     n == ENG_GROUPING_CARDS && found.level == 2 && !found.loose);
    }
}

/* What each card leaves when it goes. */
static void compare_without(struct oracle *o, const struct eng_wild *wild, const uint8_t *hand, int n)
{
    struct arrange_rest rests[ENG_HAND_MAX];
    int kinds = arrange_without(wild, hand, n, rests);

    for (int i = 0; i < n; i++) {
        int level, loose, points, k = 0;
        oracle_says(o, ((1u << n) - 1) & ~(1u << i), &level, &loose, &points);
        while (k < kinds && !(o->wild[i] ? eng_is_wild(wild, rests[k].card)
                                         : rests[k].card % 52 == hand[i] % 52 && rests[k].card < 104))
            k++;
        cr_assert_lt(k, kinds);
        if (!o->wild[i] || !o->natural_pure) /* of jokers one goes that is not missed */
            cr_assert(rests[k].level == level && rests[k].loose == loose);
    }
}

/* The finishing card: the best of all that could go. */
static void compare_finish(struct oracle *o, const struct eng_wild *wild, const uint8_t *hand, int n)
{
    struct arrangement found;
    int least = NEVER;

    oracle_of(o, wild, hand, n);
    for (int i = 0; i < n; i++) {
        int level, loose, points;
        oracle_says(o, ((1u << n) - 1) & ~(1u << i), &level, &loose, &points);
        least = points < least ? points : least;
    }
    compare_without(o, wild, hand, n);
    arrange_finish(wild, hand, n, &found);
    if (found.points != least) {
        fprintf(stderr, "finish: solver %d, oracle %d, ", found.points, least);
        show(wild, hand, n);
    }
    cr_assert_eq(found.points, least);
    check_found(wild, hand, n, &found);

    bool valid = found.level == ARRANGE_TWO_SEQUENCES && least == 0;
    cr_assert_eq(arrange_declaration(wild, hand, n, &found), valid);
    if (valid)
        check_found(wild, hand, n, &found);
}

static void compare_many(int hands, int n_min, int n_max, bool finish, uint64_t seed)
{
    struct oracle *o = malloc(sizeof *o);

    cr_assert_not_null(o);
    rng_state = seed;
    for (int i = 0; i < hands; i++) {
        uint8_t hand[HAND];
        int n = n_min + (int)rng((unsigned)(n_max - n_min + 1));
        random_hand(hand, n);
        struct eng_wild wild = random_wild(hand, n);
        if (finish)
            compare_finish(o, &wild, hand, n);
        else
            compare(o, &wild, hand, n);
    }
    free(o);
}

Test(arrange, equals_the_oracle_on_small_hands)
{
    compare_many(oracle_hands(6000), 3, 9, false, 1);
}

Test(arrange, equals_the_oracle_on_full_hands)
{
    compare_many(oracle_hands(300), 10, 13, false, 2);
}

Test(arrange, equals_the_oracle_on_the_largest_hands)
{
    compare_many(oracle_hands(800) / 20, 14, 15, false, 3);
}

Test(arrange, finds_the_finishing_card_of_the_oracle)
{
    compare_many(oracle_hands(1000) / 10, 8, 14, true, 4);
}
