/* Computes the points that sequences leave over in one suit, by the number of jokers. Suits without twins
 * (two equal cards), which are nearly all, are read from a complete table that is filled before main (some
 * milliseconds). Suits with twins are reduced, one place after another, until the table has the rest.
 *
 * Only groupings of a simple form are tried, because one of them is always among the best: if a sequence
 * spans the place of an available natural card, it uses that card. If the card were left over or in another
 * sequence, it could change places with the joker at no cost. So the lowest and the highest card determine
 * a sequence; between them, jokers only fill places without a card. (The one pure sequence that a
 * declaration needs is chosen first, by its window, because such an exchange would spoil it.) */
#include "engine/solver/arrange_in.h"

#include <string.h>

#include "base/bug.h"

/* With this many jokers, nothing is left over in a suit without twins, so more do not change a row. */
enum { ARR_ENOUGH = 7 };

struct eng_arrange_row eng_arrange_plain[ARR_MASKS];

/* ---- Laying out the hand ---- */

/* Orders suits without a pure sequence first, because they have fewer requirements. */
static void order_suits(struct eng_arrange *a, uint64_t once)
{
    int first = 0, last = ENG_SUITS;

    for (int suit = 0; suit < ENG_SUITS; suit++) {
        unsigned have = ((unsigned)(once >> (16 * suit)) & 0xffff) | a->wilds[suit];
        have |= have >> ARR_LAST_PLACE;
        if (have & have >> 1 & have >> 2)
            a->order[--last] = (uint8_t)suit;
        else
            a->order[first++] = (uint8_t)suit;
    }
}

int eng_arrange_lay_out(struct eng_arrange *a, const struct eng_wild *wild, const uint8_t *cards, int n,
                        struct eng_arrange_cards *laid)
{
    uint64_t once = 0, twice = 0, wilds = 0;
    int points = 0, jokers = 0;

    ASSERT(n >= 0 && n <= ENG_HAND_MAX);
    a->wild = wild;
    a->types = eng_wild_types(wild);
    for (int i = 0; i < n; i++) {
        if (eng_is_joker(cards[i])) {
            jokers++;
            continue;
        }
        unsigned type = cards[i] < ENG_PACK_CARDS ? cards[i] : cards[i] - ENG_PACK_CARDS;
        unsigned suit = type / ENG_RANKS, rank = type % ENG_RANKS;
        int place = arr_place_of((int)rank);
        uint64_t bit = UINT64_C(1) << (16 * suit + (unsigned)place);
        if (a->types >> type & 1) {
            jokers++;
            wilds |= bit;
            continue;
        }
        points += arr_weight(place);
        twice |= once & bit;
        once |= bit;
    }
    for (int suit = 0; suit < ENG_SUITS; suit++)
        a->wilds[suit] = wild->natural_pure ? (uint16_t)(wilds >> (16 * suit)) : 0;
    order_suits(a, once);
    a->jokers = (uint8_t)jokers;
    a->rows_known = false;
    if (twice != 0)
        memset(a->memo.keys, 0, sizeof a->memo.keys);
    *laid = (struct eng_arrange_cards){once, twice};
    return points;
}

/* ---- Sequences ---- */

/* Lists sequences from place `low` to a card at `through` or above; `naturals` of their cards are below
 * `through`. have: places of the cards, with the ace at one end only. */
static int runs_up(unsigned have, int low, int through, int naturals, int jokers,
                   struct eng_arrange_run *runs)
{
    int n = 0;

    for (unsigned above = have >> through << through; above != 0; above &= above - 1) {
        int high = __builtin_ctz(above), length = high - low + 1, gaps = length - ++naturals;
        if (gaps > jokers)
            break;
        int wanted = gaps + (length < ENG_MELD_MIN ? ENG_MELD_MIN - length : 0);
        if (wanted > jokers)
            continue;
        unsigned cards = have & ((2u << high) - (1u << low));
        runs[n] =
            (struct eng_arrange_run){.cards = (uint16_t)((cards & ~1u) | (cards & 1u) << ARR_LAST_PLACE),
                                     .low = (uint8_t)low,
                                     .n = (uint8_t)length,
                                     .jokers = (uint8_t)wanted};
        n++;
    }
    return n;
}

int eng_arrange_runs(struct eng_arrange_suit suit, int jokers, struct eng_arrange_run runs[ARR_RUNS_MAX])
{
    int place = arr_next_place(suit), n = 0, naturals = 0;
    unsigned once = suit.once, ace = once >> ARR_LAST_PLACE & 1u;

    /* Sequences that begin with the card itself or with a card below it. */
    for (unsigned below = once & ((2u << place) - 1); below != 0; naturals++) {
        int low = 31 - __builtin_clz(below);
        if (place - low + 1 - (naturals + 1) > jokers)
            break;
        n += runs_up(once, low, place, naturals, jokers, runs + n);
        below ^= 1u << low;
    }
    if (ace == 0)
        return n;
    unsigned low_ace = (once ^ 1u << ARR_LAST_PLACE) | ace;
    if (place == ARR_LAST_PLACE) /* the ace itself, at the lower end */
        return n + runs_up(low_ace, 0, 0, 0, jokers, runs + n);
    naturals = 0;
    for (unsigned below = low_ace & ((1u << place) - 1); below != 0; below &= below - 1)
        naturals++;
    if (place - naturals <= jokers)
        n += runs_up(low_ace, 0, place, naturals, jokers, runs + n);
    ASSERT(n <= ARR_RUNS_MAX);
    return n;
}

int eng_arrange_windows(unsigned once, unsigned wild, struct eng_arrange_run windows[ARR_WINDOWS_MAX])
{
    unsigned have = once | wild, starts;
    int n = 0;

    wild |= wild >> ARR_LAST_PLACE;
    have |= have >> ARR_LAST_PLACE;
    starts = have & have >> 1;
    for (int length = ENG_MELD_MIN; length <= 5; length++) {
        starts &= have >> (length - 1);
        for (unsigned left = starts; left != 0; left &= left - 1) {
            int low = __builtin_ctz(left);
            unsigned window = ((1u << length) - 1) << low, cards = window & ~wild;
            windows[n] =
                (struct eng_arrange_run){.cards = (uint16_t)((cards & ~1u) | (cards & 1u) << ARR_LAST_PLACE),
                                         .low = (uint8_t)low,
                                         .n = (uint8_t)length,
                                         .jokers = cards != window};
            n++;
        }
    }
    ASSERT(n <= ARR_WINDOWS_MAX);
    return n;
}

/* ---- Rows ---- */

static void keep_less(uint8_t *least, uint8_t value)
{
    *least = value < *least ? value : *least;
}

/* Either one card at the next place is left over, or it is in one of the sequences through that place. A
 * sequence uses only one of two twins. */
static void fill_runs(struct eng_arrange_memo *memo, int jokers, struct eng_arrange_suit suit, uint8_t *row)
{
    struct eng_arrange_run runs[ARR_RUNS_MAX];
    uint8_t own[2 * ARR_LANES];
    int place = arr_next_place(suit), runs_n = eng_arrange_runs(suit, jokers, runs);
    uint8_t weight = arr_weight(place);
    const uint8_t *rest = arr_runs_row(memo, jokers, arr_suit_without(suit, 1u << place), own);

    for (int j = 0; j <= jokers; j++) {
        row[j] = (uint8_t)(rest[j] + weight);
        row[ARR_LANES + j] = ARR_NEVER;
        if (rest[ARR_LANES + j] < ARR_NEVER)
            row[ARR_LANES + j] = (uint8_t)(rest[ARR_LANES + j] + weight);
    }
    for (int i = 0; i < runs_n; i++) {
        rest = arr_runs_row(memo, jokers, arr_suit_without(suit, runs[i].cards), own);
        for (int j = runs[i].jokers; j <= jokers; j++) {
            keep_less(&row[j], rest[j - runs[i].jokers]);
            keep_less(&row[ARR_LANES + j], rest[j - runs[i].jokers]);
        }
    }
}

void eng_arrange_twins_row(struct eng_arrange_memo *memo, int jokers, struct eng_arrange_suit suit,
                           uint8_t *own)
{
    uint32_t key = suit.once << 15 | suit.twice;
    uint32_t at = (key * UINT32_C(2654435761)) >> 24;

    ASSERT(memo != NULL);
    if (memo->keys[at] != key) {
        fill_runs(memo, jokers, suit, own);
        memo->keys[at] = key;
        memcpy(memo->rows[at], own, 2 * ARR_LANES);
        return;
    }
    memcpy(own, memo->rows[at], 2 * ARR_LANES);
}

/* Tries each window for a pure sequence; row already has any[] and sequence[]. */
static void fill_pure(struct eng_arrange_memo *memo, int jokers, struct eng_arrange_suit suit, unsigned wild,
                      struct eng_arrange_row *row)
{
    struct eng_arrange_run windows[ARR_WINDOWS_MAX];
    uint8_t own[2 * ARR_LANES];
    int n = eng_arrange_windows(suit.once, wild, windows);

    memset(row->of[ARR_PURE], ARR_NEVER, 2 * sizeof row->of[ARR_PURE]);
    for (int i = 0; i < n; i++) {
        int mine = windows[i].jokers;
        const uint8_t *rest = arr_runs_row(memo, jokers, arr_suit_without(suit, windows[i].cards), own);
        for (int j = mine; j <= jokers; j++) {
            keep_less(&row->of[ARR_PURE][j], rest[j - mine]);
            keep_less(&row->of[ARR_BOTH][j], rest[ARR_LANES + j - mine]);
        }
    }
}

const struct eng_arrange_row *eng_arrange_row_of(struct eng_arrange *a, int suit,
                                                 struct eng_arrange_suit cards)
{
    struct eng_arrange_row *row = &a->own[suit];
    uint8_t own[2 * ARR_LANES];

    if ((cards.twice | a->wilds[suit]) == 0)
        return &eng_arrange_plain[cards.once >> 1];
    memcpy(row->of[ARR_ANY], arr_runs_row(&a->memo, a->jokers, cards, own), sizeof own);
    fill_pure(&a->memo, a->jokers, cards, a->wilds[suit], row);
    return row;
}

/* Computes each row from rows with fewer cards. Runs before main, so no thread can see a partial table. */
__attribute__((constructor)) static void fill_plain(void)
{
    memset(eng_arrange_plain[0].of[ARR_SEQUENCE], ARR_NEVER, sizeof eng_arrange_plain[0] - ARR_LANES);
    for (unsigned mask = 1; mask < ARR_MASKS; mask++) {
        struct eng_arrange_suit suit = {mask << 1, 0};
        struct eng_arrange_row *row = &eng_arrange_plain[mask];
        fill_runs(NULL, ARR_ENOUGH, suit, &row->of[0][0]);
        fill_pure(NULL, ARR_ENOUGH, suit, 0, row);
        ASSERT(row->of[ARR_ANY][ARR_ENOUGH] == 0);
        for (int need = 0; need < ARR_NEEDS; need++)
            memset(row->of[need] + ARR_ENOUGH + 1, row->of[need][ARR_ENOUGH], ARR_LANES - ARR_ENOUGH - 1);
    }
}
