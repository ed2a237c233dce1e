/* Moves of the declare family: who may move, drawing, discarding, and dropping (docs/rules.md §8.2 and
 * §8.3). See family.h. */
#include "engine/declare/family.h"

#include <string.h>

#include "base/bug.h"
#include "engine/core/piles.h"
#include "engine/core/session.h"
#include "engine/declare/seats.h"
#include "engine/declare/show.h"
#include "engine/declare/system.h"
#include "engine/declare/turn.h"

bool eng_declare_family_well_formed(const struct eng_move *m)
{
    int grouped = 0;
    for (int i = 0; i < m->groups && i < ENG_GROUPS_MAX; i++) {
        if (m->lens[i] == 0)
            return false;
        grouped += m->lens[i];
    }
    ASSERT(m->type > 0 && m->type < ENG_MOVE_TYPE_END);
    switch (m->type) {
    case ENG_DECLARE:
        return grouped < m->n; /* the last card is for the finish slot */
    case ENG_GROUP:
        return grouped <= m->n && m->n <= ENG_GROUPING_CARDS && m->end <= 1;
    case ENG_DISCARD:
        return m->n == 1;
    case ENG_CANCEL_DRAW:
    case ENG_MELD:
    case ENG_TAKE_BACK:
    case ENG_LAY_OFF:
    case ENG_SWAP:
    case ENG_FLIP:
        return false; /* moves of the other family */
    default:
        return m->n == 0;
    }
}

/* ---- Moves ---- */

bool eng_may_take(const struct eng_game *g)
{
    if (g->discard_n == 0)
        return false;
    uint8_t top = g->discard[g->discard_n - 1];
    struct eng_wild wild = eng_wild_of(&g->params, g->wild_card);
    ASSERT(top < ENG_CARD_MAX);
    return top == g->open_card || !eng_is_wild(&wild, top);
}

static enum eng_refusal draw(struct eng_game *g, const struct eng_move *m, struct eng_outcome *out)
{
    if (g->phase != ENG_TO_DRAW)
        return eng_refuse(out, ENG_ALREADY_DRAWN, NULL, 0);
    if (m->type == ENG_DRAW_DISCARD) {
        if (g->discard_n == 0)
            return eng_refuse(out, ENG_DISCARD_PILE_IS_EMPTY, NULL, 0);
        if (!eng_may_take(g))
            return eng_refuse(out, ENG_OPEN_JOKER_NOT_TAKEABLE, &g->discard[g->discard_n - 1], 1);
        eng_draw_from_discard(g, false, out);
    } else {
        /* Hands hold 13 cards each, so the piles have at least 26 and the stock never runs out. */
        ASSERT(eng_stock_lasts(g));
        eng_draw_from_stock(g, out);
    }
    g->picked |= (uint8_t)(1 << g->to_move);
    return ENG_OK;
}

static enum eng_refusal discard(struct eng_game *g, const struct eng_move *m, struct eng_outcome *out)
{
    struct eng_cards rest;
    ASSERT(m->n == 1);
    if (!eng_hand_without(&g->hand[m->seat], m->cards, m->n, &rest, out))
        return out->code;
    eng_discard_one(g, m->cards[0], out);
    eng_pass_on(g, out);
    return ENG_OK;
}

static enum eng_refusal drop(struct eng_game *g, const struct eng_move *m, struct eng_outcome *out)
{
    if (g->params.drop_first == 0)
        return eng_refuse(out, ENG_NO_DROP_IN_THIS_VARIANT, NULL, 0);
    if (g->phase != ENG_TO_DRAW)
        return eng_refuse(out, ENG_DROP_AFTER_DRAW, NULL, 0);
    ASSERT(m->seat == g->to_move);
    enum eng_drop how = eng_seat_bit(g->picked, m->seat) ? ENG_DROP_MIDDLE : ENG_DROP_FIRST;
    eng_drop_out(g, m->seat, how, eng_drop_points(g, m->seat), out);
    eng_pass_on(g, out);
    return ENG_OK;
}

/* Applies a move of the seat to move. */
static enum eng_refusal turn_move(struct eng_game *g, const struct eng_move *m, struct eng_outcome *out)
{
    ASSERT(m->seat == g->to_move && eng_seat_bit(eng_seats_in(g), m->seat));
    if (m->type == ENG_DRAW_STOCK || m->type == ENG_DRAW_DISCARD)
        return draw(g, m, out);
    if (m->type == ENG_DROP)
        return drop(g, m, out);
    if (g->phase == ENG_TO_DRAW)
        return eng_refuse(out, ENG_MUST_DRAW_FIRST, NULL, 0);
    return m->type == ENG_DISCARD ? discard(g, m, out) : eng_do_declare(g, m, out);
}

enum eng_refusal eng_declare_family_apply(struct eng_game *g, const struct eng_move *m,
                                          struct eng_outcome *out)
{
    ASSERT(g->phase != ENG_TO_DEAL && g->phase != ENG_SESSION_OVER);
    if (eng_move_is_system(m->type))
        return eng_declare_system(g, m, out);
    if (m->type == ENG_REJOIN)
        return eng_do_rejoin(g, m, out);
    if (g->phase == ENG_HAND_OVER)
        return eng_refuse(out, ENG_NOT_PLAYING, NULL, 0);
    if (!eng_seat_bit(eng_seats_in(g), m->seat))
        return eng_refuse(out, ENG_OUT_OF_THIS_HAND, NULL, 0);
    if (m->type == ENG_GROUP)
        return eng_do_group(g, m, out);
    if (g->phase == ENG_TO_GROUP)
        return eng_refuse(out, ENG_HAND_IS_DECLARED, NULL, 0);
    if (m->seat != g->to_move)
        return eng_refuse(out, ENG_NOT_YOUR_TURN, NULL, 0);
    return turn_move(g, m, out);
}
