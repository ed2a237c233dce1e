/* Values a hand of the declare family by its outs: the cards that bring it nearer to a declaration. Points
 * do not count, because the first to declare pays none. Called by declare.c for the master only, because it
 * is slow. */
#include "engine/bots/outs.h"

#include <string.h>

#include "base/bug.h"
#include "engine/core/meld.h"

enum {
    CARD_COST = 10, /* per ungrouped natural card */
    /* The hand's current value counts as much as improvements by this many cards: about half of those
     * unseen. */
    NOW_SHARE = 40,
};

int eng_bot_hand_cost(const struct eng_wild *wild, const struct eng_arrangement *arrangement, bool throws)
{
    static const uint8_t missing[] = {
        [ARRANGE_NO_PURE] = 60, [ARRANGE_ONE_SEQUENCE] = 25, [ARRANGE_TWO_SEQUENCES] = 0};
    int grouped = 0, loose = 0;

    ASSERT(arrangement->level <= ARRANGE_TWO_SEQUENCES);
    for (int i = 0; i < arrangement->groups; i++)
        grouped += arrangement->lens[i];
    for (int i = grouped; i < arrangement->n; i++)
        loose += !eng_is_wild(wild, arrangement->cards[i]);
    return CARD_COST * (loose - (throws && loose > 0)) + missing[arrangement->level];
}

int eng_bot_outs_worth(const struct eng_wild *wild, const uint8_t unseen[SOLVER_TYPES], const uint8_t *cards,
                       int n)
{
    struct eng_arrangement arrangement;
    uint8_t with[ENG_HAND_MAX];
    uint64_t first_copies = 0;
    int worth = 0;

    ASSERT(n < ENG_HAND_MAX);
    memcpy(with, cards, (size_t)n);
    for (int i = 0; i < n; i++)
        if (cards[i] < SOLVER_TYPES)
            first_copies |= UINT64_C(1) << cards[i];
    eng_arrange(wild, with, n, &arrangement);
    int now = eng_bot_hand_cost(wild, &arrangement, false);
    for (int type = 0; type < SOLVER_TYPES; type++) {
        if (unseen[type] == 0)
            continue;
        with[n] = (uint8_t)((first_copies >> type & 1) != 0 ? type + SOLVER_TYPES : type);
        eng_arrange(wild, with, n + 1, &arrangement);
        int then = eng_bot_hand_cost(wild, &arrangement, true);
        worth += then < now ? unseen[type] * (now - then) : 0;
    }
    return worth - NOW_SHARE * now;
}

/* Unseen copies of the card at this place in its suit; the ace is at both ends. */
static int at_place(const uint8_t *suit, int place)
{
    return place < 0 || place > ENG_PLACE_ACE_HIGH ? 0 : suit[place % ENG_RANKS];
}

static int sequences_served(const uint8_t *suit, int place)
{
    int below = at_place(suit, place - 1), above = at_place(suit, place + 1);

    return at_place(suit, place - 2) * below + below * above + above * at_place(suit, place + 2);
}

int eng_bot_pairs_served(const uint8_t unseen[SOLVER_TYPES], uint8_t card)
{
    int rank = eng_rank(card), suit = eng_suit(card), sets = 0;
    const uint8_t *own = unseen + suit * ENG_RANKS;
    int sequences = sequences_served(own, rank);

    if (rank == ENG_RANK_ACE)
        sequences += sequences_served(own, ENG_PLACE_ACE_HIGH);
    for (int a = 0; a < ENG_SUITS; a++)
        for (int b = a + 1; b < ENG_SUITS; b++)
            if (a != suit && b != suit)
                sets += unseen[a * ENG_RANKS + rank] * unseen[b * ENG_RANKS + rank];
    return 2 * sequences + sets;
}
