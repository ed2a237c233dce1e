/* Renewing the stock, drawing, discarding. Source: docs/rules.md §3.3, §7.2, and §8.2. See piles.h. */
#include "engine/core/piles.h"

#include <string.h>

#include "base/bug.h"
#include "engine/core/deal.h"
#include "engine/core/step.h"

bool eng_stock_lasts(const struct eng_game *g)
{
    ASSERT(g->stock_n <= ENG_CARD_MAX && g->discard_n <= ENG_CARD_MAX);
    return g->stock_n > 0 || (g->discard_n > 1 && g->params.stock_flips == 0);
}

/* If the stock is empty, all discards except the top one are shuffled and become the new stock. */
static void renew_stock(struct eng_game *g, struct eng_outcome *out)
{
    ASSERT(g->stock_n == 0 && g->discard_n > 1);
    uint8_t cards[ENG_CARD_MAX] = {0};
    int n = g->discard_n - 1;
    memcpy(cards, g->discard, (size_t)n);
    eng_shuffle(g, cards, n);
    for (int i = 0; i < n; i++)
        g->stock[i] = cards[n - 1 - i]; /* the first shuffled card is drawn first */
    g->discard[0] = g->discard[n];
    memset(g->discard + 1, 0, (size_t)n);
    g->stock_n = (uint8_t)n;
    g->discard_n = 1;
    g->open_card = ENG_NO_CARD;
    eng_emit(g, out, ENG_EV_RESHUFFLED, g->to_move)->renewed.stock_n = (uint8_t)n;
}

static void take_into_hand(struct eng_game *g, uint8_t card, enum eng_pile pile, struct eng_outcome *out)
{
    ASSERT(g->phase == ENG_TO_DRAW);
    eng_cards_add(&g->hand[g->to_move], card);
    g->phase = ENG_TO_PLAY;
    g->drew = (uint8_t)(1 + pile);
    g->drawn = card;
    struct eng_event *e = eng_emit(g, out, ENG_EV_DREW, g->to_move);
    e->private_to = pile == ENG_STOCK ? g->to_move : ENG_NO_SEAT;
    e->drew.pile = (uint8_t)pile;
    e->drew.must_open = g->must_open != 0;
    e->n = 1;
    e->cards[0] = card;
}

void eng_draw_from_stock(struct eng_game *g, struct eng_outcome *out)
{
    ASSERT(eng_stock_lasts(g));
    if (g->stock_n == 0)
        renew_stock(g, out);
    uint8_t card = g->stock[--g->stock_n];
    g->stock[g->stock_n] = 0;
    take_into_hand(g, card, ENG_STOCK, out);
}

void eng_draw_from_discard(struct eng_game *g, bool obliges, struct eng_outcome *out)
{
    ASSERT(g->discard_n > 0 && !g->stock_only);
    g->must_open = obliges;
    uint8_t card = g->discard[--g->discard_n];
    g->discard[g->discard_n] = 0;
    if (g->discard_n == 0)
        g->open_card = ENG_NO_CARD;
    take_into_hand(g, card, ENG_DISCARD_PILE, out);
}

void eng_cards_fall(struct eng_game *g, const uint8_t *cards, int n, struct eng_outcome *out)
{
    ASSERT(n >= 1 && n <= ENG_JOKER_MAX);
    struct eng_event *e = eng_emit(g, out, ENG_EV_DISCARDED, g->to_move);
    for (int i = 0; i < n; i++) {
        eng_cards_remove(&g->hand[g->to_move], cards[i]);
        g->discard[g->discard_n++] = cards[i];
        e->cards[e->n++] = cards[i];
    }
    e->discarded.buried = n == 2 && !eng_is_joker(cards[1]);
}
