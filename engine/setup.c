/* See setup.h. Called by records and tests; whatever a stranger wrote is checked here before the
 * state machine, which trusts its game, sees it. */
#include "engine/setup.h"

#include <string.h>

#include "base/bug.h"
#include "engine/laid.h"

/* Takes each card out of the pack's remainder; false: it is not of this pack or already placed. */
static bool claim(struct eng_cards *remainder, const uint8_t *cards, int n)
{
    ASSERT(n >= 0 && n <= ENG_CARD_MAX);
    for (int i = 0; i < n; i++) {
        if (!eng_cards_has(remainder, cards[i]))
            return false;
        eng_cards_remove(remainder, cards[i]);
    }
    return true;
}

static const char *place_hands(struct eng_game *g, const struct eng_setup *setup, struct eng_cards *remainder)
{
    for (int seat = 0; seat < g->players; seat++) {
        uint8_t cards[ENG_CARD_MAX];
        int n = eng_cards_list(&setup->hand[seat], cards);
        int most = seat == setup->to_move && setup->phase == ENG_TO_PLAY ? ENG_HAND_MAX : ENG_HAND_MAX - 1;
        if (n < 1 || n > most)
            return "each hand holds 1 to 14 cards, 15 for the one who is to throw";
        if (!claim(remainder, cards, n))
            return "a card of a hand is not in the pack or lies elsewhere too";
        g->hand[seat] = setup->hand[seat];
        g->turns[seat] = setup->turns[seat];
    }
    ASSERT(eng_cards_count(&g->hand[g->to_move]) >= 1);
    return NULL;
}

static const char *place_melds(struct eng_game *g, const struct eng_setup *setup, struct eng_cards *remainder)
{
    if (setup->melds_n > ENG_MELD_MAX)
        return "there are too many melds";
    for (int id = 0; id < setup->melds_n; id++) {
        const struct eng_setup_meld *from = &setup->melds[id];
        struct eng_blame blame;
        if (from->n > ENG_RUN_MAX || !claim(remainder, from->cards, from->n))
            return "a card of a meld is not in the pack or lies elsewhere too";
        if (!eng_meld_check(&g->params, from->cards, from->n, ENG_RUN_MAX, &g->melds[id], &blame))
            return "a meld is no meld of this variant";
        if (from->owner >= g->players || !eng_seat_bit(setup->opened, from->owner))
            return "a meld belongs to a seat that has not opened";
        g->melds[id].owner = from->owner;
    }
    g->melds_top = setup->melds_n;
    ASSERT(!eng_has_staged(g));
    return NULL;
}

/* The named cards and the rest, in canonical order. The stock's array has its top card last. */
static const char *place_piles(struct eng_game *g, const struct eng_setup *setup, struct eng_cards *remainder)
{
    if (setup->stock_n > ENG_CARD_MAX || setup->discard_n > ENG_CARD_MAX)
        return "there are too many cards in a pile";
    if (!claim(remainder, setup->stock, setup->stock_n))
        return "a card of the stock is not in the pack or lies elsewhere too";
    if (!claim(remainder, setup->discard, setup->discard_n))
        return "a card of the discard pile is not in the pack or lies elsewhere too";
    uint8_t rest[ENG_CARD_MAX] = {0};
    int n = eng_cards_list(remainder, rest);
    if (setup->rest_to_discard) {
        memcpy(g->discard, rest, (size_t)n);
        g->discard_n = (uint8_t)n;
    } else {
        for (int i = 0; i < n; i++)
            g->stock[i] = rest[n - 1 - i];
        g->stock_n = (uint8_t)n;
    }
    for (int i = setup->stock_n - 1; i >= 0; i--)
        g->stock[g->stock_n++] = setup->stock[i];
    for (int i = 0; i < setup->discard_n; i++)
        g->discard[g->discard_n++] = setup->discard[i];
    ASSERT(g->stock_n + g->discard_n <= ENG_CARD_MAX);
    return NULL;
}

static const char *check_turns(const struct eng_game *g)
{
    int turns = 0;
    for (int seat = 0; seat < g->players; seat++)
        turns += g->turns[seat];
    if (turns >= g->params.stall_turns * g->players)
        return "so many turns end a hand";
    ASSERT(g->phase == ENG_TO_DRAW || g->phase == ENG_TO_PLAY);
    if (g->phase == ENG_TO_PLAY &&
        !eng_hand_can_discard(&g->params, &g->hand[g->to_move], false, ENG_NO_CARD))
        return "the one to move has nothing that he may throw";
    return NULL;
}

const char *eng_setup_place(struct eng_game *g, const struct eng_params *params, int players,
                            const uint8_t key[ENG_KEY_BYTES], const struct eng_setup *setup)
{
    if (!eng_params_ok(params, players))
        return "the parameters do not fit together";
    if (setup->to_move >= players || setup->starter >= players || setup->opened >= 1 << players)
        return "a seat that is named does not exist";
    if (setup->flips > params->stock_flips)
        return "the stock was turned over too often";
    if (setup->phase != ENG_TO_DRAW && setup->phase != ENG_TO_PLAY)
        return "the phase is draw or play";
    eng_init(g, params, players);
    memcpy(g->key, key, ENG_KEY_BYTES);
    g->hand_no = 1;
    g->phase = setup->phase;
    g->starter = setup->starter;
    g->to_move = setup->to_move;
    g->opened = setup->opened;
    g->flips = setup->flips;
    struct eng_cards remainder = eng_cards_pack(params->packs, params->jokers);
    const char *wrong = place_hands(g, setup, &remainder);
    if (wrong == NULL)
        wrong = place_melds(g, setup, &remainder);
    if (wrong == NULL)
        wrong = place_piles(g, setup, &remainder);
    if (wrong == NULL)
        wrong = check_turns(g);
    if (wrong == NULL)
        eng_check(g);
    return wrong;
}
