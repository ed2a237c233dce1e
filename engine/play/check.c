/* Checks all invariants of a game: cards are conserved, caches agree, melds are valid, and unused elements
 * are empty. Called by tests and fuzzers, and after each move in debug builds. */
#include <string.h>

#include "base/bug.h"
#include "engine/core/game.h"
#include "engine/declare/seats.h"

/* Every card of the pack occurs exactly once: adding a card twice aborts in eng_cards_add. */
static void check_cards(const struct eng_game *g)
{
    struct eng_cards all = {{0, 0}};
    for (int seat = 0; seat < ENG_SEAT_MAX; seat++) {
        uint8_t cards[ENG_CARD_MAX];
        int n = eng_cards_list(&g->hand[seat], cards);
        ASSERT(n <= (seat < g->players ? ENG_HAND_MAX : 0));
        for (int i = 0; i < n; i++)
            eng_cards_add(&all, cards[i]);
    }
    for (int i = 0; i < g->stock_n; i++)
        eng_cards_add(&all, g->stock[i]);
    for (int i = 0; i < g->discard_n; i++)
        eng_cards_add(&all, g->discard[i]);
    for (int id = 0; id < g->melds_top; id++)
        for (int i = 0; i < g->melds[id].n; i++)
            eng_cards_add(&all, g->melds[id].cards[i]);
    if (g->wild_card != ENG_NO_CARD)
        eng_cards_add(&all, g->wild_card);
    struct eng_cards pack = eng_cards_pack(g->params.packs, g->params.jokers);
    ASSERT(all.w[0] == pack.w[0] && all.w[1] == pack.w[1]);
}

static void check_unused(const struct eng_game *g)
{
    static const uint8_t zeros[sizeof g->melds];
    ASSERT(g->stock_n <= ENG_CARD_MAX && g->discard_n <= ENG_CARD_MAX && g->melds_top <= ENG_MELD_MAX);
    ASSERT(memcmp(g->stock + g->stock_n, zeros, (size_t)(ENG_CARD_MAX - g->stock_n)) == 0);
    ASSERT(memcmp(g->discard + g->discard_n, zeros, (size_t)(ENG_CARD_MAX - g->discard_n)) == 0);
    ASSERT(g->melds_top == 0 || g->melds[g->melds_top - 1].n > 0);
    for (int id = 0; id < ENG_MELD_MAX; id++) {
        const struct eng_meld *meld = &g->melds[id];
        if (id >= g->melds_top || meld->n == 0)
            ASSERT(memcmp(meld, zeros, sizeof *meld) == 0);
        else
            ASSERT(memcmp(meld->cards + meld->n, zeros, (size_t)(ENG_RUN_MAX - meld->n)) == 0);
    }
}

/* A meld on the table is valid in its stored order. */
static void check_meld(const struct eng_game *g, const struct eng_meld *meld)
{
    struct eng_meld again;
    struct eng_blame blame;
    ASSERT(meld->owner < g->players && meld->n >= ENG_MELD_MIN);
    ASSERT(eng_meld_check(&g->params, meld->cards, meld->n, ENG_RUN_MAX, &again, &blame));
    again.owner = meld->owner;
    again.staged = meld->staged;
    ASSERT(meld->kind == ENG_SET ? meld->suit == 0 : meld->suits == 1U << meld->suit);
    ASSERT(memcmp(&again, meld, sizeof again) == 0);
}

static void check_melds(const struct eng_game *g)
{
    int staged = 0;
    for (int id = 0; id < g->melds_top; id++) {
        const struct eng_meld *meld = &g->melds[id];
        if (meld->n == 0)
            continue;
        check_meld(g, meld);
        ASSERT(meld->staged || eng_seat_bit(g->opened, meld->owner));
        if (!meld->staged)
            continue;
        ASSERT(meld->owner == g->to_move && g->phase == ENG_TO_PLAY);
        staged += eng_meld_points(&g->params, meld);
    }
    ASSERT(staged == g->staged_sum);
}

static void check_turn(const struct eng_game *g)
{
    const struct eng_cards *hand = &g->hand[g->to_move];
    ASSERT(g->to_move < g->players && g->starter < g->players);
    ASSERT((g->drew == 0) == (g->drawn == ENG_NO_CARD));
    ASSERT(!g->must_open || (g->drew == 1 + ENG_DISCARD_PILE && !eng_seat_bit(g->opened, g->to_move)));
    for (int j = 0; j < ENG_JOKER_MAX; j++) {
        bool freed = g->freed_meld[j] != ENG_NO_MELD;
        ASSERT(freed || g->freed_by[j] == 0);
        ASSERT(!freed || eng_cards_has(hand, (uint8_t)(ENG_JOKER_FIRST + j)));
    }
    if (g->phase != ENG_TO_PLAY || g->params.family != ENG_FAMILY_MELD)
        return;
    /* If jokers cannot be buried and the hand holds only jokers, one of them may be discarded. */
    bool lone_jokers = !g->params.joker_buried && !eng_cards_has_natural(hand) && !eng_has_staged(g);
    ASSERT(lone_jokers || eng_hand_can_discard(&g->params, hand, eng_has_staged(g), eng_taken_discard(g)));
}

/* ---- The declare family ---- */

/* Each seat holds 13 cards; the seat that must discard, or one that left during its turn, holds 14. */
static void check_declare_hands(const struct eng_game *g)
{
    bool over = g->ending != 0;
    for (uint8_t seat = 0; seat < g->players; seat++) {
        const struct eng_grouping *made = &g->grouping[seat];
        int n = eng_cards_count(&g->hand[seat]), grouped = 0;
        bool sits_out = eng_seat_bit(g->sat_out, seat), may_have_more = over || eng_seat_bit(g->left, seat);
        int more = g->phase == ENG_TO_PLAY && seat == g->to_move;
        ASSERT(sits_out ? n == 0
                        : n == ENG_GROUPING_CARDS + more || (may_have_more && n == ENG_GROUPING_CARDS + 1));
        ASSERT((g->lost[seat] > 0) == eng_seat_bit(g->dropped | g->wrong, seat));
        ASSERT(g->out_at[seat] <= g->hand_no && (g->saves[seat] == 0 || g->declarer != ENG_NO_SEAT));
        if (made->n == 0) {
            ASSERT(made->groups == 0);
            continue;
        }
        struct eng_cards cards = {{0, 0}};
        for (int i = 0; i < made->n; i++)
            eng_cards_add(&cards, made->cards[i]);
        for (int i = 0; i < made->groups; i++)
            grouped += made->lens[i];
        ASSERT(grouped <= made->n && memcmp(&cards, &g->hand[seat], sizeof cards) == 0);
    }
}

static void check_declare(const struct eng_game *g)
{
    uint8_t in = eng_seats_in(g), out = (uint8_t)(g->sat_out | g->dropped | g->wrong);
    ASSERT(g->melds_top == 0 && g->opened == 0 && g->staged_sum == 0 && g->flips == 0 && !g->must_open);
    ASSERT((out | g->picked | g->grouped) < 1 << g->players && (g->dropped & g->wrong) == 0 && in != 0);
    ASSERT(g->wild_card < ENG_CARD_MAX && g->stock_n + g->discard_n >= 2);
    ASSERT(g->open_card == ENG_NO_CARD || (g->discard_n > 0 && g->open_card == g->discard[0]));
    check_declare_hands(g);
    ASSERT((g->declarer != ENG_NO_SEAT) == (g->phase == ENG_TO_GROUP || g->ending == ENG_ENDED_OUT));
    if (g->phase == ENG_TO_DRAW || g->phase == ENG_TO_PLAY)
        ASSERT((in & (in - 1)) != 0 && eng_seat_bit(in, g->to_move));
    if (g->phase == ENG_TO_GROUP)
        ASSERT(eng_seat_bit(in, g->declarer) && g->drew == 0);
}

void eng_check(const struct eng_game *g)
{
    ASSERT(eng_params_ok(&g->params, g->players));
    ASSERT(g->phase <= ENG_TO_GROUP && (g->left & ~g->away) == 0);
    ASSERT((g->opened | g->away) < 1 << g->players);
    if (g->phase == ENG_TO_DEAL)
        return;
    check_cards(g);
    check_unused(g);
    check_melds(g);
    if (g->params.family == ENG_FAMILY_DECLARE)
        check_declare(g);
    if (g->phase == ENG_TO_DRAW || g->phase == ENG_TO_PLAY || g->phase == ENG_TO_GROUP) {
        ASSERT(g->ending == 0 && g->winner == ENG_NO_SEAT);
        check_turn(g);
        return;
    }
    ASSERT(g->ending != 0);
    for (int seat = 0; seat < g->players; seat++)
        ASSERT(g->place[seat] >= 1 && g->place[seat] <= g->players);
}
