/* Lists the sets from which the declare family's solver chooses, by rank, and upper limits of their
 * gain. */
#include "base/bug.h"
#include "engine/solver/arrange_in.h"

static int bits4(unsigned mask)
{
    static const uint8_t counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return counts[mask & 15u];
}

/* Adds the sets of these cards, if there are enough jokers. */
static void add_sets(struct eng_arrange_search *s, int place, unsigned first, unsigned second)
{
    int points = (bits4(first) + bits4(second)) * arr_weight(place);

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
    s->sets[s->sets_n++] = (struct eng_arrange_sets){(uint8_t)place, (uint8_t)first, (uint8_t)second,
                                                     (uint8_t)jokers, (uint8_t)points};
}

/* Lists all sets of a rank, large ones first. A single card with two jokers is treated as a sequence, which
 * is worth more. Two sets are enough, because the cards of three sets fit into two: one with every suit,
 * and one with the suits present twice. */
static void sets_at(struct eng_arrange_search *s, int place)
{
    unsigned held = arr_suits_at(s->cards.once, place), twice = arr_suits_at(s->cards.twice, place);

    for (unsigned first = held; first != 0; first = (first - 1) & held) {
        int spare = bits4(first) == ENG_SUITS; /* one card for the second set */
        if (bits4(first) < 2)
            continue;
        for (unsigned second = first & twice; second != 0; second = (second - 1) & first & twice) {
            if (bits4(second) + spare >= 2)
                add_sets(s, place, first, second);
        }
        add_sets(s, place, first, 0);
    }
}

/* Places with cards of at least this many suits, two or three. */
static unsigned places_of(uint64_t once, int suits)
{
    uint64_t both = once & once >> 32, either = once | once >> 32; /* clubs+hearts, spades+diamonds */
    uint64_t two = both | both >> 16 | (either & either >> 16);
    uint64_t three = (both & either >> 16) | (either & both >> 16);

    return (unsigned)(suits == 2 ? two : three) & 0xffff;
}

/* Sorts ranks by what their sets can gain, in descending order. */
static void order_ranks(struct eng_arrange_search *s, uint8_t most[ENG_RANKS])
{
    int n = 0;

    for (unsigned left = places_of(s->cards.once, s->jokers > 0 ? 2 : 3); left != 0; left &= left - 1) {
        int place = __builtin_ctz(left), at = n++;
        int held = bits4(arr_suits_at(s->cards.once, place));
        int twice = bits4(arr_suits_at(s->cards.twice, place));
        int points = (held + (twice > 1 || held == ENG_SUITS ? twice : 0)) * arr_weight(place);
        for (; at > 0 && most[at - 1] < points; at--) {
            most[at] = most[at - 1];
            s->places[at] = s->places[at - 1];
        }
        s->places[at] = (uint8_t)place;
        most[at] = (uint8_t)points;
    }
    ASSERT(n <= ENG_RANKS);
    s->ranks_n = (uint8_t)n;
}

/* From each rank on, the gain of all ranks with three or more suits, plus the gain of the best pairs, as
 * many as there are jokers, because each pair needs one. */
static void lay_out_potential(struct eng_arrange_search *s, const uint8_t most[ENG_RANKS])
{
    uint8_t whole = 0, pairs[ENG_RANKS + 1] = {0}; /* pairs[n]: sum of n pairs, from the last rank on */
    int n = 0;

    ASSERT(s->jokers < ARR_LANES);
    for (int i = s->ranks_n; i >= 0; i--) {
        if (i < s->ranks_n && bits4(arr_suits_at(s->cards.once, s->places[i])) >= ENG_MELD_MIN) {
            whole = (uint8_t)(whole + most[i]);
        } else if (i < s->ranks_n) {
            pairs[n + 1] = (uint8_t)(pairs[n] + most[i]);
            n++;
        }
        for (int jokers = 0; jokers <= s->jokers; jokers++)
            s->potential[jokers][i] = (uint8_t)(whole + pairs[n] - pairs[n > jokers ? n - jokers : 0]);
    }
}

void eng_arrange_lay_out_sets(struct eng_arrange_search *s)
{
    uint8_t most[ENG_RANKS];

    order_ranks(s, most);
    lay_out_potential(s, most);
    s->sets_n = 0;
    for (int i = 0; i < s->ranks_n; i++) {
        s->next[i] = s->sets_n;
        sets_at(s, s->places[i]);
    }
    s->next[s->ranks_n] = s->sets_n;
    ASSERT(s->sets_n <= ARR_SETS_MAX);
}
