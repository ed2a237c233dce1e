/* See setup.h. Called by records and tests; whatever a stranger wrote is checked here before the
 * state machine, which trusts its game, sees it. */
#include "engine/play/setup.h"

#include <string.h>

#include "base/bug.h"
#include "engine/core/session.h"
#include "engine/meld/family.h"

bool eng_setup_claim(struct eng_cards *remainder, const uint8_t *cards, int n)
{
    ASSERT(n >= 0 && n <= ENG_CARD_MAX);
    for (int i = 0; i < n; i++) {
        if (!eng_cards_has(remainder, cards[i]))
            return false;
        eng_cards_remove(remainder, cards[i]);
    }
    return true;
}

uint8_t eng_setup_sat_out(const struct eng_setup *setup, int players)
{
    int hand_no = setup->hand_no == 0 ? 1 : setup->hand_no;
    uint8_t sat_out = 0;
    ASSERT(players >= 2 && players <= ENG_SEAT_MAX);
    for (int seat = 0; seat < players; seat++)
        sat_out |= (uint8_t)((setup->out_at[seat] > 0 && setup->out_at[seat] < hand_no) << seat);
    return sat_out;
}

/* How many cards a hand may hold; NULL when it is so. */
static const char *hand_size(const struct eng_game *g, const struct eng_setup *setup, uint8_t seat, int n)
{
    bool to_play = seat == setup->to_move && setup->phase == ENG_TO_PLAY;
    ASSERT(seat < g->players);
    if (g->params.family == ENG_FAMILY_MELD)
        return n >= 1 && n <= (to_play ? ENG_HAND_MAX : ENG_HAND_MAX - 1)
                   ? NULL
                   : "each hand holds 1 to 14 cards, 15 for the one who is to throw";
    if (eng_seat_bit(eng_setup_sat_out(setup, g->players), seat))
        return n == 0 ? NULL : "a seat that is out of the session holds no cards";
    if (n == ENG_GROUPING_CARDS + 1 && eng_seat_bit(setup->left, seat))
        return NULL; /* they left in their turn */
    return n == ENG_GROUPING_CARDS + to_play ? NULL
                                             : "each hand holds 13 cards, 14 for the one who is to throw";
}

static const char *place_hands(struct eng_game *g, const struct eng_setup *setup, struct eng_cards *remainder)
{
    for (uint8_t seat = 0; seat < g->players; seat++) {
        uint8_t cards[ENG_CARD_MAX];
        int n = eng_cards_list(&setup->hand[seat], cards);
        const char *wrong = hand_size(g, setup, seat, n);
        if (wrong != NULL)
            return wrong;
        if (!eng_setup_claim(remainder, cards, n))
            return "a card of a hand is not in the pack or lies elsewhere too";
        g->hand[seat] = setup->hand[seat];
        g->turns[seat] = setup->turns[seat];
        g->timeouts[seat] = setup->missed[seat];
    }
    return NULL;
}

static const char *place_melds(struct eng_game *g, const struct eng_setup *setup, struct eng_cards *remainder)
{
    if (setup->melds_n > ENG_MELD_MAX)
        return "there are too many melds";
    for (int id = 0; id < setup->melds_n; id++) {
        const struct eng_setup_meld *from = &setup->melds[id];
        struct eng_blame blame;
        if (from->n > ENG_RUN_MAX || !eng_setup_claim(remainder, from->cards, from->n))
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
    if (!eng_setup_claim(remainder, setup->stock, setup->stock_n))
        return "a card of the stock is not in the pack or lies elsewhere too";
    if (!eng_setup_claim(remainder, setup->discard, setup->discard_n))
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
    if (setup->open_lies && (g->discard_n == 0 || g->params.family == ENG_FAMILY_MELD))
        return "there is no card that opened the discard pile";
    if (setup->open_lies)
        g->open_card = g->discard[0];
    return NULL;
}

const char *eng_setup_session(struct eng_game *g, const struct eng_setup *setup)
{
    uint8_t all = (uint8_t)((1 << g->players) - 1);
    int in = 0, hand_no = setup->hand_no == 0 ? 1 : setup->hand_no;
    ASSERT(g->players >= 2 && g->hand_no <= hand_no);
    if ((setup->left | setup->away) > all)
        return "a seat that is named does not exist";
    for (int seat = 0; seat < ENG_SEAT_MAX; seat++) {
        uint8_t out_at = setup->out_at[seat];
        if (out_at > 0 && (seat >= g->players || g->params.family == ENG_FAMILY_MELD))
            return "only seats of games in which one can go out are out";
        bool left = eng_seat_bit(setup->left, (uint8_t)seat);
        if (out_at > hand_no || (out_at == hand_no && !left))
            return "a seat goes out in a hand that was played, or by leaving";
        if (left && out_at == 0 && g->params.family == ENG_FAMILY_DECLARE)
            return "who has left is out of the session";
        g->out_at[seat] = out_at;
        in += seat < g->players && out_at == 0;
    }
    if (in < 2 && setup->phase != ENG_TO_GROUP)
        return "two seats at least are still in";
    g->left = setup->left;
    g->away = setup->left | setup->away;
    return NULL;
}

static const char *check_turns(const struct eng_game *g)
{
    int turns = 0, dealt = g->players - __builtin_popcount(g->sat_out);
    for (int seat = 0; seat < g->players; seat++)
        turns += g->turns[seat];
    if (turns >= g->params.stall_turns * dealt)
        return "so many turns end a hand";
    ASSERT(g->phase == ENG_TO_DRAW || g->phase == ENG_TO_PLAY || g->phase == ENG_TO_GROUP);
    if (g->phase == ENG_TO_PLAY && g->params.family == ENG_FAMILY_MELD &&
        !eng_hand_can_discard(&g->params, &g->hand[g->to_move], false, ENG_NO_CARD))
        return "the seat to move has no card that it may discard";
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
    bool laid = params->family == ENG_FAMILY_MELD;
    if (setup->phase != ENG_TO_DRAW && setup->phase != ENG_TO_PLAY && (laid || setup->phase != ENG_TO_GROUP))
        return laid ? "the phase is draw or play" : "the phase is draw, play or group";
    if (setup->hand_no > eng_session_hands_max(params))
        return "no session has a hand of this number";
    eng_init(g, params, players);
    memcpy(g->key, key, ENG_KEY_BYTES);
    g->hand_no = setup->hand_no == 0 ? 1 : setup->hand_no;
    const char *session = eng_setup_session(g, setup);
    if (session != NULL)
        return session;
    g->phase = setup->phase;
    g->starter = setup->starter;
    g->to_move = setup->to_move;
    g->opened = setup->opened;
    g->flips = setup->flips;
    struct eng_cards remainder = eng_cards_pack(params->packs, params->jokers);
    const char *wrong = place_hands(g, setup, &remainder);
    if (wrong == NULL && !laid)
        wrong = eng_setup_declare(g, setup, &remainder);
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
