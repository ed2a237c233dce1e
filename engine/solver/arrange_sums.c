/* Computes the points that sequences leave over in all suits together from the rows of each suit
 * (arrange_rows.c), suit by suit, with the best distribution of jokers. See arrange_in.h. */
#include <string.h>

#include "engine/solver/arrange_in.h"

const struct eng_arrange_parts eng_arr_parts[ARR_PARTS] = {
    {ARR_ANY, ARR_ANY, ARR_ANY},           {ARR_SEQUENCE, ARR_SEQUENCE, ARR_ANY},
    {ARR_SEQUENCE, ARR_ANY, ARR_SEQUENCE}, {ARR_PURE, ARR_PURE, ARR_ANY},
    {ARR_PURE, ARR_ANY, ARR_PURE},         {ARR_BOTH, ARR_BOTH, ARR_ANY},
    {ARR_BOTH, ARR_ANY, ARR_BOTH},         {ARR_BOTH, ARR_PURE, ARR_SEQUENCE},
    {ARR_BOTH, ARR_SEQUENCE, ARR_PURE},
};

/* Index of the first entry in eng_arr_parts, by need. */
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

/* A padded row: reading it n lanes earlier gives the points left over if n jokers are used elsewhere. */
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

/* Merges all of eng_arr_parts together, for rows that cannot contain a pure sequence. */
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

/* Merges the needs with a pure sequence, which is in a or in b; if both are possible, either choice is
 * optimal. */
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

/* Whether a pure sequence is possible with that many jokers; more jokers never make a row worse. */
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

void eng_arrange_any_left(struct eng_arrange *a, const struct eng_arrange_cards *cards, int jokers,
                          uint8_t left[ARR_LANES])
{
    uint8_t own[2 * ARR_LANES];
    bool first = true;

    memset(left, 0, ARR_LANES);
    for (int suit = 0; suit < ENG_SUITS; suit++) {
        struct eng_arrange_suit mine = arr_suit_of(cards, suit);
        if (mine.once == 0)
            continue;
        const uint8_t *row = arr_runs_row(&a->memo, a->jokers, mine, own);
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
            a->sums[i] = a->sums[i - 1]; /* without cards, nothing is left over */
        } else if (i < ENG_SUITS - 1) {
            a->sums[i] = &a->own_sums[i];
            merge(a->jokers, a->sums[i - 1], a->rows[i], &a->own_sums[i]);
        }
    }
    a->rows_known = true;
    a->rows_cards = *cards;
}

int eng_arrange_left(struct eng_arrange *a, const struct eng_arrange_cards *cards, int jokers,
                     enum eng_arrange_need need, uint8_t left[ARR_LANES])
{
    uint8_t part[ARR_LANES];

    eng_arrange_rows(a, cards);
    const struct eng_arrange_row *before = a->sums[ENG_SUITS - 2], *last = a->rows[ENG_SUITS - 1];
    memset(left, ARR_NEVER, ARR_LANES);
    for (int i = first_part[need]; i < first_part[need + 1]; i++) {
        const uint8_t *one = before->of[eng_arr_parts[i].one], *other = last->of[eng_arr_parts[i].other];
        if (one[jokers] >= ARR_NEVER || other[jokers] >= ARR_NEVER)
            continue; /* more jokers never make a row worse */
        share_jokers(jokers, one, other, part);
        lanes least = lanes_least(lanes_at(left), lanes_at(part));
        memcpy(left, &least, sizeof least);
    }
    return left[jokers];
}
