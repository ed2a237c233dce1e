/* Judges groups. A group's natural cards become two small masks (ranks and suits), and jokers fill the
 * gaps, so each check compares a few bits. Source: docs/rules.md §8.1. */
#include "engine/core/grouping.h"

#include "base/bug.h"

/* ---- Wild cards ---- */

static const uint64_t rank_types = UINT64_C(1) | UINT64_C(1) << 13 | UINT64_C(1) << 26 | UINT64_C(1) << 39;

struct eng_wild eng_wild_of(const struct eng_params *params, uint8_t wild_card)
{
    ASSERT(params->family == ENG_FAMILY_DECLARE);
    return (struct eng_wild){.card = wild_card,
                             .exact = params->wild_scope == ENG_WILD_EXACT,
                             .natural_pure = params->wild_natural_pure != 0};
}

uint64_t eng_wild_types(const struct eng_wild *wild)
{
    if (wild->card == ENG_NO_CARD)
        return 0;
    ASSERT(wild->card < ENG_CARD_MAX);
    if (eng_is_joker(wild->card))
        return rank_types << ENG_RANK_ACE;
    if (wild->exact)
        return UINT64_C(1) << wild->card % ENG_PACK_CARDS;
    return rank_types << eng_rank(wild->card);
}

bool eng_is_wild(const struct eng_wild *wild, uint8_t card)
{
    ASSERT(card < ENG_CARD_MAX);
    return eng_is_joker(card) || (eng_wild_types(wild) >> card % ENG_PACK_CARDS & 1) != 0;
}

int eng_grouping_card_points(const struct eng_wild *wild, uint8_t card)
{
    if (eng_is_wild(wild, card))
        return 0;
    int rank = eng_rank(card);
    return rank == ENG_RANK_ACE || rank > ENG_RANK_TEN ? 10 : rank + 1;
}

/* ---- One group ---- */

/* The ranks and suits of some cards, and whether any of them occurs twice. */
struct marks {
    unsigned ranks, suits;
    bool rank_twice, suit_twice;
};

static void mark(struct marks *m, uint8_t card)
{
    unsigned rank = 1u << eng_rank(card), suit = 1u << eng_suit(card);
    m->rank_twice |= (m->ranks & rank) != 0;
    m->suit_twice |= (m->suits & suit) != 0;
    m->ranks |= rank;
    m->suits |= suit;
}

static bool one_bit(unsigned mask)
{
    return mask != 0 && (mask & (mask - 1)) == 0;
}

/* Whether cards of one suit, with no rank repeated, span at most n places; the ace may be at either end. */
static bool in_a_row(const struct marks *m, int n)
{
    if (!one_bit(m->suits) || m->rank_twice || n > ENG_GROUP_SEQUENCE_MAX)
        return false;
    unsigned places[2] = {m->ranks, (m->ranks & ~1u) | (m->ranks & 1u) << ENG_PLACE_ACE_HIGH};
    for (int high = 0; high < 2; high++) {
        int from = __builtin_ctz(places[high]), to = 31 - __builtin_clz(places[high]);
        if (to - from < n)
            return true;
    }
    return false;
}

enum eng_group_kind eng_group_judge(const struct eng_wild *wild, const uint8_t *cards, int n)
{
    uint64_t types = eng_wild_types(wild);
    struct marks plain = {0}, all = {0}; /* without wild cards; with wild cards at face value */
    bool spoilt = false;

    ASSERT(n >= 0 && n <= ENG_HAND_MAX);
    if (n < ENG_MELD_MIN)
        return ENG_GROUP_NONE;
    for (int i = 0; i < n; i++) {
        bool joker = eng_is_joker(cards[i]), stands_in = joker || (types >> cards[i] % ENG_PACK_CARDS & 1);
        spoilt |= joker || (stands_in && !wild->natural_pure);
        if (!joker)
            mark(&all, cards[i]);
        if (!stands_in)
            mark(&plain, cards[i]);
    }
    if (plain.suits == 0)
        return ENG_GROUP_SET;
    if (!spoilt && in_a_row(&all, n))
        return ENG_GROUP_PURE;
    if (in_a_row(&plain, n))
        return ENG_GROUP_SEQUENCE;
    return one_bit(plain.ranks) && !plain.suit_twice ? ENG_GROUP_SET : ENG_GROUP_NONE;
}

/* ---- A whole grouping ---- */

static enum eng_refusal blame_cards(struct eng_blame *blame, enum eng_refusal code, const uint8_t *cards,
                                    int n)
{
    ASSERT(n <= ENG_MOVE_CARDS_MAX);
    *blame = (struct eng_blame){.code = code, .n = (uint8_t)n};
    for (int i = 0; i < n; i++)
        blame->cards[i] = cards[i];
    return code;
}

/* The reason why these cards are not a group. */
static enum eng_refusal blame_group(const struct eng_wild *wild, const uint8_t *cards, int n,
                                    struct eng_blame *blame)
{
    struct marks plain = {0};
    uint8_t naturals[ENG_GROUPING_CARDS];
    int naturals_n = 0;

    for (int i = 0; i < n; i++) {
        if (eng_is_wild(wild, cards[i]))
            continue;
        mark(&plain, cards[i]);
        naturals[naturals_n++] = cards[i];
    }
    enum eng_refusal code = one_bit(plain.ranks)   ? ENG_SET_REPEATS_SUIT
                            : one_bit(plain.suits) ? ENG_RUN_NOT_CONSECUTIVE
                                                   : ENG_NOT_A_MELD;
    if (code != ENG_SET_REPEATS_SUIT)
        return blame_cards(blame, code, cards, n);
    int twins = 0;
    for (int i = 0; i < naturals_n; i++) {
        int same = 0;
        for (int k = 0; k < naturals_n; k++)
            same += eng_suit(naturals[k]) == eng_suit(naturals[i]);
        if (same > 1)
            blame->cards[twins++] = naturals[i];
    }
    blame->code = code;
    blame->n = (uint8_t)twins;
    return code;
}

struct sequences {
    int all, pure;
};

/* Judges each group; sets *loose to the points of the ungrouped cards. */
static struct sequences find_sequences(const struct eng_wild *wild, const struct eng_grouping *g, int *loose)
{
    struct sequences found = {0};
    int at = 0;

    *loose = 0;
    ASSERT(g->groups <= ENG_GROUPING_GROUPS && g->n <= ENG_GROUPING_CARDS);
    for (int i = 0; i < g->groups; i++) {
        enum eng_group_kind kind = eng_group_judge(wild, g->cards + at, g->lens[i]);
        found.all += kind >= ENG_GROUP_SEQUENCE;
        found.pure += kind == ENG_GROUP_PURE;
        for (int k = 0; k < g->lens[i]; k++, at++)
            *loose += kind == ENG_GROUP_NONE ? eng_grouping_card_points(wild, g->cards[at]) : 0;
    }
    ASSERT(at <= g->n);
    for (; at < g->n; at++)
        *loose += eng_grouping_card_points(wild, g->cards[at]);
    return found;
}

enum eng_refusal eng_grouping_check(const struct eng_wild *wild, const struct eng_grouping *g,
                                    struct eng_blame *blame)
{
    int at = 0, loose;

    *blame = (struct eng_blame){.code = ENG_OK};
    for (int i = 0; i < g->groups; at += g->lens[i++]) {
        ASSERT(at + g->lens[i] <= g->n);
        if (g->lens[i] < ENG_MELD_MIN)
            return blame_cards(blame, ENG_GROUPING_INCOMPLETE, g->cards + at, g->lens[i]);
    }
    if (at < g->n || g->n != ENG_GROUPING_CARDS)
        return blame_cards(blame, ENG_GROUPING_INCOMPLETE, g->cards + at, g->n - at);
    at = 0;
    for (int i = 0; i < g->groups; at += g->lens[i++]) {
        if (eng_group_judge(wild, g->cards + at, g->lens[i]) == ENG_GROUP_NONE)
            return blame_group(wild, g->cards + at, g->lens[i], blame);
    }
    struct sequences found = find_sequences(wild, g, &loose);
    if (found.pure == 0)
        return blame_cards(blame, ENG_NEEDS_PURE_SEQUENCE, NULL, 0);
    if (found.all < 2)
        return blame_cards(blame, ENG_NEEDS_TWO_SEQUENCES, NULL, 0);
    return ENG_OK;
}

bool eng_grouping_valid(const struct eng_wild *wild, const struct eng_grouping *g)
{
    struct eng_blame blame;

    return eng_grouping_check(wild, g, &blame) == ENG_OK;
}

int eng_grouping_points(const struct eng_wild *wild, const struct eng_grouping *g, int cap)
{
    int points;
    struct sequences found = find_sequences(wild, g, &points);

    ASSERT(cap >= 0);
    if (found.pure == 0 || found.all < 2) {
        points = 0;
        for (int i = 0; i < g->n; i++)
            points += eng_grouping_card_points(wild, g->cards[i]);
    }
    return points < cap ? points : cap;
}
