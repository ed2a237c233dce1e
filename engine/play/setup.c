/* See setup.h. Called by records and tests. Untrusted input is checked here, because the state machine
 * trusts its game. */
#include "engine/play/setup.h"

#include <string.h>

#include "base/bug.h"
#include "engine/core/session.h"
#include "engine/play/setup_check.h"
#include "engine/play/setup_declare.h"

/* Blames a header that exists once per seat. */
static bool blame_seat(struct eng_setup_fault *fault, const char *header, uint8_t seat, uint8_t card,
                       const char *text)
{
    ASSERT(seat < ENG_SEAT_MAX);
    eng_setup_blame(fault, header, seat, card, text);
    fault->number = seat;
    return false;
}

static bool blame(struct eng_setup_fault *fault, const char *header, const char *text)
{
    return eng_setup_blame(fault, header, ENG_NO_SEAT, ENG_NO_CARD, text);
}

/* Checks the number of cards in a hand; NULL: valid. */
static const char *hand_size(const struct eng_game *g, const struct eng_setup *setup, uint8_t seat, int n)
{
    bool to_play = seat == setup->to_move && setup->phase == ENG_TO_PLAY;
    ASSERT(seat < g->players);
    if (g->params.family == ENG_FAMILY_MELD)
        return n >= 1 && n <= (to_play ? ENG_HAND_MAX : ENG_HAND_MAX - 1)
                   ? NULL
                   : "A hand must have 1 to 14 cards, or up to 15 if the seat must discard.";
    if (eng_seat_bit(eng_setup_sat_out(setup, g->players), seat))
        return n == 0 ? NULL : "A seat that is out of the session must have no cards.";
    if (n == ENG_GROUPING_CARDS + 1 && eng_seat_bit(setup->left, seat))
        return NULL; /* the seat left during its turn */
    return n == ENG_GROUPING_CARDS + to_play ? NULL
                                             : "A hand must have 13 cards, or 14 if the seat must discard.";
}

static const char lies_elsewhere[] = "This card is not in the variant's pack, or it is in two places.";

static bool place_hands(struct eng_game *g, const struct eng_setup *setup, struct eng_cards *remainder,
                        struct eng_setup_fault *fault)
{
    for (uint8_t seat = 0; seat < g->players; seat++) {
        uint8_t cards[ENG_CARD_MAX];
        int n = eng_cards_list(&setup->hand[seat], cards);
        const char *wrong = hand_size(g, setup, seat, n);
        if (wrong != NULL)
            return blame_seat(fault, "Cards", seat, ENG_NO_CARD, wrong);
        uint8_t card = eng_setup_claim(remainder, cards, n);
        if (card != ENG_NO_CARD)
            return blame_seat(fault, "Cards", seat, card, lies_elsewhere);
        g->hand[seat] = setup->hand[seat];
        g->turns[seat] = setup->turns[seat];
        g->timeouts[seat] = setup->missed[seat];
    }
    return true;
}

/* number: the meld's number in messages. */
static bool blame_meld(struct eng_setup_fault *fault, int number, uint8_t seat, uint8_t card,
                       const char *text)
{
    ASSERT(number < ENG_MELD_MAX);
    eng_setup_blame(fault, "Meld m", seat, card, text);
    fault->number = (uint8_t)number;
    return false;
}

static bool place_melds(struct eng_game *g, const struct eng_setup *setup, struct eng_cards *remainder,
                        struct eng_setup_fault *fault)
{
    if (setup->melds_n > ENG_MELD_MAX)
        return blame(fault, "Meld", "The table has too many melds.");
    for (int id = 0; id < setup->melds_n; id++) {
        const struct eng_setup_meld *from = &setup->melds[id];
        struct eng_blame why;
        uint8_t card = eng_setup_claim(remainder, from->cards, from->n <= ENG_RUN_MAX ? from->n : 0);
        if (card != ENG_NO_CARD)
            return blame_meld(fault, id, from->owner, card, lies_elsewhere);
        if (from->n > ENG_RUN_MAX ||
            !eng_meld_check(&g->params, from->cards, from->n, ENG_RUN_MAX, &g->melds[id], &why))
            return blame_meld(fault, id, from->owner, ENG_NO_CARD, "This is not a meld in this variant.");
        if (from->owner >= g->players || !eng_seat_bit(setup->opened, from->owner))
            return blame_meld(fault, id, from->owner, ENG_NO_CARD,
                              "The meld belongs to a seat that has not opened.");
        g->melds[id].owner = from->owner;
    }
    g->melds_top = setup->melds_n;
    ASSERT(!eng_has_staged(g));
    return true;
}

/* Whether the cards of both piles are available. */
static bool claim_piles(const struct eng_setup *setup, struct eng_cards *remainder,
                        struct eng_setup_fault *fault)
{
    uint8_t card;
    if (setup->stock_n > ENG_CARD_MAX || setup->discard_n > ENG_CARD_MAX)
        return blame(fault, setup->stock_n > ENG_CARD_MAX ? "Stock" : "Discard",
                     "The pile has too many cards.");
    card = eng_setup_claim(remainder, setup->stock, setup->stock_n);
    if (card != ENG_NO_CARD)
        return eng_setup_blame(fault, "Stock", ENG_NO_SEAT, card, lies_elsewhere);
    card = eng_setup_claim(remainder, setup->discard, setup->discard_n);
    return card == ENG_NO_CARD || eng_setup_blame(fault, "Discard", ENG_NO_SEAT, card, lies_elsewhere);
}

/* Places the listed cards, then the others in canonical order. The top card is last in the stock's
 * array. */
static bool place_piles(struct eng_game *g, const struct eng_setup *setup, struct eng_cards *remainder,
                        struct eng_setup_fault *fault)
{
    if (!claim_piles(setup, remainder, fault))
        return false;
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
        return blame(fault, "OpenCard", "No card opened the discard pile.");
    if (setup->open_lies)
        g->open_card = g->discard[0];
    return true;
}

/* Checks what the headers state about a seat and the session; NULL: valid. */
static const char *seat_in_session(const struct eng_game *g, const struct eng_setup *setup, int seat,
                                   int hand_no)
{
    uint8_t out_at = setup->out_at[seat];
    bool left = eng_seat_bit(setup->left, (uint8_t)seat);
    ASSERT(seat < ENG_SEAT_MAX);
    if (out_at > 0 && (seat >= g->players || g->params.family == ENG_FAMILY_MELD))
        return "Seats can be out only in games that eliminate players.";
    if (out_at > hand_no || (out_at == hand_no && !left))
        return "A seat can only go out in a hand that was played, or by leaving.";
    if (left && out_at == 0 && g->params.family == ENG_FAMILY_DECLARE)
        return "A seat that has left must be out of the session.";
    return NULL;
}

bool eng_setup_session(struct eng_game *g, const struct eng_setup *setup, struct eng_setup_fault *fault)
{
    uint8_t all = (uint8_t)((1 << g->players) - 1);
    int in = 0, hand_no = setup->hand_no == 0 ? 1 : setup->hand_no;
    ASSERT(g->players >= 2 && g->hand_no <= hand_no);
    if ((setup->left | setup->away) > all)
        return blame(fault, setup->left > all ? "Left" : "Away", "The table has no such seat.");
    for (int seat = 0; seat < ENG_SEAT_MAX; seat++) {
        const char *wrong = seat_in_session(g, setup, seat, hand_no);
        if (wrong != NULL)
            return eng_setup_blame(fault, setup->out_at[seat] > 0 ? "Out" : "Left", (uint8_t)seat,
                                   ENG_NO_CARD, wrong);
        g->out_at[seat] = setup->out_at[seat];
        in += seat < g->players && setup->out_at[seat] == 0;
    }
    if (in < 2 && setup->phase != ENG_TO_GROUP)
        return blame(fault, "Out", "At least two seats must still be in.");
    g->left = setup->left;
    g->away = setup->left | setup->away;
    return true;
}

static bool check_turns(const struct eng_game *g, struct eng_setup_fault *fault)
{
    int turns = 0, dealt = g->players - __builtin_popcount(g->sat_out);
    for (int seat = 0; seat < g->players; seat++)
        turns += g->turns[seat];
    if (turns >= g->params.stall_turns * dealt)
        return blame(fault, "Turns", "A hand cannot last this many turns.");
    ASSERT(g->phase == ENG_TO_DRAW || g->phase == ENG_TO_PLAY || g->phase == ENG_TO_GROUP);
    if (g->phase == ENG_TO_PLAY && g->params.family == ENG_FAMILY_MELD &&
        !eng_hand_can_discard(&g->params, &g->hand[g->to_move], false, ENG_NO_CARD))
        return blame_seat(fault, "Cards", g->to_move, ENG_NO_CARD,
                          "The seat to move has no card that it may discard.");
    return true;
}

/* Checks that need no cards. */
static bool check_heads(const struct eng_params *params, int players, const struct eng_setup *setup,
                        struct eng_setup_fault *fault)
{
    bool laid = params->family == ENG_FAMILY_MELD;
    if (setup->to_move >= players || setup->starter >= players || setup->opened >= 1 << players)
        return blame(fault,
                     setup->to_move >= players   ? "ToMove"
                     : setup->starter >= players ? "Starter"
                                                 : "Opened",
                     "The table has no such seat.");
    if (setup->flips > params->stock_flips)
        return blame(fault, "Flips", "The stock was turned over more often than the variant allows.");
    if (setup->phase != ENG_TO_DRAW && setup->phase != ENG_TO_PLAY && (laid || setup->phase != ENG_TO_GROUP))
        return blame(fault, "Phase",
                     laid ? "The phase must be draw or play." : "The phase must be draw, play, or group.");
    ASSERT(players <= ENG_SEAT_MAX);
    return setup->hand_no <= eng_session_hands_max(params) ||
           blame(fault, "Hand", "A session cannot have a hand with this number.");
}

bool eng_setup_place(struct eng_game *g, const struct eng_params *params, int players,
                     const uint8_t key[ENG_KEY_BYTES], const struct eng_setup *setup,
                     struct eng_setup_fault *fault)
{
    if (!eng_params_ok(params, players))
        return blame(fault, "Params", "The parameters contradict each other.");
    if (!check_heads(params, players, setup, fault))
        return false;
    eng_init(g, params, players);
    memcpy(g->key, key, ENG_KEY_BYTES);
    g->hand_no = setup->hand_no == 0 ? 1 : setup->hand_no;
    if (!eng_setup_session(g, setup, fault))
        return false;
    g->phase = setup->phase;
    g->starter = setup->starter;
    g->to_move = setup->to_move;
    g->opened = setup->opened;
    g->flips = setup->flips;
    struct eng_cards remainder = eng_cards_pack(params->packs, params->jokers);
    bool declared = params->family == ENG_FAMILY_DECLARE;
    if (!place_hands(g, setup, &remainder, fault) ||
        (declared && !eng_setup_declare(g, setup, &remainder, fault)) ||
        !place_melds(g, setup, &remainder, fault) || !place_piles(g, setup, &remainder, fault) ||
        !check_turns(g, fault))
        return false;
    g->rare_hash = eng_hash_rare(g);
    eng_check(g);
    return true;
}
