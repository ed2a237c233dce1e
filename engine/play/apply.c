/* Entry point of both state machines: checks the form of a move and dispatches by family. Called by the
 * hub, recovery, and records. */
#include "base/bug.h"
#include "engine/declare/family.h"
#include "engine/meld/family.h"

/* Whether this has the form of a move. */
static bool well_formed(const struct eng_game *g, const struct eng_move *m)
{
    if (m->type == 0 || m->type >= ENG_MOVE_TYPE_END || m->seat >= g->players)
        return false;
    if (m->n > ENG_MOVE_CARDS_MAX || m->end > ENG_END_HIGH)
        return false;
    /* A declaration with too many groups has a separate refusal. */
    bool too_many = m->groups > ENG_GROUPS_MAX && m->type != ENG_DECLARE;
    if (too_many || (m->groups > 0 && !eng_move_has_groups(m->type)))
        return false;
    for (int i = 0; i < m->n; i++)
        if (m->cards[i] >= ENG_CARD_MAX)
            return false;
    return g->params.family == ENG_FAMILY_MELD ? eng_meld_family_well_formed(m)
                                               : eng_declare_family_well_formed(m);
}

/* Whether an event changes the rare part of the game (everything from `key` on): all do except these. */
static bool is_of_rare(uint8_t type)
{
    switch (type) {
    case ENG_EV_TURN:
    case ENG_EV_DREW:
    case ENG_EV_DRAW_CANCELLED:
    case ENG_EV_DISCARDED:
    case ENG_EV_RESHUFFLED:
    case ENG_EV_FLIPPED:
    case ENG_EV_TIMED_OUT:
    case ENG_EV_AWAY:
    case ENG_EV_RETURNED:
        return false;
    default:
        return true;
    }
}

static void keep_hash(struct eng_game *g, const struct eng_outcome *out)
{
    bool rare = false;
    for (int i = 0; i < out->events_n; i++)
        rare = rare || is_of_rare(out->events[i].type);
    if (rare)
        g->rare_hash = eng_hash_rare(g);
}

enum eng_refusal eng_apply(struct eng_game *g, const struct eng_move *m, struct eng_outcome *out)
{
    eng_outcome_clear(out);
    if (!well_formed(g, m))
        return eng_refuse(out, ENG_BAD_MOVE, NULL, 0);
    if (g->phase == ENG_TO_DEAL || g->phase == ENG_SESSION_OVER)
        return eng_refuse(out, ENG_NOT_PLAYING, NULL, 0);
    bool laid = g->params.family == ENG_FAMILY_MELD;
    enum eng_refusal code = laid ? eng_meld_family_apply(g, m, out) : eng_declare_family_apply(g, m, out);
    if (code == ENG_OK && !eng_move_is_system(m->type) && !eng_seat_bit(g->away, m->seat))
        g->timeouts[m->seat] = 0; /* the player made a move, so they are present */
    ASSERT((code == ENG_OK) == (out->events_n > 0));
    keep_hash(g, out);
#ifdef RUMMYD_DEBUG
    eng_check(g);
#endif
    return code;
}
