/* Checks melds with masks. A group's ranks and suits become two small masks, so a popcount determines which
 * kind of meld it can be; only runs need one check of the order. Source: docs/rules.md §4, and §7 for the
 * other variants. */
#include "engine/core/meld.h"

#include <string.h>

#include "base/bug.h"

static void blame_add(struct eng_blame *blame, uint8_t card)
{
    ASSERT(blame->n < ENG_MOVE_CARDS_MAX);
    blame->cards[blame->n++] = card;
}

static bool blame_all(struct eng_blame *blame, enum eng_refusal code, const uint8_t *cards, int n)
{
    ASSERT(code != ENG_OK && n <= ENG_MOVE_CARDS_MAX);
    blame->code = code;
    blame->n = 0;
    for (int i = 0; i < n; i++)
        blame_add(blame, cards[i]);
    return false;
}

static bool blame_jokers(struct eng_blame *blame, enum eng_refusal code, const uint8_t *cards, int n)
{
    ASSERT(code != ENG_OK && n <= ENG_MOVE_CARDS_MAX);
    blame->code = code;
    blame->n = 0;
    for (int i = 0; i < n; i++)
        if (eng_is_joker(cards[i]))
            blame_add(blame, cards[i]);
    return false;
}

/* ---- Points ---- */

int eng_rank_points(const struct eng_params *params, int rank)
{
    ASSERT(rank >= 0 && rank < ENG_RANKS);
    if (rank == ENG_RANK_ACE)
        return params->ace_points;
    return rank <= ENG_RANK_TEN ? rank + 1 : params->court_points;
}

int eng_place_points(const struct eng_params *params, int place)
{
    ASSERT(place >= 0 && place <= ENG_PLACE_ACE_HIGH);
    if (place == 0)
        return params->ace_low_points;
    if (place == ENG_PLACE_ACE_HIGH)
        return params->ace_high_points;
    return eng_rank_points(params, place);
}

int eng_card_points(const struct eng_params *params, uint8_t card)
{
    ASSERT(card < ENG_CARD_MAX);
    return eng_is_joker(card) ? params->joker_points : eng_rank_points(params, eng_rank(card));
}

int eng_meld_points(const struct eng_params *params, const struct eng_meld *meld)
{
    ASSERT(meld->n >= ENG_MELD_MIN && meld->n <= ENG_RUN_MAX);
    if (meld->kind == ENG_SET)
        return meld->n * eng_rank_points(params, meld->low);
    int sum = 0;
    for (int i = 0; i < meld->n; i++)
        sum += eng_place_points(params, meld->low + i);
    ASSERT(sum > 0);
    return sum;
}

int eng_cards_points(const struct eng_params *params, const struct eng_cards *hand)
{
    uint8_t cards[ENG_CARD_MAX];
    int n = eng_cards_list(hand, cards), sum = 0;
    for (int i = 0; i < n; i++)
        sum += eng_card_points(params, cards[i]);
    ASSERT(sum >= 0);
    return sum;
}

/* ---- Jokers in a meld ---- */

static bool jokers_ok(const struct eng_params *params, int jokers, int naturals, int jokers_max)
{
    ASSERT(jokers >= 0 && naturals >= 0);
    if (naturals == 0 || jokers > jokers_max)
        return false;
    if (params->jokers_ratio == ENG_JOKERS_FEWER)
        return jokers < naturals;
    if (params->jokers_ratio == ENG_JOKERS_NOT_MORE)
        return jokers <= naturals;
    return true;
}

static int at_most(int a, int b)
{
    return a < b ? a : b;
}

/* ---- Sets ---- */

static bool set_check(const struct eng_params *params, const uint8_t *cards, int n, int jokers_max,
                      struct eng_meld *meld, struct eng_blame *blame)
{
    uint8_t twice = 0;
    for (int i = 0; i < n; i++) {
        if (eng_is_joker(cards[i]))
            continue;
        uint8_t bit = (uint8_t)(1 << eng_suit(cards[i]));
        twice |= meld->suits & bit;
        meld->suits |= bit;
        meld->low = eng_rank(cards[i]);
    }
    if (twice != 0) {
        blame->code = ENG_SET_REPEATS_SUIT;
        for (int i = 0; i < n; i++)
            if (!eng_is_joker(cards[i]) && (twice >> eng_suit(cards[i]) & 1) != 0)
                blame_add(blame, cards[i]);
        return false;
    }
    if (n > params->set_max)
        return blame_all(blame, ENG_SET_IS_COMPLETE, cards, n);
    if (!jokers_ok(params, meld->jokers, n - meld->jokers, at_most(jokers_max, params->jokers_set_max)))
        return blame_jokers(blame, ENG_TOO_MANY_JOKERS, cards, n);
    ASSERT(__builtin_popcount(meld->suits) + meld->jokers == n);
    meld->kind = ENG_SET;
    meld->suit = 0;
    return true;
}

/* ---- Runs ---- */

/* The place of the first card, derived from the first natural one; ENG_NO_PLACE if an ace would be in the
 * middle. */
static int run_low(const uint8_t *cards, int n)
{
    int i = 0;
    while (eng_is_joker(cards[i]))
        i++;
    ASSERT(i < n);
    int rank = eng_rank(cards[i]);
    if (rank == ENG_RANK_ACE && i > 0)
        return i == n - 1 ? ENG_PLACE_ACE_HIGH - i : ENG_NO_PLACE;
    return rank >= i ? rank - i : ENG_NO_PLACE;
}

/* Blames natural cards that are out of order relative to the first one. */
static bool run_order_ok(const uint8_t *cards, int n, int low, struct eng_blame *blame)
{
    ASSERT(low >= 0 && n <= ENG_RUN_MAX);
    for (int i = 0; i < n; i++)
        if (!eng_is_joker(cards[i]) && eng_rank(cards[i]) != (low + i) % ENG_RANKS)
            blame_add(blame, cards[i]);
    if (blame->n > 0)
        blame->code = ENG_RUN_NOT_CONSECUTIVE;
    return blame->n == 0;
}

static bool jokers_side_by_side(const uint8_t *cards, int n)
{
    ASSERT(n >= 1);
    for (int i = 1; i < n; i++)
        if (eng_is_joker(cards[i - 1]) && eng_is_joker(cards[i]))
            return true;
    return false;
}

static bool run_ends_ok(const struct eng_params *params, int low, int high)
{
    ASSERT(low >= 0 && high <= ENG_PLACE_ACE_HIGH);
    return (low > 0 || params->ace_low) && (high < ENG_PLACE_ACE_HIGH || params->ace_high);
}

static bool run_check(const struct eng_params *params, const uint8_t *cards, int n, int jokers_max,
                      struct eng_meld *meld, struct eng_blame *blame)
{
    ASSERT(n >= ENG_MELD_MIN && n <= ENG_RUN_MAX);
    int low = run_low(cards, n);
    if (low == ENG_NO_PLACE)
        return blame_all(blame, ENG_RUN_WRAPS_ACE, cards, n);
    if (!run_order_ok(cards, n, low, blame))
        return false;
    if (low + n - 1 > ENG_PLACE_ACE_HIGH)
        return blame_all(blame, ENG_RUN_WRAPS_ACE, cards, n);
    if (!run_ends_ok(params, low, low + n - 1) || n > params->run_max)
        return blame_all(blame, ENG_ACE_SIDE_NOT_ALLOWED, cards, n);
    if (!jokers_ok(params, meld->jokers, n - meld->jokers, jokers_max))
        return blame_jokers(blame, ENG_TOO_MANY_JOKERS, cards, n);
    if (params->jokers_apart && jokers_side_by_side(cards, n))
        return blame_jokers(blame, ENG_JOKERS_ADJACENT, cards, n);
    meld->kind = ENG_RUN;
    meld->low = (uint8_t)low;
    return true;
}

bool eng_meld_check(const struct eng_params *params, const uint8_t *cards, int n, int jokers_max,
                    struct eng_meld *meld, struct eng_blame *blame)
{
    ASSERT(n >= 0 && n <= ENG_MOVE_CARDS_MAX && jokers_max >= 0);
    *blame = (struct eng_blame){0};
    if (n < ENG_MELD_MIN)
        return blame_all(blame, ENG_MELD_TOO_SHORT, cards, n);
    *meld = (struct eng_meld){.n = (uint8_t)n};
    memcpy(meld->cards, cards, (size_t)n);
    unsigned ranks = 0, suits = 0;
    for (int i = 0; i < n; i++) {
        if (eng_is_joker(cards[i])) {
            meld->jokers++;
            continue;
        }
        ranks |= 1U << eng_rank(cards[i]);
        suits |= 1U << eng_suit(cards[i]);
        meld->suit = eng_suit(cards[i]);
    }
    if (ranks == 0)
        return blame_jokers(blame, ENG_TOO_MANY_JOKERS, cards, n);
    /* A single natural card among jokers makes a run, fixed by the card's position; a set would need more
     * jokers than any variant allows. */
    bool same_rank = (ranks & (ranks - 1)) == 0, same_suit = (suits & (suits - 1)) == 0;
    if (same_rank && n - meld->jokers > 1 && n < ENG_RUN_MAX)
        return set_check(params, cards, n, jokers_max, meld, blame);
    if (!same_suit)
        return blame_all(blame, ENG_NOT_A_MELD, cards, n);
    meld->suits = (uint8_t)suits;
    return run_check(params, cards, n, jokers_max, meld, blame);
}

/* ---- Laying off ---- */

static bool set_fits(const struct eng_params *params, const struct eng_meld *meld, uint8_t card,
                     int jokers_max, struct eng_blame *blame)
{
    ASSERT(meld->kind == ENG_SET && meld->n <= params->set_max);
    bool joker = eng_is_joker(card);
    if (!joker && eng_rank(card) != meld->low)
        return blame_all(blame, ENG_DOES_NOT_FIT, &card, 1);
    if (meld->n >= params->set_max)
        return blame_all(blame, ENG_SET_IS_COMPLETE, &card, 1);
    if (joker) {
        if (!params->joker_joins_set)
            return blame_all(blame, ENG_JOKER_CANNOT_JOIN_SET, &card, 1);
        if (!jokers_ok(params, meld->jokers + 1, meld->n - meld->jokers,
                       at_most(jokers_max, params->jokers_set_max)))
            return blame_all(blame, ENG_TOO_MANY_JOKERS, &card, 1);
    } else if ((meld->suits >> eng_suit(card) & 1) != 0) {
        return blame_all(blame, ENG_SET_REPEATS_SUIT, &card, 1);
    }
    return true;
}

/* Finds the place that a card laid at this end takes, or why it does not fit. */
static enum eng_refusal run_end_fits(const struct eng_params *params, const struct eng_meld *meld,
                                     uint8_t card, enum eng_end end)
{
    ASSERT(meld->kind == ENG_RUN && (end == ENG_END_LOW || end == ENG_END_HIGH));
    int high = meld->low + meld->n - 1;
    int place = end == ENG_END_LOW ? meld->low - 1 : high + 1;
    bool joker = eng_is_joker(card);
    if (!joker && eng_suit(card) != meld->suit)
        return ENG_DOES_NOT_FIT;
    if (place < 0 || place > ENG_PLACE_ACE_HIGH) {
        bool follows = joker || eng_rank(card) == (place < 0 ? ENG_RANK_KING : ENG_RANK_TWO);
        return follows ? ENG_RUN_WRAPS_ACE : ENG_DOES_NOT_FIT;
    }
    if (!joker && eng_rank(card) != place % ENG_RANKS)
        return ENG_DOES_NOT_FIT;
    bool ends = end == ENG_END_LOW ? run_ends_ok(params, place, high) : run_ends_ok(params, meld->low, place);
    return ends && meld->n < params->run_max ? ENG_OK : ENG_ACE_SIDE_NOT_ALLOWED;
}

static bool joker_joins_run(const struct eng_params *params, const struct eng_meld *meld, uint8_t card,
                            enum eng_end end, int jokers_max, struct eng_blame *blame)
{
    ASSERT(eng_is_joker(card) && end != ENG_END_NONE);
    if (!jokers_ok(params, meld->jokers + 1, meld->n - meld->jokers, jokers_max))
        return blame_all(blame, ENG_TOO_MANY_JOKERS, &card, 1);
    uint8_t beside = meld->cards[end == ENG_END_LOW ? 0 : meld->n - 1];
    if (params->jokers_apart && eng_is_joker(beside))
        return blame_all(blame, ENG_JOKERS_ADJACENT, &card, 1);
    return true;
}

static bool run_fits(const struct eng_params *params, const struct eng_meld *meld, uint8_t card,
                     enum eng_end wanted, int jokers_max, enum eng_end *end, struct eng_blame *blame)
{
    ASSERT(meld->kind == ENG_RUN && meld->n >= ENG_MELD_MIN);
    enum eng_refusal code;
    if (wanted != ENG_END_NONE) {
        code = run_end_fits(params, meld, card, wanted);
        *end = wanted;
    } else if (eng_is_joker(card)) {
        code = ENG_END_NOT_NAMED;
    } else {
        enum eng_refusal low = run_end_fits(params, meld, card, ENG_END_LOW);
        code = run_end_fits(params, meld, card, ENG_END_HIGH);
        *end = code == ENG_OK ? ENG_END_HIGH : ENG_END_LOW;
        if (code == ENG_OK && low == ENG_OK)
            code = ENG_END_NOT_NAMED; /* an ace fits both ends of a run from two to king */
        else if (code == ENG_DOES_NOT_FIT || low == ENG_OK)
            code = low;
    }
    if (code != ENG_OK)
        return blame_all(blame, code, &card, 1);
    return !eng_is_joker(card) || joker_joins_run(params, meld, card, *end, jokers_max, blame);
}

bool eng_meld_fits(const struct eng_params *params, const struct eng_meld *meld, uint8_t card,
                   enum eng_end wanted, int jokers_max, enum eng_end *end, struct eng_blame *blame)
{
    ASSERT(card < ENG_CARD_MAX && meld->n >= ENG_MELD_MIN);
    *blame = (struct eng_blame){0};
    *end = ENG_END_NONE;
    if (meld->kind == ENG_SET)
        return set_fits(params, meld, card, jokers_max, blame);
    return run_fits(params, meld, card, wanted, jokers_max, end, blame);
}

void eng_meld_add(struct eng_meld *meld, uint8_t card, enum eng_end end)
{
    ASSERT(meld->n < ENG_RUN_MAX && (meld->kind == ENG_RUN) == (end != ENG_END_NONE));
    if (end == ENG_END_LOW) {
        ASSERT(meld->low > 0);
        memmove(meld->cards + 1, meld->cards, meld->n);
        meld->cards[0] = card;
        meld->low--;
    } else {
        meld->cards[meld->n] = card;
    }
    meld->n++;
    if (eng_is_joker(card))
        meld->jokers++;
    else
        meld->suits |= (uint8_t)(1 << eng_suit(card));
}

/* ---- Swapping a joker ---- */

static bool stands_for(const struct eng_meld *meld, int place, uint8_t card)
{
    ASSERT(place < meld->n && eng_is_joker(meld->cards[place]));
    if (meld->kind == ENG_SET)
        return eng_rank(card) == meld->low && (meld->suits >> eng_suit(card) & 1) == 0;
    return eng_suit(card) == meld->suit && eng_rank(card) == (meld->low + place) % ENG_RANKS;
}

bool eng_meld_frees(const struct eng_params *params, const struct eng_meld *meld, uint8_t card, uint8_t joker,
                    uint8_t *place, struct eng_blame *blame)
{
    ASSERT(card < ENG_CARD_MAX && meld->n >= ENG_MELD_MIN);
    *blame = (struct eng_blame){0};
    bool there = false;
    for (int i = 0; i < meld->n; i++) {
        if (!eng_is_joker(meld->cards[i]) || (joker != ENG_NO_CARD && meld->cards[i] != joker))
            continue;
        there = true;
        if (eng_is_joker(card) || !stands_for(meld, i, card))
            continue;
        if (meld->kind == ENG_SET && params->swap_set_full && meld->n < params->set_max)
            return blame_all(blame, ENG_SWAP_NEEDS_FULL_SET, &card, 1);
        *place = (uint8_t)i;
        return true;
    }
    if (!there)
        return blame_all(blame, ENG_NO_JOKER_THERE, &joker, joker == ENG_NO_CARD ? 0 : 1);
    return blame_all(blame, ENG_SWAP_CARD_DOES_NOT_FIT, &card, 1);
}

void eng_meld_put(struct eng_meld *meld, uint8_t place, uint8_t card)
{
    ASSERT(place < meld->n && eng_is_joker(meld->cards[place]) != eng_is_joker(card));
    uint8_t natural = eng_is_joker(card) ? meld->cards[place] : card;
    uint8_t bit = (uint8_t)(1 << eng_suit(natural));
    meld->cards[place] = card;
    if (!eng_is_joker(card)) {
        meld->jokers--;
        meld->suits |= bit;
    } else {
        meld->jokers++;
        if (meld->kind == ENG_SET)
            meld->suits &= (uint8_t)~bit;
    }
}

bool eng_meld_takes_back(const struct eng_params *params, const struct eng_meld *meld, uint8_t place,
                         uint8_t joker)
{
    struct eng_meld back = *meld, again;
    struct eng_blame blame;
    ASSERT(eng_is_joker(joker) && !eng_is_joker(meld->cards[place]));
    eng_meld_put(&back, place, joker);
    return eng_meld_check(params, back.cards, back.n, ENG_RUN_MAX, &again, &blame) &&
           again.kind == back.kind && again.low == back.low;
}

/* ---- Keeping a card to discard ---- */

bool eng_hand_can_discard(const struct eng_params *params, const struct eng_cards *hand, bool staged,
                          uint8_t taken)
{
    struct eng_cards free_hand = *hand;
    if (!params->throw_back && eng_cards_has(hand, taken))
        eng_cards_remove(&free_hand, taken);
    if (eng_cards_has_natural(&free_hand))
        return true;
    int n = eng_cards_count(hand), jokers = eng_cards_jokers(hand);
    ASSERT(n >= jokers);
    if (staged || jokers != n)
        return false;
    return params->joker_buried ? jokers >= 1 : jokers == 1;
}

bool eng_joker_must_join(const struct eng_params *params, const struct eng_meld *melds, int melds_n,
                         const struct eng_cards *hand, uint8_t seat, bool opening_turn)
{
    ASSERT(melds_n >= 0 && melds_n <= ENG_MELD_MAX);
    if (params->joker_buried || eng_cards_jokers(hand) != 2 || eng_cards_count(hand) != 2)
        return false;
    for (int i = 0; i < melds_n; i++) {
        const struct eng_meld *meld = &melds[i];
        int jokers_max = eng_jokers_max(params, true, meld->owner == seat && opening_turn);
        struct eng_blame blame;
        enum eng_end end;
        if (meld->n == 0)
            continue;
        for (int wanted = ENG_END_NONE; wanted <= ENG_END_HIGH; wanted++)
            if (eng_meld_fits(params, meld, ENG_JOKER_FIRST, (enum eng_end)wanted, jokers_max, &end, &blame))
                return true;
    }
    return false;
}

enum eng_refusal eng_discard_shape(const struct eng_params *params, const uint8_t *cards, int n,
                                   const struct eng_cards *rest, bool staged)
{
    ASSERT(n >= 1 && n <= ENG_MOVE_CARDS_MAX);
    bool whole_hand = eng_cards_count(rest) == 0 && !staged;
    int jokers = 0;
    for (int i = 0; i < n; i++)
        jokers += eng_is_joker(cards[i]);
    if (jokers == 0)
        return n == 1 ? ENG_OK : ENG_DISCARD_COUNT;
    if (jokers == n) {
        /* If the hand holds only jokers and they cannot be buried, there is nothing else to discard. */
        if (!params->joker_buried && n == 1 && !staged && !eng_cards_has_natural(rest))
            return ENG_OK;
        if (!whole_hand)
            return ENG_JOKER_NOT_DISCARDABLE;
        return n == 1 || params->joker_buried ? ENG_OK : ENG_DISCARD_COUNT;
    }
    if (!params->joker_buried)
        return n == 2 ? ENG_JOKER_NOT_DISCARDABLE : ENG_DISCARD_COUNT;
    return n == 2 ? ENG_OK : ENG_DISCARD_COUNT;
}

void eng_meld_of_view(struct eng_meld *meld, const struct eng_view_meld *seen)
{
    ASSERT(seen->n >= ENG_MELD_MIN && seen->n <= ENG_RUN_MAX);
    meld->kind = seen->kind;
    meld->owner = seen->owner;
    meld->staged = seen->staged;
    meld->low = seen->low;
    meld->suit = seen->suit;
    meld->suits = (uint8_t)(seen->kind == ENG_RUN ? 1 << seen->suit : 0);
    meld->jokers = 0;
    meld->n = seen->n;
    memcpy(meld->cards, seen->cards, sizeof meld->cards); /* unused elements are zero */
    for (int i = 0; i < seen->n; i++) {
        bool joker = eng_is_joker(seen->cards[i]);
        meld->jokers = (uint8_t)(meld->jokers + joker);
        if (seen->kind == ENG_SET && !joker)
            meld->suits |= (uint8_t)(1 << eng_suit(seen->cards[i]));
    }
    ASSERT(meld->jokers < meld->n);
}
