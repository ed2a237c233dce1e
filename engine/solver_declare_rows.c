/* What sequences leave over of each part of a suit, by the number of jokers: a table filled as it is asked.
 *
 * Some best grouping is of a simple form, and only such ones are tried. Where a sequence spans the place of a
 * natural card that is at hand it uses it: were the card in a set or in a sequence that begins later, it
 * could change places with the joker at no cost. So a sequence is known by its lowest card and its highest;
 * between them jokers stand only where no card is. (The one pure sequence a declaration needs is chosen
 * first, by its window, because such an exchange would spoil it.) */
#include "engine/solver_declare_in.h"

#include <string.h>

#include "base/bug.h"

/* ---- Laying out the hand ---- */

/* The windows without a joker. have: places of naturals and of wild cards; wild: of these. */
static void lay_out_windows(struct arr_suit *u, unsigned have, unsigned wild)
{
    unsigned starts = have & have >> 1;

    u->windows_n = 0;
    for (int n = ENG_MELD_MIN; n <= 5; n++) {
        starts &= have >> (n - 1);
        for (unsigned left = starts; left != 0; left &= left - 1) {
            int low = __builtin_ctz(left);
            unsigned window = ((1u << n) - 1) << low;
            struct arr_window *w = &u->windows[u->windows_n++];
            *w = (struct arr_window){.low = (uint8_t)low, .n = (uint8_t)n, .jokers = (wild & window) != 0};
            for (int place = low; place < low + n; place++) {
                unsigned at = wild >> place & 1 ? 0 : u->at[place];
                w->slots |= (uint16_t)(at & -at); /* of two copies the lower one: sets take the upper one */
            }
        }
    }
    ASSERT(u->windows_n <= ARR_WINDOWS_MAX);
}

/* once, twice, wild: places 1..13. */
static void lay_out_suit(struct arr_suit *u, unsigned once, unsigned twice, unsigned wild)
{
    u->n = 0;
    memset(u->at, 0, sizeof u->at);
    for (unsigned left = once; left != 0; left &= left - 1) {
        int place = __builtin_ctz(left);
        for (unsigned copies = 1 + (twice >> place & 1); copies > 0; copies--) {
            u->at[place] |= (uint16_t)(1u << u->n);
            u->place[u->n] = (uint8_t)place;
            u->weight[u->n++] = (uint8_t)(place < ENG_RANK_TEN ? place + 1 : 10);
        }
    }
    u->at[0] = u->at[ARR_LAST_PLACE];
    unsigned have = once | wild;
    lay_out_windows(u, have | have >> ARR_LAST_PLACE, wild | wild >> ARR_LAST_PLACE);
}

void arr_lay_out(struct arr *a, const struct eng_wild *wild, const uint8_t *cards, int n, uint64_t *slots)
{
    uint64_t types = eng_wild_types(wild);
    unsigned once[ENG_SUITS] = {0}, twice[ENG_SUITS] = {0}, natural[ENG_SUITS] = {0};

    ASSERT(n >= 0 && n <= ENG_HAND_MAX);
    a->wild = wild;
    a->types = types;
    a->jokers = 0;
    a->rows_known = false;
    memset(a->held, 0, sizeof a->held);
    memset(a->twice, 0, sizeof a->twice);
    for (int i = 0; i < n; i++) {
        if (eng_is_joker(cards[i])) {
            a->jokers++;
            continue;
        }
        unsigned suit = eng_suit(cards[i]), rank = eng_rank(cards[i]);
        unsigned bit = 1u << (rank == ENG_RANK_ACE ? ENG_PLACE_ACE_HIGH : rank);
        if (types >> (suit * ENG_RANKS + rank) & 1) {
            a->jokers++;
            natural[suit] |= wild->natural_pure ? bit : 0;
            continue;
        }
        a->twice[rank] |= (uint8_t)(once[suit] & bit ? 1u << suit : 0);
        a->held[rank] |= (uint8_t)(1u << suit);
        twice[suit] |= once[suit] & bit;
        once[suit] |= bit;
    }
    a->row_n = (uint8_t)(a->jokers + 1);
    uint8_t *rows = a->table + ARR_LANES;
    memset(a->table, 0, ARR_LANES);
    *slots = 0;
    for (int suit = 0; suit < ENG_SUITS; suit++) {
        struct arr_suit *u = &a->suits[suit];
        u->suit = (uint8_t)suit;
        lay_out_suit(u, once[suit], twice[suit], natural[suit]);
        u->rows = rows;
        rows += (size_t)(2 * a->row_n) << u->n;
        *slots |= (uint64_t)((1u << u->n) - 1) << (16 * suit);
        memset(u->rows, 0, a->row_n); /* nothing is left of nothing, but there is no sequence either */
        memset(u->rows + a->row_n, ARR_NEVER, a->row_n);
        memset(u->rows + 2 * a->row_n, 255, (size_t)(rows - u->rows) - (size_t)(2 * a->row_n));
    }
    memset(rows, 0, ARR_LANES);
    ASSERT(rows + ARR_LANES <= a->table + ARR_TABLE_MAX);
}

/* ---- Sequences ---- */

/* Goes up from place `from`, which is taken already, and writes down every sequence that ends with a card.
 * above: the slots of the mask that are left, all of them higher. */
static int runs_from(const struct arr_suit *u, unsigned above, int jokers, struct arr_run run, int from,
                     struct arr_run *runs)
{
    int n = 0, last = run.low == 0 ? ENG_RANK_KING : ARR_LAST_PLACE, gaps = run.jokers;

    ASSERT(from >= run.low && gaps <= jokers);
    for (int place = from;;) {
        run.n = (uint8_t)(place - run.low + 1);
        int wanted = run.n < ENG_MELD_MIN ? ENG_MELD_MIN - run.n : 0;
        run.jokers = (uint8_t)(gaps + wanted);
        if (run.jokers <= jokers)
            runs[n++] = run;
        above &= ~(unsigned)u->at[place]; /* its twin */
        if (above == 0)
            return n;
        int next = u->place[__builtin_ctz(above)];
        gaps += next - place - 1;
        if (next > last || gaps > jokers)
            return n;
        run.slots |= (uint16_t)(above & -above);
        place = next;
    }
}

int arr_runs(const struct arr_suit *u, unsigned mask, int jokers, struct arr_run runs[ARR_RUNS_MAX])
{
    int slot = __builtin_ctz(mask), place = u->place[slot];
    struct arr_run run = {.slots = (uint16_t)(1u << slot), .low = (uint8_t)place};
    unsigned above = mask & (mask - 1), ace = u->at[0] & mask;
    int n = runs_from(u, above, jokers, run, place, runs);

    if (ace == 0 || place == ARR_LAST_PLACE || place - 1 > jokers)
        return n;
    run.slots |= (uint16_t)(ace & -ace);
    run.low = 0;
    run.jokers = (uint8_t)(place - 1);
    n += runs_from(u, above, jokers, run, place, runs + n);
    ASSERT(n <= ARR_RUNS_MAX);
    return n;
}

/* ---- Rows ---- */

/* A row by numbers of jokers, at full length, so that a loop over it is a few instructions. What lies beyond
 * the jokers of the hand means nothing. */
struct lanes {
    uint8_t of[ARR_LANES];
};

/* With so many jokers for something else: those that would have fewer have nothing. */
static inline struct lanes lanes_after(const uint8_t *row, int jokers)
{
    static const uint8_t nothing[2 * ARR_LANES] = {255, 255, 255, 255, 255, 255, 255, 255,
                                                   255, 255, 255, 255, 255, 255, 255, 255};
    struct lanes lanes, never;

    ASSERT(jokers >= 0 && jokers < ARR_LANES);
    memcpy(lanes.of, row - jokers, sizeof lanes.of);
    memcpy(never.of, nothing + ARR_LANES - jokers, sizeof never.of);
    for (int j = 0; j < ARR_LANES; j++)
        lanes.of[j] |= never.of[j];
    return lanes;
}

static inline void lanes_add(struct lanes *lanes, uint8_t points)
{
    uint8_t most = (uint8_t)(255 - points);
    ASSERT(points > 0);
    for (int j = 0; j < ARR_LANES; j++)
        lanes->of[j] = (uint8_t)((lanes->of[j] < most ? lanes->of[j] : most) + points);
}

static inline void lanes_keep_less(struct lanes *lanes, const struct lanes *other)
{
    for (int j = 0; j < ARR_LANES; j++)
        lanes->of[j] = other->of[j] < lanes->of[j] ? other->of[j] : lanes->of[j];
}

const uint8_t *arr_fill_row(struct arr *a, struct arr_suit *u, unsigned mask)
{
    size_t row_n = a->row_n;
    uint8_t *row = u->rows + 2 * row_n * mask, weight = u->weight[__builtin_ctz(mask)];
    struct arr_run runs[ARR_RUNS_MAX];

    ASSERT(mask != 0 && row[0] == 255);
    if ((mask & (mask - 1)) == 0) { /* a card alone: two jokers make a sequence of it */
        for (size_t j = 0; j < row_n; j++) {
            row[j] = j < ENG_MELD_MIN - 1 ? weight : 0;
            row[row_n + j] = j < ENG_MELD_MIN - 1 ? ARR_NEVER : 0;
        }
        return row;
    }
    const uint8_t *rest = arr_runs_row(a, u, mask & (mask - 1));
    struct lanes any = lanes_after(rest, 0), sequence = lanes_after(rest + row_n, 0);
    lanes_add(&any, weight);
    lanes_add(&sequence, weight);
    int runs_n = arr_runs(u, mask, a->jokers, runs);
    for (int i = 0; i < runs_n; i++) {
        rest = arr_runs_row(a, u, mask & ~(unsigned)runs[i].slots);
        struct lanes left = lanes_after(rest, runs[i].jokers);
        lanes_keep_less(&any, &left);
        lanes_keep_less(&sequence, &left);
    }
    memcpy(row, any.of, row_n);
    memcpy(row + row_n, sequence.of, row_n);
    return row;
}
