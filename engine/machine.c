/* The entry of both state machines: which one plays a game, who may move at all, and the small
 * things that every step uses. */
#include "engine/machine.h"

#include <string.h>

#include "base/bug.h"

void eng_outcome_clear(struct eng_outcome *out)
{
    ASSERT(out != NULL);
    out->code = ENG_OK;
    out->refused_n = 0;
    out->events_n = 0;
}

struct eng_event *eng_emit(struct eng_game *g, struct eng_outcome *out, enum eng_event_type type,
                           uint8_t seat)
{
    ASSERT(out->events_n < ENG_EVENTS_MAX && type < ENG_EV_TYPE_END);
    struct eng_event *e = &out->events[out->events_n++];
    *e = (struct eng_event){
        .type = (uint8_t)type, .seat = seat, .private_to = ENG_NO_SEAT, .meld = ENG_NO_MELD};
    g->v++;
    ASSERT(g->v != 0);
    return e;
}

enum eng_refusal eng_refuse(struct eng_outcome *out, enum eng_refusal code, const uint8_t *cards, int n)
{
    ASSERT(code != ENG_OK && code < ENG_REFUSAL_END);
    ASSERT(n >= 0 && n <= ENG_MOVE_CARDS_MAX);
    out->code = code;
    out->refused_n = (uint8_t)n;
    if (n > 0)
        memcpy(out->refused, cards, (size_t)n);
    return code;
}

bool eng_hand_without(const struct eng_cards *hand, const uint8_t *cards, int n, struct eng_cards *rest,
                      struct eng_outcome *out)
{
    ASSERT(n >= 0 && n <= ENG_MOVE_CARDS_MAX);
    uint8_t missing[ENG_MOVE_CARDS_MAX];
    int missing_n = 0;
    *rest = *hand;
    for (int i = 0; i < n; i++) {
        if (eng_cards_has(rest, cards[i]))
            eng_cards_remove(rest, cards[i]);
        else
            missing[missing_n++] = cards[i];
    }
    if (missing_n > 0)
        eng_refuse(out, ENG_CARD_NOT_HELD, missing, missing_n);
    return missing_n == 0;
}

void eng_init(struct eng_game *g, const struct eng_params *params, int players)
{
    ASSERT(eng_params_ok(params, players));
    memset(g, 0, sizeof *g);
    g->params = *params;
    g->players = (uint8_t)players;
    g->phase = ENG_TO_DEAL;
    g->winner = ENG_NO_SEAT;
    g->drawn = ENG_NO_CARD;
    g->wild_card = g->open_card = ENG_NO_CARD;
    g->declarer = ENG_NO_SEAT;
    memset(g->freed_meld, ENG_NO_MELD, sizeof g->freed_meld);
    for (int seat = 0; seat < players; seat++)
        g->points[seat] = params->start_points * params->session_hands;
}

/* Can this be a move at all? */
static bool well_formed(const struct eng_game *g, const struct eng_move *m)
{
    if (m->type == 0 || m->type >= ENG_MOVE_TYPE_END || m->seat >= g->players)
        return false;
    if (m->n > ENG_MOVE_CARDS_MAX || m->end > ENG_END_HIGH)
        return false;
    if (m->groups > (eng_move_has_groups(m->type) ? ENG_GROUPS_MAX : 0))
        return false;
    for (int i = 0; i < m->n; i++)
        if (m->cards[i] >= ENG_CARD_MAX)
            return false;
    return g->params.family == ENG_FAMILY_LAID ? eng_laid_well_formed(m) : eng_declare_well_formed(m);
}

enum eng_refusal eng_apply(struct eng_game *g, const struct eng_move *m, struct eng_outcome *out)
{
    eng_outcome_clear(out);
    if (!well_formed(g, m))
        return eng_refuse(out, ENG_BAD_MOVE, NULL, 0);
    if (g->phase == ENG_TO_DEAL || g->phase == ENG_SESSION_OVER)
        return eng_refuse(out, ENG_NOT_PLAYING, NULL, 0);
    bool laid = g->params.family == ENG_FAMILY_LAID;
    enum eng_refusal code = laid ? eng_laid_apply(g, m, out) : eng_declare_apply(g, m, out);
    if (code == ENG_OK && !eng_move_is_system(m->type) && !eng_seat_bit(g->away, m->seat))
        g->timeouts[m->seat] = 0; /* any own move: he is there */
    ASSERT((code == ENG_OK) == (out->events_n > 0));
#ifdef RUMMYD_DEBUG
    eng_check(g);
#endif
    return code;
}
