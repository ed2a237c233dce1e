/* The sets that the declare family's solver chooses from, rank by rank, and what they can bring at most. */
#include "base/bug.h"
#include "engine/solver_declare_in.h"

static int bits4(unsigned mask)
{
    static const uint8_t counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return counts[mask & 15u];
}

/* Adds the sets of these cards, if the jokers allow them. */
static void add_sets(struct arr_search *s, int rank, unsigned first, unsigned second)
{
    int place = arr_place_of(rank);
    int cards = bits4(first) + bits4(second), points = cards * (place < ENG_RANK_TEN ? place + 1 : 10);
    uint64_t slots = 0;

    for (unsigned left = first; left != 0; left &= left - 1) {
        int suit = __builtin_ctz(left);
        unsigned at = s->a.suits[suit].at[place] & arr_slots(s->slots, suit);
        /* Of two copies the upper one, that equal hands look equal. */
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
    if (jokers > s->jokers)
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
static void order_ranks(struct arr_search *s, uint8_t most[ENG_RANKS])
{
    int n = 0;

    for (int rank = 0; rank < ENG_RANKS; rank++) {
        int held = bits4(s->a.held[rank]), twice = bits4(s->a.twice[rank]), at = n;
        if (held + (s->jokers > 0) < ENG_MELD_MIN)
            continue;
        int place = arr_place_of(rank), card = place < ENG_RANK_TEN ? place + 1 : 10;
        int points = (held + (twice > 1 || held == ENG_SUITS ? twice : 0)) * card;
        for (; at > 0 && most[at - 1] < points; at--) {
            most[at] = most[at - 1];
            s->ranks[at] = s->ranks[at - 1];
        }
        s->ranks[at] = (uint8_t)rank;
        most[at] = (uint8_t)points;
        n++;
    }
    ASSERT(n <= ENG_RANKS);
    s->ranks_n = (uint8_t)n;
}

/* From each rank on: what all of three suits and more bring, and of pairs, each of which wants a joker, the
 * first and best ones. */
static void lay_out_potential(struct arr_search *s, const uint8_t most[ENG_RANKS])
{
    uint8_t whole = 0, pairs[ENG_RANKS + 1] = {0}; /* sums of so many pairs, from the last rank on */
    int n = 0;

    ASSERT(s->jokers < ARR_ROW_MAX);
    for (int i = s->ranks_n; i >= 0; i--) {
        if (i < s->ranks_n && bits4(s->a.held[s->ranks[i]]) >= ENG_MELD_MIN) {
            whole = (uint8_t)(whole + most[i]);
        } else if (i < s->ranks_n) {
            pairs[n + 1] = (uint8_t)(pairs[n] + most[i]);
            n++;
        }
        for (int jokers = 0; jokers <= s->jokers; jokers++)
            s->potential[jokers][i] = (uint8_t)(whole + pairs[n] - pairs[n > jokers ? n - jokers : 0]);
    }
}

void arr_lay_out_sets(struct arr_search *s)
{
    uint8_t most[ENG_RANKS];

    order_ranks(s, most);
    lay_out_potential(s, most);
    s->sets_n = 0;
    for (int i = 0; i < s->ranks_n; i++) {
        s->next[i] = s->sets_n;
        sets_of_rank(s, s->ranks[i]);
    }
    s->next[s->ranks_n] = s->sets_n;
    ASSERT(s->sets_n <= ARR_SETS_MAX);
}
