/* The search of the declare family's solver: which sets to make, and for each choice what sequences leave
 * over of the rest, suit by suit, from solver_declare_rows.c; jokers are shared out last. A choice of sets is
 * a node; each further set can bring its cards' points at most, which ends most searches at the first node.
 */
#include "engine/solver_declare.h"

#include <string.h>

#include "base/bug.h"
#include "engine/solver_declare_in.h"

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

static void keep_less(uint8_t *least, int value)
{
    *least = (uint8_t)(value < *least ? value : *least);
}

/* All of arr_parts at once. */
static void merge(int n, const struct arr_row *a, const struct arr_row *b, struct arr_row *sum)
{
    memset(sum, ARR_NEVER, sizeof *sum);
    sum->pure = a->pure || b->pure;
    for (int i = 0; i < n; i++) {
        int any = a->of[ARR_ANY][i], sequence = a->of[ARR_SEQUENCE][i];
        int pure = a->of[ARR_PURE][i], both = a->of[ARR_BOTH][i];
        for (int k = 0; k < n - i; k++) {
            int other = b->of[ARR_ANY][k], other_sequence = b->of[ARR_SEQUENCE][k];
            keep_less(&sum->of[ARR_ANY][i + k], any + other);
            keep_less(&sum->of[ARR_SEQUENCE][i + k], sequence + other);
            keep_less(&sum->of[ARR_SEQUENCE][i + k], any + other_sequence);
            if (!sum->pure)
                continue;
            keep_less(&sum->of[ARR_PURE][i + k], pure + other);
            keep_less(&sum->of[ARR_PURE][i + k], any + b->of[ARR_PURE][k]);
            keep_less(&sum->of[ARR_BOTH][i + k], both + other);
            keep_less(&sum->of[ARR_BOTH][i + k], any + b->of[ARR_BOTH][k]);
            keep_less(&sum->of[ARR_BOTH][i + k], pure + other_sequence);
            keep_less(&sum->of[ARR_BOTH][i + k], sequence + b->of[ARR_PURE][k]);
        }
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
        if (suit == 0)
            a->sums[0] = *row;
        else if (suit < ENG_SUITS - 1 && arr_slots(slots, suit) == 0)
            a->sums[suit] = a->sums[suit - 1]; /* nothing comes from nothing */
        else if (suit < ENG_SUITS - 1)
            merge(a->row_n, &a->sums[suit - 1], row, &a->sums[suit]);
    }
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

static void keep_best(struct arr_search *s, int left, uint64_t slots, int jokers, int picks_n)
{
    ASSERT(left < s->best && picks_n <= ARR_PICKS_MAX);
    s->best = left;
    s->best_slots = slots;
    s->best_jokers = (uint8_t)jokers;
    s->best_picks_n = (uint8_t)picks_n;
    memcpy(s->best_picks, s->picks, sizeof s->best_picks);
}

/* What this choice of sets leaves over, or, where that is not less than the best, a bound of it. */
static int look_at(struct arr_search *s, uint64_t slots, int jokers, int picks_n, int bound)
{
    int left = bound;

    ASSERT(bound >= 0);
    bool known = s->a.rows_known && s->a.rows_slots == slots;
    if (s->need == ARR_ANY || !known) { /* a need is dear: first without it */
        left = any_left(s, slots, jokers);
        left = left > bound ? left : bound;
    }
    if (left < s->best && s->need != ARR_ANY)
        left = left_of_all(&s->a, slots, jokers, s->need);
    if (left < s->best)
        keep_best(s, left, slots, jokers, picks_n);
    return left;
}

/* bound: so much is left over at least. A set less leaves at most its points more, so one more cannot leave
 * less than that under what was left without it. */
static void search_on(struct arr_search *s, int from, uint64_t slots, int jokers, int picks_n, int bound)
{
    const uint8_t *potential = s->potential[jokers];
    int left = look_at(s, slots, jokers, picks_n, bound);

    ASSERT(from <= s->ranks_n);
    for (int k = from; k < s->ranks_n && s->best > 0 && left - potential[k] < s->best; k++) {
        for (int i = s->next[k]; i < s->next[k + 1]; i++) {
            const struct arr_sets *sets = &s->sets[i];
            int less = left - sets->points;
            if (sets->jokers > jokers || less - potential[k + 1] >= s->best)
                continue;
            ASSERT(picks_n < ARR_PICKS_MAX);
            s->picks[picks_n] = (uint8_t)i;
            search_on(s, k + 1, slots & ~sets->slots, jokers - sets->jokers, picks_n + 1,
                      less > 0 ? less : 0);
        }
    }
}

/* The highest level that the hand allows, seen without sets: that leaves most for sequences. */
static enum arrange_level level_of(struct arr_search *s)
{
    int windows = 0;

    for (int suit = 0; suit < ENG_SUITS; suit++)
        windows += s->a.suits[suit].windows_n;
    if (windows == 0)
        return ARRANGE_NO_PURE;
    if (left_of_all(&s->a, s->slots, s->jokers, ARR_BOTH) < ARR_NEVER)
        return ARRANGE_TWO_SEQUENCES;
    return left_of_all(&s->a, s->slots, s->jokers, ARR_PURE) < ARR_NEVER ? ARRANGE_ONE_SEQUENCE
                                                                         : ARRANGE_NO_PURE;
}

/* Looks for what is left over less than `bound`; false: nothing is. */
static bool search(struct arr_search *s, enum arrange_level level, int bound)
{
    static const enum arr_need needs[] = {ARR_ANY, ARR_PURE, ARR_BOTH};

    s->best = bound;
    s->need = needs[level];
    arr_lay_out_sets(s);
    search_on(s, 0, s->slots, s->jokers, 0, 0);
    return s->best < bound;
}

/* Lays the hand out; returns the points of all its cards. */
static int begin(struct arr_search *s, const struct eng_wild *wild, const uint8_t *cards, int n)
{
    int points = 0;

    arr_lay_out(&s->a, wild, cards, n, &s->slots);
    s->jokers = s->a.jokers;
    for (int suit = 0; suit < ENG_SUITS; suit++) {
        for (int slot = 0; slot < s->a.suits[suit].n; slot++)
            points += s->a.suits[suit].weight[slot];
    }
    return points;
}

int arrange_points(const struct eng_wild *wild, const uint8_t *cards, int n)
{
    struct arr_search s;
    int points = begin(&s, wild, cards, n);

    if (level_of(&s) < ARRANGE_TWO_SEQUENCES)
        return points;
    (void)search(&s, ARRANGE_TWO_SEQUENCES, ARR_NEVER);
    return s.best;
}

void arrange(const struct eng_wild *wild, const uint8_t *cards, int n, struct arrangement *best)
{
    struct arr_search s;
    int points = begin(&s, wild, cards, n);
    enum arrange_level level = level_of(&s);

    if (!search(&s, level, ARR_NEVER))
        BUG("a level that the hand does not allow");
    *best = (struct arrangement){.level = (uint8_t)level, .loose = (uint8_t)s.best, .finish = ENG_NO_CARD};
    best->points = (uint8_t)(level == ARRANGE_TWO_SEQUENCES ? s.best : points);
    arr_write(&s, cards, n, ENG_NO_CARD, best);
}

/* ---- All cards but one ---- */

/* Without the card: the table of the suits stays what it is. */
static void put_aside(struct arr_search *s, uint8_t card)
{
    if (eng_is_wild(s->a.wild, card)) {
        s->jokers--;
        return;
    }
    int rank = eng_rank(card), suit = eng_suit(card);
    unsigned at = s->a.suits[suit].at[arr_place_of(rank)], bit = 1u << suit;
    uint8_t *suits = s->a.twice[rank] & bit ? &s->a.twice[rank] : &s->a.held[rank];

    *suits = (uint8_t)(*suits & ~bit);
    s->slots &= ~((uint64_t)(1u << (31 - __builtin_clz(at))) << (16 * suit));
}

static void take_back(struct arr_search *s, uint8_t card)
{
    if (eng_is_wild(s->a.wild, card)) {
        s->jokers++;
        return;
    }
    int rank = eng_rank(card), suit = eng_suit(card);
    unsigned at = s->a.suits[suit].at[arr_place_of(rank)], bit = 1u << suit;
    uint8_t *suits = s->a.held[rank] & bit ? &s->a.twice[rank] : &s->a.held[rank];

    *suits = (uint8_t)(*suits | bit);
    s->slots |= (uint64_t)(1u << (31 - __builtin_clz(at))) << (16 * suit);
}

/* One of each kind: equal cards, and jokers of all sorts, leave the same. */
static int kinds_of(const struct arr_search *s, const uint8_t *cards, int n, uint8_t kinds[ENG_HAND_MAX])
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

int arrange_without(const struct eng_wild *wild, const uint8_t *cards, int n,
                    struct arrange_rest rests[ENG_HAND_MAX])
{
    struct arr_search s;
    uint8_t kinds[ENG_HAND_MAX];

    (void)begin(&s, wild, cards, n);
    int kinds_n = kinds_of(&s, cards, n, kinds);
    for (int i = 0; i < kinds_n; i++) {
        put_aside(&s, kinds[i]);
        enum arrange_level level = level_of(&s);
        (void)search(&s, level, ARR_NEVER);
        rests[i] = (struct arrange_rest){kinds[i], (uint8_t)level, (uint8_t)s.best};
        take_back(&s, kinds[i]);
    }
    return kinds_n;
}

bool arrange_declaration(const struct eng_wild *wild, const uint8_t *cards, int n, struct arrangement *best)
{
    struct arr_search s;
    uint8_t kinds[ENG_HAND_MAX];

    (void)begin(&s, wild, cards, n);
    int kinds_n = kinds_of(&s, cards, n, kinds);
    for (int i = 0; i < kinds_n; i++) {
        put_aside(&s, kinds[i]);
        if (search(&s, ARRANGE_TWO_SEQUENCES, 1)) {
            *best = (struct arrangement){.level = ARRANGE_TWO_SEQUENCES};
            arr_write(&s, cards, n, kinds[i], best);
            return true;
        }
        take_back(&s, kinds[i]);
    }
    return false;
}

/* Of the kinds of cards the one without which the fewest points are left. */
static uint8_t card_to_finish(struct arr_search *s, const uint8_t *kinds, int kinds_n, int all, int *points,
                              enum arrange_level *level)
{
    uint8_t finish = ENG_NO_CARD;

    *points = ARR_NEVER;
    for (int i = 0; i < kinds_n; i++) {
        int rest = all - eng_grouping_card_points(s->a.wild, kinds[i]);
        put_aside(s, kinds[i]);
        /* Once there are two sequences only less with them, or fewer points of all cards, would be better. */
        bool needs_two = *level == ARRANGE_TWO_SEQUENCES && rest >= *points;
        enum arrange_level here = needs_two ? ARRANGE_TWO_SEQUENCES : level_of(s);
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

void arrange_finish(const struct eng_wild *wild, const uint8_t *cards, int n, struct arrangement *best)
{
    struct arr_search s;
    uint8_t kinds[ENG_HAND_MAX];
    enum arrange_level level = ARRANGE_NO_PURE;
    int points, all = begin(&s, wild, cards, n), kinds_n = kinds_of(&s, cards, n, kinds);

    ASSERT(n > 0);
    uint8_t finish = card_to_finish(&s, kinds, kinds_n, all, &points, &level);
    put_aside(&s, finish);
    if (!search(&s, level, ARR_NEVER))
        BUG("a level that the hand does not allow");
    *best =
        (struct arrangement){.level = (uint8_t)level, .loose = (uint8_t)s.best, .points = (uint8_t)points};
    arr_write(&s, cards, n, finish, best);
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
