/* eng_legal for the declare family: what the view says may be done, and the solver's declaration or
 * grouping as a hint. See legal.h. */
#include <string.h>

#include "base/bug.h"
#include "engine/declare.h"
#include "engine/legal.h"
#include "engine/solver_declare.h"

static struct eng_move *list_add(struct eng_legal *legal, const struct eng_view *view,
                                 enum eng_move_type type)
{
    ASSERT(legal->n < ENG_LEGAL_MAX);
    legal->types |= 1u << type;
    struct eng_move *m = &legal->moves[legal->n++];
    *m = (struct eng_move){.type = (uint8_t)type, .seat = view->viewer, .meld = ENG_NO_MELD};
    return m;
}

/* The groups that the solver found; of a grouping the rest is not told. */
static void take_groups(struct eng_move *m, const struct arrangement *found)
{
    ASSERT(found->groups <= ENG_GROUPS_MAX);
    m->groups = found->groups;
    for (int i = 0; i < found->groups; i++) {
        m->lens[i] = found->lens[i];
        m->n = (uint8_t)(m->n + found->lens[i]);
    }
    memcpy(m->cards, found->cards, m->n);
}

bool legal_declaration(const struct eng_view *view, struct eng_move *m)
{
    struct eng_wild wild = eng_wild_of(view->params, view->wild_card);
    struct arrangement found;
    ASSERT(view->phase == ENG_TO_PLAY && view->hand_n == ENG_GROUPING_CARDS + 1);
    if (!arrange_declaration(&wild, view->hand, view->hand_n, &found))
        return false;
    *m = (struct eng_move){.type = ENG_DECLARE, .seat = view->viewer, .meld = ENG_NO_MELD};
    take_groups(m, &found);
    m->cards[m->n++] = found.finish;
    return true;
}

void legal_grouping(const struct eng_view *view, struct eng_move *m)
{
    struct eng_wild wild = eng_wild_of(view->params, view->wild_card);
    struct arrangement found;
    ASSERT(view->hand_n == ENG_GROUPING_CARDS);
    arrange(&wild, view->hand, view->hand_n, &found);
    *m = (struct eng_move){.type = ENG_GROUP, .seat = view->viewer, .meld = ENG_NO_MELD, .end = 1};
    take_groups(m, &found);
}

static void list_play(const struct eng_view *view, struct eng_legal *legal)
{
    struct eng_move declaration;
    ASSERT(view->phase == ENG_TO_PLAY);
    legal->types |= 1u << ENG_DECLARE; /* any 13 cards may be declared, rightly or wrongly */
    if (legal_declaration(view, &declaration))
        *list_add(legal, view, ENG_DECLARE) = declaration;
    legal->hints_n = legal->n;
    for (int i = 0; i < view->hand_n; i++) {
        struct eng_move *m = list_add(legal, view, ENG_DISCARD);
        m->n = 1;
        m->cards[0] = view->hand[i];
    }
}

void legal_list_declare(const struct eng_view *view, struct eng_legal *legal)
{
    ASSERT(view->params->family == ENG_FAMILY_DECLARE);
    if (view->viewer == ENG_SPECTATOR)
        return;
    if (view->may_rejoin)
        legal->types |= 1u << ENG_REJOIN;
    if (view->may_group) {
        legal_grouping(view, list_add(legal, view, ENG_GROUP));
        legal->hints_n = legal->n;
    }
    if (view->to_move != view->viewer)
        return;
    if (view->phase == ENG_TO_DRAW) {
        legal->types |= 1u << ENG_DRAW_STOCK;
        legal->types |= view->may_take ? 1u << ENG_DRAW_DISCARD : 0;
        legal->types |= view->drop_points > 0 ? 1u << ENG_DROP : 0;
    } else if (view->phase == ENG_TO_PLAY) {
        list_play(view, legal);
    }
}
