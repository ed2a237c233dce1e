/* Entry point of the meld state machine (docs/rules.md §2 to §7); checks who may move. */
#include "engine/meld/family.h"

#include "base/bug.h"
#include "engine/meld/lay.h"
#include "engine/meld/system.h"
#include "engine/meld/turn.h"

bool eng_meld_family_well_formed(const struct eng_move *m)
{
    ASSERT(m->type > 0 && m->type < ENG_MOVE_TYPE_END);
    switch (m->type) {
    case ENG_MELD:
    case ENG_DISCARD:
        return m->n >= 1;
    case ENG_LAY_OFF:
        return m->n == 1;
    case ENG_SWAP:
        return m->n == 1 || m->n == 2;
    case ENG_DECLARE:
    case ENG_GROUP:
    case ENG_DROP:
    case ENG_REJOIN:
    case ENG_CLOSE:
        return false; /* moves of the other family */
    default:
        return m->n == 0;
    }
}

static enum eng_refusal player_move(struct eng_game *g, const struct eng_move *m, struct eng_outcome *out)
{
    ASSERT(m->seat == g->to_move && !eng_move_is_system(m->type));
    switch (m->type) {
    case ENG_DRAW_STOCK:
    case ENG_DRAW_DISCARD:
        return eng_do_draw(g, m, out);
    case ENG_FLIP:
        return eng_do_flip(g, out);
    case ENG_CANCEL_DRAW:
        return eng_do_cancel_draw(g, out);
    case ENG_TAKE_BACK:
        return eng_do_take_back(g, m, out);
    default:
        break;
    }
    if (g->phase == ENG_TO_DRAW)
        return eng_refuse(out, ENG_MUST_DRAW_FIRST, NULL, 0);
    switch (m->type) {
    case ENG_MELD:
        return eng_do_meld(g, m, out);
    case ENG_LAY_OFF:
        return eng_do_lay_off(g, m, out);
    case ENG_SWAP:
        return eng_do_swap(g, m, out);
    default:
        return eng_do_discard(g, m, out);
    }
}

enum eng_refusal eng_meld_family_apply(struct eng_game *g, const struct eng_move *m, struct eng_outcome *out)
{
    bool between = g->phase == ENG_HAND_OVER && (m->type == ENG_LEAVE || m->type == ENG_RETURN);
    if (g->phase != ENG_TO_DRAW && g->phase != ENG_TO_PLAY && !between)
        return eng_refuse(out, ENG_NOT_PLAYING, NULL, 0);
    if (eng_move_is_system(m->type))
        return eng_do_system(g, m, out);
    if (m->seat != g->to_move)
        return eng_refuse(out, ENG_NOT_YOUR_TURN, NULL, 0);
    return player_move(g, m, out);
}
