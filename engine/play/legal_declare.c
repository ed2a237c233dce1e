/* eng_legal and eng_hints for the declare family: legal moves from the view, and the solver's declaration
 * or grouping. See legal.h. */
#include <string.h>

#include "base/bug.h"
#include "engine/play/legal.h"
#include "engine/play/legal_add.h"
#include "engine/solver/arrange.h"

/* Copies the groups found by the solver, without the ungrouped rest. */
static void take_groups(struct eng_move *m, const struct eng_arrangement *found)
{
    ASSERT(found->groups <= ENG_GROUPS_MAX);
    m->groups = found->groups;
    for (int i = 0; i < found->groups; i++) {
        m->lens[i] = found->lens[i];
        m->n = (uint8_t)(m->n + found->lens[i]);
    }
    memcpy(m->cards, found->cards, m->n);
}

bool eng_legal_declaration(const struct eng_view *view, struct eng_move *m)
{
    struct eng_wild wild = eng_wild_of(view->params, view->wild_card);
    struct eng_arrangement found;
    ASSERT(view->phase == ENG_TO_PLAY && view->hand_n == ENG_GROUPING_CARDS + 1);
    if (!eng_arrange_declaration(&wild, view->hand, view->hand_n, &found))
        return false;
    *m = (struct eng_move){.type = ENG_DECLARE, .seat = view->viewer, .meld = ENG_NO_MELD};
    take_groups(m, &found);
    m->cards[m->n++] = found.finish;
    return true;
}

void eng_legal_grouping(const struct eng_view *view, struct eng_move *m)
{
    struct eng_wild wild = eng_wild_of(view->params, view->wild_card);
    struct eng_arrangement found;
    ASSERT(view->hand_n == ENG_GROUPING_CARDS);
    eng_arrange(&wild, view->hand, view->hand_n, &found);
    *m = (struct eng_move){.type = ENG_GROUP, .seat = view->viewer, .meld = ENG_NO_MELD, .end = 1};
    take_groups(m, &found);
}

void eng_legal_hints_declare(const struct eng_view *view, struct eng_hints *hints)
{
    ASSERT(view->params->family == ENG_FAMILY_DECLARE && hints->n == 0);
    if (view->viewer == ENG_SPECTATOR)
        return;
    if (view->may_group)
        eng_legal_grouping(view, &hints->moves[hints->n++]);
    else if (view->to_move == view->viewer && view->phase == ENG_TO_PLAY)
        hints->n = eng_legal_declaration(view, &hints->moves[0]);
}

void eng_legal_list_declare(const struct eng_view *view, struct eng_legal *legal)
{
    ASSERT(view->params->family == ENG_FAMILY_DECLARE && legal->n == 0);
    if (view->viewer == ENG_SPECTATOR)
        return;
    if (view->may_rejoin)
        eng_legal_add_plain(legal, ENG_REJOIN);
    legal->types |= view->may_group ? 1u << ENG_GROUP : 0;
    if (view->to_move != view->viewer)
        return;
    if (view->phase == ENG_TO_DRAW) {
        eng_legal_add_plain(legal, ENG_DRAW_STOCK);
        if (view->may_take)
            eng_legal_add_plain(legal, ENG_DRAW_DISCARD);
        if (view->drop_points > 0)
            eng_legal_add_plain(legal, ENG_DROP);
    } else if (view->phase == ENG_TO_PLAY) {
        legal->types |= 1u << ENG_DECLARE; /* any 13 cards may be declared, right or wrong */
        for (int i = 0; i < view->hand_n; i++)
            eng_legal_add(legal, ENG_DISCARD, ENG_NO_MELD, ENG_END_NONE, &view->hand[i], 1);
    }
}
