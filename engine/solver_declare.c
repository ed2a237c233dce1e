/* The search of the declare family's solver: which sets to make, and for each choice what sequences leave
 * over of the rest, suit by suit, from solver_declare_rows.c; jokers are shared out last. A choice of sets is
 * a node; each further set can bring its cards' points at most, which ends most searches at the first node.
 */
#include "engine/solver_declare.h"

#include <string.h>

#include "base/bug.h"
#include "engine/solver_declare_in.h"

/* ---- Sets ---- */

static int bits4(unsigned mask)
{
    static const uint8_t counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return counts[mask & 15u];
}

static int place_of(int rank)
{
    return rank == ENG_RANK_ACE ? ENG_PLACE_ACE_HIGH : rank;
}

/* Adds the sets of these cards, if the jokers allow them. */
static void add_sets(struct arr_search *s, int rank, unsigned first, unsigned second)
{
    int place = place_of(rank);
    int cards = bits4(first) + bits4(second), points = cards * (place < ENG_RANK_TEN ? place + 1 : 10);
    uint64_t slots = 0;

    for (unsigned left = first; left != 0; left &= left - 1) {
        int suit = __builtin_ctz(left);
        unsigned at =
            s->a.suits[suit].at[place]; /* of two copies the upper one, that equal hands look equal */
        unsigned taken = second >> suit & 1 ? at : 1u << (31 - __builtin_clz(at));
        slots |= (uint64_t)taken << (16 * suit);
    }
    if (bits4(first) == ENG_SUITS && second != 0 && bits4(second) < ENG_MELD_MIN) {
        unsigned moved = first & ~second; /* four cards can spare one */
        moved &= -moved;
        first &= ~moved;
        second |= moved;
    }
    int jokers = (bits4(first) == 2) + (bits4(second) == 2);
    if (jokers > s->a.jokers)
        return;
    ASSERT(s->sets_n < ARR_SETS_MAX);
    s->sets[s->sets_n++] = (struct arr_sets){slots,           (uint8_t)rank,   (uint8_t)first,
                                             (uint8_t)second, (uint8_t)jokers, (uint8_t)points};
}

/* All sets of a rank, the large ones first. A single card with two jokers is a sequence, which is worth more;
 * and what three sets of a rank hold fits in two, one with every suit, one with those that are there twice.
 */
static void sets_of_rank(struct arr_search *s, int rank)
{
    unsigned held = s->a.held[rank], twice = s->a.twice[rank];

    for (unsigned first = held; first != 0; first = (first - 1) & held) {
        int spare = bits4(first) == ENG_SUITS; /* a card for the second one */
        if (bits4(first) < 2)
            continue;
        for (unsigned second = first & twice; second != 0; second = (second - 1) & first & twice) {
            if (bits4(second) + spare >= 2)
                add_sets(s, rank, first, second);
        }
        add_sets(s, rank, first, 0);
    }
}

/* Ranks in falling order of what their sets can bring. */
static void lay_out_sets(struct arr_search *s)
{
    uint8_t order[ENG_RANKS], most[ENG_RANKS], bare[ENG_RANKS];
    int n = 0;

    for (int rank = 0; rank < ENG_RANKS; rank++) {
        int held = bits4(s->a.held[rank]), twice = bits4(s->a.twice[rank]);
        if (held + (s->a.jokers > 0) < ENG_MELD_MIN)
            continue;
        int place = place_of(rank), card = place < ENG_RANK_TEN ? place + 1 : 10, at = n++;
        int points = (held + (twice > 1 || held == ENG_SUITS ? twice : 0)) * card;
        for (; at > 0 && most[order[at - 1]] < points; at--)
            order[at] = order[at - 1];
        order[at] = (uint8_t)rank;
        most[rank] = (uint8_t)points;
        bare[rank] = (uint8_t)(held < 3 ? 0 : points);
    }
    s->ranks_n = (uint8_t)n;
    s->sets_n = 0;
    for (int i = 0; i < n; i++) {
        s->next[i] = s->sets_n;
        sets_of_rank(s, order[i]);
    }
    s->next[n] = s->sets_n;
    s->potential[n] = s->potential_bare[n] = 0;
    for (int i = n; i > 0; i--) {
        s->potential[i - 1] = (uint8_t)(s->potential[i] + most[order[i - 1]]);
        s->potential_bare[i - 1] = (uint8_t)(s->potential_bare[i] + bare[order[i - 1]]);
    }
}

/* ---- What sequences leave over ---- */

const struct arr_parts arr_parts[ARR_PARTS] = {
    {ARR_ANY, ARR_ANY, ARR_ANY},           {ARR_SEQUENCE, ARR_SEQUENCE, ARR_ANY},
    {ARR_SEQUENCE, ARR_ANY, ARR_SEQUENCE}, {ARR_PURE, ARR_PURE, ARR_ANY},
    {ARR_PURE, ARR_ANY, ARR_PURE},         {ARR_BOTH, ARR_BOTH, ARR_ANY},
    {ARR_BOTH, ARR_ANY, ARR_BOTH},         {ARR_BOTH, ARR_PURE, ARR_SEQUENCE},
    {ARR_BOTH, ARR_SEQUENCE, ARR_PURE},
};

/* sum[j] = least a[i] + b[j - i], if that is less. */
static void share_jokers(int n, const uint8_t *a, const uint8_t *b, uint8_t *sum)
{
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) {
            int both = a[i] + b[j - i];
            sum[j] = (uint8_t)(both < sum[j] ? both : sum[j]);
        }
    }
}

/* The last one of them only. */
static int share_all_jokers(int jokers, const uint8_t *a, const uint8_t *b)
{
    int least = ARR_NEVER;

    for (int i = 0; i <= jokers; i++) {
        int both = a[i] + b[jokers - i];
        least = both < least ? both : least;
    }
    return least;
}

static void merge(int n, const struct arr_row *a, const struct arr_row *b, struct arr_row *sum)
{
    memset(sum, ARR_NEVER, sizeof *sum);
    sum->pure = a->pure || b->pure;
    for (int i = 0; i < ARR_PARTS; i++) {
        const struct arr_parts *part = &arr_parts[i];
        if ((part->one >= ARR_PURE && !a->pure) || (part->other >= ARR_PURE && !b->pure))
            continue;
        share_jokers(n, a->of[part->one], b->of[part->other], sum->of[part->need]);
    }
}

/* The row of a part of a suit for every need: pure sequences are tried window by window. */
static void whole_row(struct arr *a, struct arr_suit *u, unsigned mask, struct arr_row *row)
{
    int n = a->row_n;
    const uint8_t *runs = arr_runs_row(a, u, mask);

    memset(row->of[ARR_PURE], ARR_NEVER, 2 * sizeof row->of[ARR_PURE]);
    row->pure = false;
    memcpy(row->of[ARR_ANY], runs, (size_t)n);
    memcpy(row->of[ARR_SEQUENCE], runs + n, (size_t)n);
    for (int i = 0; i < u->windows_n; i++) {
        const struct arr_window *w = &u->windows[i];
        if ((mask & w->slots) != w->slots)
            continue;
        row->pure = true;
        runs = arr_runs_row(a, u, mask & ~(unsigned)w->slots);
        for (int j = w->jokers; j < n; j++) {
            uint8_t pure = runs[j - w->jokers], both = runs[n + j - w->jokers];
            row->of[ARR_PURE][j] = pure < row->of[ARR_PURE][j] ? pure : row->of[ARR_PURE][j];
            row->of[ARR_BOTH][j] = both < row->of[ARR_BOTH][j] ? both : row->of[ARR_BOTH][j];
        }
    }
}

/* Of all suits without any need. */
static int any_left(struct arr_search *s, uint64_t slots, int jokers)
{
    uint8_t sums[2][ARR_ROW_MAX];
    const uint8_t *rows[ENG_SUITS];
    int n = 0;

    for (int suit = 0; suit < ENG_SUITS; suit++) {
        unsigned mask = arr_slots(slots, suit);
        if (mask != 0)
            rows[n++] = arr_runs_row(&s->a, &s->a.suits[suit], mask);
    }
    if (n < 2)
        return n == 0 ? 0 : rows[0][jokers];
    for (int i = 1; i < n - 1; i++) {
        memset(sums[i & 1], ARR_NEVER, (size_t)jokers + 1);
        share_jokers(jokers + 1, rows[i - 1], rows[i], sums[i & 1]);
        rows[i] = sums[i & 1];
    }
    return share_all_jokers(jokers, rows[n - 2], rows[n - 1]);
}

void arr_rows(struct arr *a, uint64_t slots)
{
    int from = 0;

    if (a->rows_known)
        while (from < ENG_SUITS && arr_slots(slots ^ a->rows_slots, from) == 0)
            from++;
    for (int suit = from; suit < ENG_SUITS; suit++) {
        struct arr_row *row = &a->rows[suit];
        whole_row(a, &a->suits[suit], arr_slots(slots, suit), row);
        if (suit > 0 && suit < ENG_SUITS - 1)
            merge(a->row_n, suit > 1 ? &a->sums[suit - 1] : &a->rows[0], row, &a->sums[suit]);
    }
    a->sums[0] = a->rows[0];
    a->rows_known = true;
    a->rows_slots = slots;
}

/* Of all suits, with a need. */
static int left_of_all(struct arr *a, uint64_t slots, int jokers, enum arr_need need)
{
    int least = ARR_NEVER;

    arr_rows(a, slots);
    for (int i = 0; i < ARR_PARTS; i++) {
        if (arr_parts[i].need != need)
            continue;
        int left = share_all_jokers(jokers, a->sums[ENG_SUITS - 2].of[arr_parts[i].one],
                                    a->rows[ENG_SUITS - 1].of[arr_parts[i].other]);
        least = left < least ? left : least;
    }
    return least;
}

/* ---- The search ---- */

static void look_at(struct arr_search *s, uint64_t slots, int jokers, int picks_n, int any)
{
    int left = s->need == ARR_ANY ? any : left_of_all(&s->a, slots, jokers, s->need);

    if (left >= s->best)
        return;
    s->best = left;
    s->best_slots = slots;
    s->best_jokers = (uint8_t)jokers;
    s->best_picks_n = (uint8_t)picks_n;
    memcpy(s->best_picks, s->picks, sizeof s->best_picks);
}

static void search_on(struct arr_search *s, int from, uint64_t slots, int jokers, int picks_n)
{
    const uint8_t *potential = jokers > 0 ? s->potential : s->potential_bare;
    int any = any_left(s, slots, jokers);

    if (any < s->best)
        look_at(s, slots, jokers, picks_n, any);
    for (int k = from; k < s->ranks_n && s->best > 0 && any - potential[k] < s->best; k++) {
        for (int i = s->next[k]; i < s->next[k + 1]; i++) {
            const struct arr_sets *sets = &s->sets[i];
            if (sets->jokers > jokers || any - sets->points - potential[k + 1] >= s->best)
                continue;
            ASSERT(picks_n < ARR_PICKS_MAX);
            s->picks[picks_n] = (uint8_t)i;
            search_on(s, k + 1, slots & ~sets->slots, jokers - sets->jokers, picks_n + 1);
        }
    }
}

/* The highest level that the hand allows, seen without sets: that leaves most for sequences. */
static enum arrange_level level_of(struct arr_search *s, uint64_t slots)
{
    int windows = 0;

    for (int suit = 0; suit < ENG_SUITS; suit++)
        windows += s->a.suits[suit].windows_n;
    if (windows == 0)
        return ARRANGE_NO_PURE;
    return left_of_all(&s->a, slots, s->a.jokers, ARR_BOTH) < ARR_NEVER ? ARRANGE_TWO_SEQUENCES
                                                                        : ARRANGE_ONE_SEQUENCE;
}

/* Lays the hand out. */
static enum arrange_level begin(struct arr_search *s, const struct eng_wild *wild, const uint8_t *cards,
                                int n, uint64_t *slots)
{
    arr_lay_out(&s->a, wild, cards, n, slots);
    s->best = ARR_NEVER;
    return level_of(s, *slots);
}

static void search(struct arr_search *s, enum arrange_level level, uint64_t slots)
{
    static const enum arr_need needs[] = {ARR_ANY, ARR_PURE, ARR_BOTH};

    s->need = needs[level];
    lay_out_sets(s);
    search_on(s, 0, slots, s->a.jokers, 0);
    ASSERT(s->best < ARR_NEVER);
}

static int points_of_all(const struct eng_wild *wild, const uint8_t *cards, int n)
{
    int points = 0;

    for (int i = 0; i < n; i++)
        points += eng_grouping_card_points(wild, cards[i]);
    return points;
}

int arrange_points(const struct eng_wild *wild, const uint8_t *cards, int n)
{
    struct arr_search s;
    uint64_t slots;

    if (begin(&s, wild, cards, n, &slots) < ARRANGE_TWO_SEQUENCES)
        return points_of_all(wild, cards, n);
    search(&s, ARRANGE_TWO_SEQUENCES, slots);
    return s.best;
}

void arrange(const struct eng_wild *wild, const uint8_t *cards, int n, struct arrangement *best)
{
    struct arr_search s;
    uint64_t slots;

    *best = (struct arrangement){.finish = ENG_NO_CARD, .n = (uint8_t)n};
    best->level = (uint8_t)begin(&s, wild, cards, n, &slots);
    search(&s, (enum arrange_level)best->level, slots);
    best->loose = (uint8_t)s.best;
    best->points =
        best->level == ARRANGE_TWO_SEQUENCES ? best->loose : (uint8_t)points_of_all(wild, cards, n);
    arr_write(&s, cards, n, best);
}

static bool is_better(const struct arrangement *a, const struct arrangement *b)
{
    if (a->points != b->points)
        return a->points < b->points;
    return a->level != b->level ? a->level > b->level : a->loose < b->loose;
}

void arrange_finish(const struct eng_wild *wild, const uint8_t *cards, int n, struct arrangement *best)
{
    ASSERT(n > 0);
    best->n = 0;
    for (int i = 0; i < n; i++) {
        struct arrangement other;
        uint8_t rest[ENG_HAND_MAX];
        bool seen = false;
        for (int k = 0; k < i; k++) /* an equal card was tried */
            seen |= eng_is_joker(cards[i])
                        ? eng_is_joker(cards[k])
                        : !eng_is_joker(cards[k]) && cards[k] % ENG_PACK_CARDS == cards[i] % ENG_PACK_CARDS;
        if (seen)
            continue;
        memcpy(rest, cards, (size_t)i);
        memcpy(rest + i, cards + i + 1, (size_t)(n - 1 - i));
        arrange(wild, rest, n - 1, &other);
        if (best->n == 0 || is_better(&other, best)) {
            *best = other;
            best->finish = cards[i];
        }
    }
}

void eng_solve_grouping(const struct eng_wild *wild, const uint8_t *cards, int n, struct eng_grouping *best,
                        int *points)
{
    struct arrangement found;

    ASSERT(n >= 0 && n <= ENG_GROUPING_CARDS);
    arrange(wild, cards, n, &found);
    *best = (struct eng_grouping){.n = (uint8_t)n, .groups = found.groups};
    memcpy(best->cards, found.cards, (size_t)n);
    ASSERT(found.groups <= ENG_GROUPING_GROUPS);
    memcpy(best->lens, found.lens, found.groups);
    *points = found.points;
}
