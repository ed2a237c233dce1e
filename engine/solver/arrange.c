/* The search of the declare family's solver: which sets to make, and for each choice what sequences leave
 * over of the rest, suit by suit, from arrange_rows.c; jokers are distributed last. A choice of sets is a
 * node; each further set can gain at most its cards' points, which ends most searches at the first node. */
#include "engine/solver/arrange.h"

#include <string.h>

#include "base/bug.h"
#include "engine/solver/arrange_in.h"

/* ---- What sequences leave over ---- */

const struct eng_arrange_parts eng_arr_parts[ARR_PARTS] = {
    {ARR_ANY, ARR_ANY, ARR_ANY},           {ARR_SEQUENCE, ARR_SEQUENCE, ARR_ANY},
    {ARR_SEQUENCE, ARR_ANY, ARR_SEQUENCE}, {ARR_PURE, ARR_PURE, ARR_ANY},
    {ARR_PURE, ARR_ANY, ARR_PURE},         {ARR_BOTH, ARR_BOTH, ARR_ANY},
    {ARR_BOTH, ARR_ANY, ARR_BOTH},         {ARR_BOTH, ARR_PURE, ARR_SEQUENCE},
    {ARR_BOTH, ARR_SEQUENCE, ARR_PURE},
};

/* Of eng_arr_parts, by need. */
static const uint8_t first_part[ARR_NEEDS + 1] = {0, 1, 3, 5, ARR_PARTS};

/* A row in a register. Values beyond the jokers of the hand are meaningless. */
typedef uint8_t lanes __attribute__((vector_size(ARR_LANES)));

static const uint8_t nothing[ARR_LANES] = {255, 255, 255, 255, 255, 255, 255, 255,
                                           255, 255, 255, 255, 255, 255, 255, 255};

static inline lanes lanes_at(const uint8_t *row)
{
    lanes all;

    memcpy(&all, row, sizeof all);
    return all;
}

static inline lanes lanes_least(lanes a, lanes b)
{
    for (int j = 0; j < ARR_LANES; j++)
        a[j] = a[j] < b[j] ? a[j] : b[j];
    return a;
}

/* Saturating addition. */
static inline lanes lanes_plus(lanes row, lanes points)
{
    return lanes_least(row, ~points) + points;
}

/* A padded row: reading it some lanes earlier gives what is left if that many jokers are used elsewhere. */
struct late_row {
    uint8_t lanes[2 * ARR_LANES];
};

static inline void late_row_set(struct late_row *late, const uint8_t *row)
{
    memcpy(late->lanes, nothing, ARR_LANES);
    memcpy(late->lanes + ARR_LANES, row, ARR_LANES);
}

static inline lanes late_row_at(const struct late_row *late, int jokers)
{
    return lanes_at(late->lanes + ARR_LANES - jokers);
}

/* sum[j] = least a[i] + b[j - i]. */
static void share_jokers(int jokers, const uint8_t *a, const uint8_t *b, uint8_t *sum)
{
    struct late_row late;
    lanes least = lanes_at(nothing);

    late_row_set(&late, b);
    for (int i = 0; i <= jokers; i++)
        least = lanes_least(least, lanes_plus(late_row_at(&late, i), (lanes){0} + a[i]));
    memcpy(sum, &least, sizeof least);
}

/* All of eng_arr_parts at once, for rows that cannot contain a pure sequence. */
static void merge_impure(int jokers, const struct eng_arrange_row *a, const struct eng_arrange_row *b,
                         struct eng_arrange_row *sum)
{
    struct late_row any, sequence;
    lanes least_any = lanes_at(nothing), least_sequence = least_any;

    late_row_set(&any, b->of[ARR_ANY]);
    late_row_set(&sequence, b->of[ARR_SEQUENCE]);
    for (int i = 0; i <= jokers; i++) {
        lanes other = late_row_at(&any, i), mine = (lanes){0} + a->of[ARR_ANY][i];
        least_any = lanes_least(least_any, lanes_plus(other, mine));
        least_sequence = lanes_least(least_sequence, lanes_plus(late_row_at(&sequence, i), mine));
        mine = (lanes){0} + a->of[ARR_SEQUENCE][i];
        least_sequence = lanes_least(least_sequence, lanes_plus(other, mine));
    }
    memcpy(sum->of[ARR_ANY], &least_any, sizeof least_any);
    memcpy(sum->of[ARR_SEQUENCE], &least_sequence, sizeof least_sequence);
}

/* The needs with a pure one: it is in a, or in b; if it is possible in both, either choice is optimal. */
static void merge_pure(int jokers, const struct eng_arrange_row *a, const struct eng_arrange_row *b,
                       struct eng_arrange_row *sum)
{
    struct late_row late[ARR_NEEDS];
    lanes pure = lanes_at(nothing), both = pure;

    for (int need = 0; need < ARR_NEEDS; need++)
        late_row_set(&late[need], b->of[need]);
    for (int i = 0; i <= jokers; i++) {
        lanes any = (lanes){0} + a->of[ARR_ANY][i], sequence = (lanes){0} + a->of[ARR_SEQUENCE][i];
        lanes of_pure = (lanes){0} + a->of[ARR_PURE][i], of_both = (lanes){0} + a->of[ARR_BOTH][i];
        lanes other = late_row_at(&late[ARR_ANY], i);
        pure = lanes_least(pure, lanes_plus(other, of_pure));
        pure = lanes_least(pure, lanes_plus(late_row_at(&late[ARR_PURE], i), any));
        both = lanes_least(both, lanes_plus(other, of_both));
        both = lanes_least(both, lanes_plus(late_row_at(&late[ARR_BOTH], i), any));
        both = lanes_least(both, lanes_plus(late_row_at(&late[ARR_SEQUENCE], i), of_pure));
        both = lanes_least(both, lanes_plus(late_row_at(&late[ARR_PURE], i), sequence));
    }
    memcpy(sum->of[ARR_PURE], &pure, sizeof pure);
    memcpy(sum->of[ARR_BOTH], &both, sizeof both);
}

/* With that many jokers; more jokers never make it worse. */
static bool has_pure(const struct eng_arrange_row *row, int jokers)
{
    return row->of[ARR_PURE][jokers] < ARR_NEVER;
}

static void merge(int jokers, const struct eng_arrange_row *a, const struct eng_arrange_row *b,
                  struct eng_arrange_row *sum)
{
    merge_impure(jokers, a, b, sum);
    if (has_pure(a, jokers) || has_pure(b, jokers))
        merge_pure(jokers, a, b, sum);
    else
        memset(sum->of[ARR_PURE], ARR_NEVER, 2 * sizeof sum->of[ARR_PURE]);
}

/* For all suits without any need; a row by jokers, up to this number. */
static void any_left(struct eng_arrange_search *s, const struct eng_arrange_cards *cards, int jokers,
                     uint8_t left[ARR_LANES])
{
    uint8_t own[2 * ARR_LANES];
    bool first = true;

    memset(left, 0, ARR_LANES);
    for (int suit = 0; suit < ENG_SUITS; suit++) {
        struct eng_arrange_suit mine = arr_suit_of(cards, suit);
        if (mine.once == 0)
            continue;
        const uint8_t *row = arr_runs_row(&s->a.memo, s->a.jokers, mine, own);
        if (first)
            memcpy(left, row, ARR_LANES);
        else
            share_jokers(jokers, left, row, left);
        first = false;
    }
}

void eng_arrange_rows(struct eng_arrange *a, const struct eng_arrange_cards *cards)
{
    int from = 0;

    if (a->rows_known) {
        uint64_t other = (cards->once ^ a->rows_cards.once) | (cards->twice ^ a->rows_cards.twice);
        while (from < ENG_SUITS && (other >> (16 * a->order[from]) & 0xffff) == 0)
            from++;
    }
    for (int i = from; i < ENG_SUITS; i++) {
        int suit = a->order[i];
        struct eng_arrange_suit mine = arr_suit_of(cards, suit);
        a->rows[i] = eng_arrange_row_of(a, suit, mine);
        if (i == 0) {
            a->sums[0] = a->rows[0];
        } else if (i < ENG_SUITS - 1 && mine.once == 0 && a->wilds[suit] == 0) {
            a->sums[i] = a->sums[i - 1]; /* no cards leave nothing */
        } else if (i < ENG_SUITS - 1) {
            a->sums[i] = &a->own_sums[i];
            merge(a->jokers, a->sums[i - 1], a->rows[i], &a->own_sums[i]);
        }
    }
    a->rows_known = true;
    a->rows_cards = *cards;
}

/* For all suits, with a need; a row by jokers, up to this number. Returns its last value. */
static int left_of_all(struct eng_arrange *a, const struct eng_arrange_cards *cards, int jokers,
                       enum eng_arrange_need need, uint8_t left[ARR_LANES])
{
    uint8_t part[ARR_LANES];

    eng_arrange_rows(a, cards);
    const struct eng_arrange_row *before = a->sums[ENG_SUITS - 2], *last = a->rows[ENG_SUITS - 1];
    memset(left, ARR_NEVER, ARR_LANES);
    for (int i = first_part[need]; i < first_part[need + 1]; i++) {
        const uint8_t *one = before->of[eng_arr_parts[i].one], *other = last->of[eng_arr_parts[i].other];
        if (one[jokers] >= ARR_NEVER || other[jokers] >= ARR_NEVER)
            continue; /* more jokers never make it worse */
        share_jokers(jokers, one, other, part);
        lanes least = lanes_least(lanes_at(left), lanes_at(part));
        memcpy(left, &least, sizeof least);
    }
    return left[jokers];
}

/* ---- The search ---- */

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

/* What this choice of sets leaves over, by the number of jokers available to sequences, up to a maximum:
 * exact, or a bound if the last value is not below the best. */
static void look_at(struct eng_arrange_search *s, const struct eng_arrange_cards *cards, int jokers,
                    int picks_n, uint8_t left[ARR_LANES])
{
    bool known =
        s->a.rows_known && s->a.rows_cards.once == cards->once && s->a.rows_cards.twice == cards->twice;

    if (s->need == ARR_ANY || !known) { /* needs are expensive: first without */
        any_left(s, cards, jokers, left);
        if (left[jokers] >= s->best)
            return;
    }
    if (s->need != ARR_ANY)
        (void)left_of_all(&s->a, cards, jokers, s->need, left);
    if (left[jokers] < s->best)
        keep_best(s, left[jokers], cards, jokers, picks_n);
}

/* Further sets from rank index k on: no choice of them leaves less. One set fewer leaves at most its points
 * more, and sequences then have the jokers that sets do not use. */
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
    int later[ARR_SETS_JOKERS + 1]; /* by the jokers of the next set */

    look_at(s, cards, jokers, picks_n, left);
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

/* The highest level that the hand allows, determined without sets: that leaves most for sequences. */
static enum eng_arrange_level level_of(struct eng_arrange_search *s)
{
    uint8_t left[ARR_LANES];

    if (left_of_all(&s->a, &s->cards, s->jokers, ARR_BOTH, left) < ARR_NEVER)
        return ARRANGE_TWO_SEQUENCES;
    return left_of_all(&s->a, &s->cards, s->jokers, ARR_PURE, left) < ARR_NEVER ? ARRANGE_ONE_SEQUENCE
                                                                                : ARRANGE_NO_PURE;
}

/* Searches for a solution below `bound`; false: none. */
static bool search(struct eng_arrange_search *s, enum eng_arrange_level level, int bound)
{
    static const enum eng_arrange_need needs[] = {ARR_ANY, ARR_PURE, ARR_BOTH};

    s->best = bound;
    s->need = needs[level];
    eng_arrange_lay_out_sets(s);
    search_on(s, 0, &s->cards, s->jokers, 0);
    return s->best < bound;
}

/* Lays the hand out; returns the points of all its cards. */
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

/* One of each kind: equal cards, and jokers of all sorts, leave the same. */
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

/* The kind of card without which the fewest points are left. */
static uint8_t card_to_finish(struct eng_arrange_search *s, const uint8_t *kinds, int kinds_n, int all,
                              int *points, enum eng_arrange_level *level)
{
    uint8_t finish = ENG_NO_CARD;

    *points = ARR_NEVER;
    for (int i = 0; i < kinds_n; i++) {
        int rest = all - eng_grouping_card_points(s->a.wild, kinds[i]);
        put_aside(s, kinds[i]);
        /* Once there are two sequences, only fewer points with them, or fewer points of all cards, would be
         * better. */
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
