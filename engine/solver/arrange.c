/* The search of the declare family's solver: it chooses sets and, for each choice, computes the points that
 * sequences leave over (arrange_sums.c). Each node of the search is a choice of sets. Another set can gain
 * at most the points of its cards, so most searches end at the first node. */
#include "engine/solver/arrange.h"

#include <string.h>

#include "base/bug.h"
#include "engine/solver/arrange_in.h"

static void keep_best(struct eng_arrange_search *s, int left, const struct eng_arrange_cards *cards,
                      int jokers, int picks_n)
{
    ASSERT(left < s->best && picks_n <= ARR_PICKS_MAX);
    s->best = left;
    s->best_cards = *cards;
    s->best_jokers = (uint8_t)jokers;
    s->best_picks_n = (uint8_t)picks_n;
    memcpy(s->best_picks, s->picks, sizeof s->best_picks);
}

/* Computes the points left over by this choice of sets, for each number of jokers available to sequences up
 * to `jokers`. The values are exact or, if the last one is not below the best so far, lower bounds. */
static void find_left(struct eng_arrange_search *s, const struct eng_arrange_cards *cards, int jokers,
                      int picks_n, uint8_t left[ARR_LANES])
{
    bool known =
        s->a.rows_known && s->a.rows_cards.once == cards->once && s->a.rows_cards.twice == cards->twice;

    if (s->need == ARR_ANY || !known) { /* needs are expensive, so try without them first */
        eng_arrange_any_left(&s->a, cards, jokers, left);
        if (left[jokers] >= s->best)
            return;
    }
    if (s->need != ARR_ANY)
        (void)eng_arrange_left(&s->a, cards, jokers, s->need, left);
    if (left[jokers] < s->best)
        keep_best(s, left[jokers], cards, jokers, picks_n);
}

/* Lower bound for all choices of further sets from rank index k on. A set reduces the points left over by
 * at most its own points, and sequences get the jokers that sets do not use. */
static int least_left(const struct eng_arrange_search *s, const uint8_t left[ARR_LANES], int jokers, int k)
{
    int least = ARR_NEVER;

    for (int j = 0; j <= jokers; j++) {
        int here = left[jokers - j] - s->potential[j][k];
        least = here < least ? here : least;
    }
    return least;
}

static void search_on(struct eng_arrange_search *s, int from, const struct eng_arrange_cards *cards,
                      int jokers, int picks_n)
{
    uint8_t left[ARR_LANES];
    int later[ARR_SETS_JOKERS + 1]; /* indexed by the number of jokers in the next set */

    find_left(s, cards, jokers, picks_n, left);
    ASSERT(from <= s->ranks_n);
    for (int k = from; k < s->ranks_n && s->best > 0 && least_left(s, left, jokers, k) < s->best; k++) {
        for (int j = 0; j <= ARR_SETS_JOKERS; j++)
            later[j] = j <= jokers ? least_left(s, left, jokers - j, k + 1) : ARR_NEVER;
        for (int i = s->next[k]; i < s->next[k + 1]; i++) {
            const struct eng_arrange_sets *sets = &s->sets[i];
            if (sets->jokers > jokers || later[sets->jokers] - sets->points >= s->best)
                continue;
            ASSERT(picks_n < ARR_PICKS_MAX);
            s->picks[picks_n] = (uint8_t)i;
            struct eng_arrange_cards rest = arr_without(*cards, arr_at(sets->first, sets->place));
            rest = arr_without(rest, arr_at(sets->second, sets->place));
            search_on(s, k + 1, &rest, jokers - sets->jokers, picks_n + 1);
        }
    }
}

/* The highest level that the hand allows. It is determined without sets, because that leaves the most cards
 * for sequences. */
static enum eng_arrange_level level_of(struct eng_arrange_search *s)
{
    uint8_t left[ARR_LANES];

    if (eng_arrange_left(&s->a, &s->cards, s->jokers, ARR_BOTH, left) < ARR_NEVER)
        return ARRANGE_TWO_SEQUENCES;
    return eng_arrange_left(&s->a, &s->cards, s->jokers, ARR_PURE, left) < ARR_NEVER ? ARRANGE_ONE_SEQUENCE
                                                                                     : ARRANGE_NO_PURE;
}

/* Searches for a solution with fewer points than `bound`; false: none. */
static bool search(struct eng_arrange_search *s, enum eng_arrange_level level, int bound)
{
    static const enum eng_arrange_need needs[] = {ARR_ANY, ARR_PURE, ARR_BOTH};

    s->best = bound;
    s->need = needs[level];
    eng_arrange_lay_out_sets(s);
    search_on(s, 0, &s->cards, s->jokers, 0);
    return s->best < bound;
}

/* Initializes the search; returns the points of all cards in hand. */
static int begin(struct eng_arrange_search *s, const struct eng_wild *wild, const uint8_t *cards, int n)
{
    int points = eng_arrange_lay_out(&s->a, wild, cards, n, &s->cards);

    s->jokers = s->a.jokers;
    return points;
}

int eng_arrange_points(const struct eng_wild *wild, const uint8_t *cards, int n)
{
    struct eng_arrange_search s;
    int points = begin(&s, wild, cards, n);

    if (level_of(&s) < ARRANGE_TWO_SEQUENCES)
        return points;
    (void)search(&s, ARRANGE_TWO_SEQUENCES, ARR_NEVER);
    return s.best;
}

void eng_arrange(const struct eng_wild *wild, const uint8_t *cards, int n, struct eng_arrangement *best)
{
    struct eng_arrange_search s;
    int points = begin(&s, wild, cards, n);
    enum eng_arrange_level level = level_of(&s);

    if (!search(&s, level, ARR_NEVER))
        BUG("a level that the hand does not allow");
    *best =
        (struct eng_arrangement){.level = (uint8_t)level, .loose = (uint8_t)s.best, .finish = ENG_NO_CARD};
    best->points = (uint8_t)(level == ARRANGE_TWO_SEQUENCES ? s.best : points);
    eng_arrange_write(&s, cards, n, ENG_NO_CARD, best);
}

/* ---- All cards but one ---- */

static uint64_t bit_of(uint8_t card)
{
    return UINT64_C(1) << (16 * eng_suit(card) + arr_place_of(eng_rank(card)));
}

static void put_aside(struct eng_arrange_search *s, uint8_t card)
{
    if (eng_is_wild(s->a.wild, card))
        s->jokers--;
    else
        s->cards = arr_without(s->cards, bit_of(card));
}

static void take_back(struct eng_arrange_search *s, uint8_t card)
{
    if (eng_is_wild(s->a.wild, card)) {
        s->jokers++;
        return;
    }
    uint64_t bit = bit_of(card);
    s->cards.twice |= s->cards.once & bit;
    s->cards.once |= bit;
}

/* Lists one card of each kind. Equal cards are one kind, and so are all wild cards, because removing any of
 * them leaves an equivalent hand. */
static int kinds_of(const struct eng_arrange_search *s, const uint8_t *cards, int n,
                    uint8_t kinds[ENG_HAND_MAX])
{
    uint64_t seen = 0;
    bool joker = false;
    int kinds_n = 0;

    for (int i = 0; i < n; i++) {
        if (eng_is_wild(s->a.wild, cards[i])) {
            if (!joker)
                kinds[kinds_n++] = cards[i];
            joker = true;
            continue;
        }
        uint64_t type = UINT64_C(1) << cards[i] % ENG_PACK_CARDS;
        if (!(seen & type))
            kinds[kinds_n++] = cards[i];
        seen |= type;
    }
    return kinds_n;
}

int eng_arrange_without(const struct eng_wild *wild, const uint8_t *cards, int n,
                        struct eng_arrange_rest rests[ENG_HAND_MAX])
{
    struct eng_arrange_search s;
    uint8_t kinds[ENG_HAND_MAX];

    (void)begin(&s, wild, cards, n);
    int kinds_n = kinds_of(&s, cards, n, kinds);
    for (int i = 0; i < kinds_n; i++) {
        put_aside(&s, kinds[i]);
        enum eng_arrange_level level = level_of(&s);
        (void)search(&s, level, ARR_NEVER);
        rests[i] = (struct eng_arrange_rest){kinds[i], (uint8_t)level, (uint8_t)s.best};
        take_back(&s, kinds[i]);
    }
    return kinds_n;
}

bool eng_arrange_declaration(const struct eng_wild *wild, const uint8_t *cards, int n,
                             struct eng_arrangement *best)
{
    struct eng_arrange_search s;
    uint8_t kinds[ENG_HAND_MAX];

    (void)begin(&s, wild, cards, n);
    int kinds_n = kinds_of(&s, cards, n, kinds);
    for (int i = 0; i < kinds_n; i++) {
        put_aside(&s, kinds[i]);
        if (search(&s, ARRANGE_TWO_SEQUENCES, 1)) {
            *best = (struct eng_arrangement){.level = ARRANGE_TWO_SEQUENCES};
            eng_arrange_write(&s, cards, n, kinds[i], best);
            return true;
        }
        take_back(&s, kinds[i]);
    }
    return false;
}

/* The card whose removal leaves the fewest points. */
static uint8_t card_to_finish(struct eng_arrange_search *s, const uint8_t *kinds, int kinds_n, int all,
                              int *points, enum eng_arrange_level *level)
{
    uint8_t finish = ENG_NO_CARD;

    *points = ARR_NEVER;
    for (int i = 0; i < kinds_n; i++) {
        int rest = all - eng_grouping_card_points(s->a.wild, kinds[i]);
        put_aside(s, kinds[i]);
        /* Once a hand with two sequences was found, only fewer points are better: with two sequences, or
         * counting all cards. */
        bool needs_two = *level == ARRANGE_TWO_SEQUENCES && rest >= *points;
        enum eng_arrange_level here = needs_two ? ARRANGE_TWO_SEQUENCES : level_of(s);
        if (here == ARRANGE_TWO_SEQUENCES)
            rest = search(s, here, *points + (*level < here)) ? s->best : ARR_NEVER;
        if (rest < *points || (rest == *points && here > *level)) {
            *points = rest;
            *level = here;
            finish = kinds[i];
        }
        take_back(s, kinds[i]);
    }
    return finish;
}

void eng_arrange_finish(const struct eng_wild *wild, const uint8_t *cards, int n,
                        struct eng_arrangement *best)
{
    struct eng_arrange_search s;
    uint8_t kinds[ENG_HAND_MAX];
    enum eng_arrange_level level = ARRANGE_NO_PURE;
    int points, all = begin(&s, wild, cards, n), kinds_n = kinds_of(&s, cards, n, kinds);

    ASSERT(n > 0);
    uint8_t finish = card_to_finish(&s, kinds, kinds_n, all, &points, &level);
    put_aside(&s, finish);
    if (!search(&s, level, ARR_NEVER))
        BUG("a level that the hand does not allow");
    *best = (struct eng_arrangement){
        .level = (uint8_t)level, .loose = (uint8_t)s.best, .points = (uint8_t)points};
    eng_arrange_write(&s, cards, n, finish, best);
}

void eng_solve_grouping(const struct eng_wild *wild, const uint8_t *cards, int n, struct eng_grouping *best,
                        int *points)
{
    struct eng_arrangement found;

    ASSERT(n >= 0 && n <= ENG_GROUPING_CARDS);
    eng_arrange(wild, cards, n, &found);
    *best = (struct eng_grouping){.n = (uint8_t)n, .groups = found.groups};
    memcpy(best->cards, found.cards, (size_t)n);
    ASSERT(found.groups <= ENG_GROUPING_GROUPS);
    memcpy(best->lens, found.lens, found.groups);
    *points = found.points;
}
