/* Declarations, and the groupings of the other players after a valid one (docs/rules.md §8.4 and §8.5). See
 * show.h. */
#include "engine/declare/show.h"

#include <string.h>

#include "base/bug.h"
#include "engine/declare/score.h"
#include "engine/declare/turn.h"

/* Lists the cards of the hand that are not among these; returns how many. */
static int cards_beside(const struct eng_cards *hand, const uint8_t *cards, int n, uint8_t *beside)
{
    struct eng_cards rest = *hand;
    ASSERT(n <= eng_cards_count(hand));
    for (int i = 0; i < n; i++)
        eng_cards_remove(&rest, cards[i]);
    return eng_cards_list(&rest, beside);
}

/* Builds a grouping: the groups as submitted, then the rest of the hand, except for the card in the finish
 * slot. */
static struct eng_grouping grouping_of(const struct eng_cards *hand, const struct eng_move *m,
                                       uint8_t finishing)
{
    struct eng_grouping made = {.groups = m->groups};
    struct eng_cards left = *hand;
    uint8_t beside[ENG_HAND_MAX];
    int named = 0;
    for (int i = 0; i < m->groups; i++) {
        made.lens[i] = m->lens[i];
        named += m->lens[i];
    }
    if (finishing != ENG_NO_CARD)
        eng_cards_remove(&left, finishing);
    int rest = cards_beside(&left, m->cards, named, beside);
    ASSERT(named + rest <= ENG_GROUPING_CARDS);
    memcpy(made.cards, m->cards, (size_t)named);
    memcpy(made.cards + named, beside, (size_t)rest);
    made.n = (uint8_t)(named + rest);
    return made;
}

static void put_grouping(struct eng_event *e, const struct eng_grouping *made)
{
    ASSERT(made->n <= ENG_EVENT_CARDS_MAX);
    e->n = made->n;
    memcpy(e->cards, made->cards, made->n);
    e->groups = made->groups;
    memcpy(e->lens, made->lens, sizeof e->lens);
}

/* Refuses a move with more groups than 13 cards can form. Blames the first group that is too short; if
 * there is none, all groups after the fourth. */
static enum eng_refusal refuse_groups(const struct eng_move *m, struct eng_outcome *out)
{
    int at = 0;
    ASSERT(m->groups > ENG_GROUPS_MAX);
    for (int i = 0; i < ENG_GROUPS_MAX; at += m->lens[i++])
        if (m->lens[i] < ENG_MELD_MIN)
            return eng_refuse(out, ENG_GROUPING_INCOMPLETE, m->cards + at, m->lens[i]);
    return eng_refuse(out, ENG_GROUPING_INCOMPLETE, m->cards + at, m->n - 1 - at);
}

enum eng_refusal eng_do_declare(struct eng_game *g, const struct eng_move *m, struct eng_outcome *out)
{
    struct eng_cards rest, *hand = &g->hand[m->seat];
    struct eng_blame blame;
    uint8_t unnamed[ENG_HAND_MAX], finishing = m->cards[m->n - 1];
    ASSERT(g->phase == ENG_TO_PLAY && m->type == ENG_DECLARE);
    if (!eng_hand_without(hand, m->cards, m->n, &rest, out))
        return out->code;
    int n = eng_cards_list(&rest, unnamed);
    if (n > 0)
        return eng_refuse(out, ENG_GROUPING_INCOMPLETE, unnamed, n);
    if (m->groups > ENG_GROUPS_MAX)
        return refuse_groups(m, out);
    struct eng_grouping made = grouping_of(hand, m, finishing);
    struct eng_wild wild = eng_wild_of(&g->params, g->wild_card);
    enum eng_refusal fault = eng_grouping_check(&wild, &made, &blame);
    if (fault == ENG_GROUPING_INCOMPLETE)
        return eng_refuse(out, fault, blame.cards, blame.n);
    struct eng_event *e = eng_emit(g, out, ENG_EV_DECLARED, m->seat);
    put_grouping(e, &made);
    e->cards[e->n++] = finishing;
    e->declared.refusal = (uint8_t)fault;
    e->declared.points = fault == ENG_OK ? 0 : g->params.wrong_points;
    eng_cards_remove(hand, finishing);
    g->discard[g->discard_n++] = finishing;
    g->turns[m->seat]++;
    g->grouping[m->seat] = made;
    if (fault != ENG_OK) {
        g->wrong |= (uint8_t)(1 << m->seat);
        g->lost[m->seat] = (uint8_t)g->params.wrong_points;
        eng_pass_on(g, out);
        return ENG_OK;
    }
    g->declarer = m->seat;
    g->phase = ENG_TO_GROUP;
    g->drew = 0;
    g->drawn = ENG_NO_CARD;
    eng_show_goes_on(g, out);
    return ENG_OK;
}

enum eng_refusal eng_do_group(struct eng_game *g, const struct eng_move *m, struct eng_outcome *out)
{
    struct eng_cards rest;
    int at = 0;
    ASSERT(m->type == ENG_GROUP);
    if (g->phase != ENG_TO_GROUP)
        return eng_refuse(out, ENG_NOTHING_DECLARED, NULL, 0);
    if (m->seat == g->declarer || eng_seat_bit(g->grouped, m->seat))
        return eng_refuse(out, ENG_GROUPING_IS_FINAL, NULL, 0);
    if (!eng_hand_without(&g->hand[m->seat], m->cards, m->n, &rest, out))
        return out->code;
    for (int i = 0; i < m->groups; at += m->lens[i++])
        if (m->lens[i] < ENG_MELD_MIN)
            return eng_refuse(out, ENG_MELD_TOO_SHORT, m->cards + at, m->lens[i]);
    g->saves[m->seat]++;
    g->grouping[m->seat] = grouping_of(&g->hand[m->seat], m, ENG_NO_CARD);
    if (m->end != 0 || g->saves[m->seat] == ENG_TURN_MOVES_MAX)
        g->grouped |= (uint8_t)(1 << m->seat);
    struct eng_event *e = eng_emit(g, out, ENG_EV_GROUPED, m->seat);
    e->private_to = m->seat;
    e->grouped.for_good = eng_seat_bit(g->grouped, m->seat);
    put_grouping(e, &g->grouping[m->seat]);
    eng_show_goes_on(g, out);
    return ENG_OK;
}

void eng_show_goes_on(struct eng_game *g, struct eng_outcome *out)
{
    ASSERT(g->phase == ENG_TO_GROUP && g->declarer < g->players);
    for (uint8_t seat = 0; seat < g->players; seat++)
        if (eng_seat_to_group(g, seat))
            return;
    eng_declare_end(g, ENG_ENDED_OUT, g->declarer, out);
}
