/* Draws, discards, and passing the turn (docs/rules.md §2, §3, §6.2, and §7). */
#include "engine/meld/turn.h"

#include <string.h>

#include "base/bug.h"
#include "engine/core/piles.h"
#include "engine/meld/lay.h"
#include "engine/meld/score.h"

/* ---- Drawing ---- */

bool eng_may_flip(const struct eng_game *g)
{
    ASSERT(g->stock_n <= ENG_CARD_MAX && g->flips <= g->params.stock_flips);
    return g->stock_n == 0 && g->discard_n > 1 && g->flips < g->params.stock_flips;
}

/* After the first round, an unopened player who takes the discard must open in that turn. */
static bool discard_obliges(const struct eng_game *g)
{
    ASSERT(g->to_move < g->players);
    return g->params.discard_obliges && !eng_seat_bit(g->opened, g->to_move) && g->turns[g->to_move] > 0;
}

/* Whether the mover would still have something to discard with the top discard in hand. */
static bool discard_leaves_a_discard(const struct eng_game *g)
{
    ASSERT(g->discard_n > 0);
    uint8_t top = g->discard[g->discard_n - 1];
    struct eng_cards hand = g->hand[g->to_move];
    eng_cards_add(&hand, top);
    return eng_hand_can_discard(&g->params, &hand, false, top);
}

/* The one-card rule (docs/rules.md §7.4): whether the player could go out with a single card and the top
 * discard. */
static bool ends_by_one_card(const struct eng_game *g)
{
    ASSERT(g->discard_n > 0);
    return eng_one_card_ends(&g->params, g->melds, g->melds_top, &g->hand[g->to_move],
                             g->discard[g->discard_n - 1], eng_seat_bit(g->opened, g->to_move));
}

bool eng_discard_is_free(const struct eng_game *g)
{
    ASSERT(g->phase == ENG_TO_DRAW);
    return g->discard_n > 0 && !g->stock_only && !discard_obliges(g) && discard_leaves_a_discard(g) &&
           !ends_by_one_card(g);
}

/* The oldest discard starts the new pile; the second oldest becomes the top of the stock. */
void eng_flip(struct eng_game *g, struct eng_outcome *out)
{
    ASSERT(eng_may_flip(g));
    int n = g->discard_n - 1;
    for (int i = 0; i < n; i++)
        g->stock[i] = g->discard[n - i];
    memset(g->discard + 1, 0, (size_t)n);
    g->stock_n = (uint8_t)n;
    g->discard_n = 1;
    g->flips++;
    struct eng_event *e = eng_emit(g, out, ENG_EV_FLIPPED, g->to_move);
    e->renewed.stock_n = (uint8_t)n;
    e->n = 1;
    e->cards[0] = g->discard[0];
}

enum eng_refusal eng_do_flip(struct eng_game *g, struct eng_outcome *out)
{
    if (g->phase != ENG_TO_DRAW)
        return eng_refuse(out, ENG_ALREADY_DRAWN, NULL, 0);
    if (!eng_may_flip(g))
        return eng_refuse(out, ENG_NOTHING_TO_FLIP, NULL, 0);
    eng_flip(g, out);
    ASSERT(g->stock_n > 0);
    return ENG_OK;
}

void eng_take_discard(struct eng_game *g, struct eng_outcome *out)
{
    ASSERT(g->phase == ENG_TO_DRAW);
    eng_draw_from_discard(g, discard_obliges(g), out);
}

void eng_put_discard_back(struct eng_game *g, struct eng_outcome *out)
{
    ASSERT(g->must_open && g->drew == 1 + ENG_DISCARD_PILE && !eng_has_staged(g));
    uint8_t card = g->drawn;
    eng_cards_remove(&g->hand[g->to_move], card);
    g->discard[g->discard_n++] = card;
    g->phase = ENG_TO_DRAW;
    g->drew = g->must_open = 0;
    g->drawn = ENG_NO_CARD;
    g->stock_only = 1;
    struct eng_event *e = eng_emit(g, out, ENG_EV_DRAW_CANCELLED, g->to_move);
    e->n = 1;
    e->cards[0] = card;
}

enum eng_refusal eng_do_draw(struct eng_game *g, const struct eng_move *m, struct eng_outcome *out)
{
    ASSERT(m->type == ENG_DRAW_STOCK || m->type == ENG_DRAW_DISCARD);
    if (g->phase != ENG_TO_DRAW)
        return eng_refuse(out, ENG_ALREADY_DRAWN, NULL, 0);
    if (m->type == ENG_DRAW_DISCARD) {
        if (g->stock_only)
            return eng_refuse(out, ENG_STOCK_ONLY, NULL, 0);
        if (g->discard_n == 0)
            return eng_refuse(out, ENG_DISCARD_PILE_IS_EMPTY, NULL, 0);
        if (!discard_leaves_a_discard(g))
            return eng_refuse(out, ENG_MUST_KEEP_A_DISCARD, &g->discard[g->discard_n - 1], 1);
        if (ends_by_one_card(g))
            return eng_refuse(out, ENG_ONE_CARD_RULE, &g->discard[g->discard_n - 1], 1);
        eng_take_discard(g, out);
        return ENG_OK;
    }
    if (eng_stock_lasts(g)) {
        eng_draw_from_stock(g, out);
        return ENG_OK;
    }
    if (eng_may_flip(g) || (g->params.last_discard_forced && eng_discard_is_free(g)))
        return eng_refuse(out, ENG_STOCK_IS_EMPTY, NULL, 0);
    /* There is no card left to draw, so the hand has no winner. */
    eng_hand_end(g, ENG_ENDED_NO_CARDS, ENG_NO_SEAT, out);
    return ENG_OK;
}

enum eng_refusal eng_do_cancel_draw(struct eng_game *g, struct eng_outcome *out)
{
    ASSERT(g->phase == ENG_TO_DRAW || g->phase == ENG_TO_PLAY);
    if (!g->must_open)
        return eng_refuse(out, ENG_NOTHING_TO_CANCEL, NULL, 0);
    eng_return_staged(g, out);
    eng_put_discard_back(g, out);
    return ENG_OK;
}

/* ---- Discarding ---- */

static void pass_turn(struct eng_game *g, struct eng_outcome *out)
{
    uint8_t seat = g->to_move;
    ASSERT(g->phase == ENG_TO_PLAY);
    g->turns[seat]++;
    if (eng_cards_count(&g->hand[seat]) == 0) {
        eng_hand_end(g, ENG_ENDED_OUT, seat, out);
        return;
    }
    int turns = 0;
    for (int i = 0; i < g->players; i++)
        turns += g->turns[i];
    if (g->params.stock_flips > 0 && g->stock_n == 0 && g->flips == g->params.stock_flips)
        eng_hand_end(g, ENG_ENDED_NO_CARDS, ENG_NO_SEAT, out);
    else if (turns >= g->params.stall_turns * g->players)
        eng_hand_end(g, ENG_ENDED_STALLED, ENG_NO_SEAT, out);
    else
        eng_turn_begin(g, (uint8_t)((seat + 1) % g->players), ENG_TO_DRAW, out);
}

void eng_discard(struct eng_game *g, const uint8_t *cards, int n, struct eng_outcome *out)
{
    ASSERT(n >= 1 && n <= ENG_JOKER_MAX && !g->must_open);
    eng_cards_fall(g, cards, n, out);
    pass_turn(g, out);
}

/* Orders the cards for the pile: a buried joker goes below its natural card. */
static void falling_order(uint8_t *cards, int n)
{
    ASSERT(n >= 1);
    if (n == 2 && eng_is_joker(cards[1]) && !eng_is_joker(cards[0])) {
        uint8_t natural = cards[0];
        cards[0] = cards[1];
        cards[1] = natural;
    }
}

/* A joker freed by a swap that must be used and is still in this hand, or ENG_NO_CARD. */
static uint8_t unused_joker(const struct eng_game *g, const struct eng_cards *rest)
{
    if (g->params.swapped_joker_kept)
        return ENG_NO_CARD;
    for (int j = 0; j < ENG_JOKER_MAX; j++) {
        uint8_t joker = (uint8_t)(ENG_JOKER_FIRST + j);
        if (g->freed_meld[j] != ENG_NO_MELD && eng_cards_has(rest, joker))
            return joker;
    }
    return ENG_NO_CARD;
}

/* If two jokers are the whole hand, one may be discarded only if neither can be laid off. */
static bool joker_must_join(const struct eng_game *g, const uint8_t *cards)
{
    bool may_join = eng_seat_bit(g->opened, g->to_move) || g->params.lay_off_unopened;
    ASSERT(g->phase == ENG_TO_PLAY);
    return eng_is_joker(cards[0]) && may_join &&
           eng_joker_must_join(&g->params, g->melds, g->melds_top, &g->hand[g->to_move], g->to_move,
                               g->opening_turn);
}

enum eng_refusal eng_do_discard(struct eng_game *g, const struct eng_move *m, struct eng_outcome *out)
{
    ASSERT(g->phase == ENG_TO_PLAY && m->n >= 1);
    struct eng_cards rest;
    if (!eng_hand_without(&g->hand[m->seat], m->cards, m->n, &rest, out))
        return out->code;
    bool staged = eng_has_staged(g);
    enum eng_refusal shape = eng_discard_shape(&g->params, m->cards, m->n, &rest, staged);
    if (shape == ENG_OK && joker_must_join(g, m->cards))
        shape = ENG_JOKER_NOT_DISCARDABLE;
    if (shape != ENG_OK)
        return eng_refuse(out, shape, m->cards, m->n);
    uint8_t taken = eng_taken_discard(g);
    if (g->must_open)
        return eng_refuse(out, ENG_MUST_OPEN_THIS_TURN, &taken, 1);
    if (staged && g->params.below_minimum == ENG_BELOW_REFUSED)
        return eng_refuse(out, ENG_OPENING_BELOW_MINIMUM, NULL, 0);
    if (!g->params.throw_back && memchr(m->cards, taken, m->n) != NULL)
        return eng_refuse(out, ENG_DISCARD_WAS_JUST_TAKEN, &taken, 1);
    uint8_t unused = unused_joker(g, &rest);
    if (unused != ENG_NO_CARD)
        return eng_refuse(out, ENG_SWAPPED_JOKER_UNUSED, &unused, 1);
    eng_return_staged(g, out);
    uint8_t cards[ENG_MOVE_CARDS_MAX];
    memcpy(cards, m->cards, m->n);
    falling_order(cards, m->n);
    eng_discard(g, cards, m->n, out);
    return ENG_OK;
}
