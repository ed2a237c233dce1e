/* See session.h. Called by the state machines at the end of a hand, and by views. */
#include "engine/core/session.h"

#include "base/bug.h"
#include "engine/core/step.h"

bool eng_total_better(const struct eng_params *params, int32_t a, int32_t b)
{
    ASSERT(params->best_high == 0 || params->best_high == 1);
    return params->best_high ? a > b : a < b;
}

int eng_session_hands_max(const struct eng_params *params)
{
    ASSERT(params->session_hands >= 1 && params->session_hands <= ENG_HANDS_MAX);
    return params->tie_hands ? ENG_HANDS_MAX : params->session_hands;
}

uint8_t eng_session_in(const struct eng_game *g)
{
    uint8_t in = 0;
    ASSERT(g->players >= 2 && g->players <= ENG_SEAT_MAX);
    for (uint8_t seat = 0; seat < g->players; seat++)
        in |= (uint8_t)((g->out_at[seat] == 0) << seat);
    return in;
}

/* Whether one of the seats still in has a better total than all the others. */
static bool has_a_leader(const struct eng_game *g, uint8_t in)
{
    int32_t best = 0;
    int tied = 0;
    for (uint8_t seat = 0; seat < g->players; seat++) {
        if (!eng_seat_bit(in, seat))
            continue;
        if (tied == 0 || eng_total_better(&g->params, g->points[seat], best)) {
            best = g->points[seat];
            tied = 1;
        } else {
            tied += g->points[seat] == best;
        }
    }
    ASSERT(tied <= g->players);
    return tied == 1;
}

int32_t eng_session_highest_in(const struct eng_game *g)
{
    int32_t highest = 0;
    ASSERT(g->players >= 2);
    for (uint8_t seat = 0; seat < g->players; seat++)
        if (!eng_seat_is_out(g, seat) && g->points[seat] > highest)
            highest = g->points[seat];
    return highest;
}

bool eng_session_takes_back(const struct eng_game *g, uint8_t seat)
{
    ASSERT(seat < g->players);
    return g->params.rejoin_max > 0 && g->players > 2 && eng_seat_is_out(g, seat) &&
           !eng_seat_bit(g->left, seat) && eng_session_highest_in(g) <= g->params.rejoin_max;
}

/* Whether another seat may still rejoin the only seat that is in. */
static bool may_be_joined(const struct eng_game *g, uint8_t in)
{
    bool may = false;
    ASSERT((in & (in - 1)) == 0);
    for (uint8_t seat = 0; seat < g->players && in != 0; seat++)
        may |= eng_session_takes_back(g, seat);
    return may;
}

bool eng_session_is_over(const struct eng_game *g)
{
    uint8_t in = eng_session_in(g);
    bool reached = false;
    ASSERT(g->hand_no >= 1 && g->hand_no <= eng_session_hands_max(&g->params));
    if (g->hand_no == eng_session_hands_max(&g->params))
        return true;
    if ((in & (in - 1)) == 0)
        return !may_be_joined(g, in);
    if (g->params.tie_hands)
        return g->hand_no >= g->params.session_hands && has_a_leader(g, in);
    for (int seat = 0; seat < g->players; seat++)
        reached |= g->params.target > 0 && !g->params.pool && g->points[seat] >= g->params.target;
    return reached;
}

/* If places are shared, all players in first place win. If not, a session of one hand may have no
 * winner. */
uint8_t eng_session_winners(const struct eng_game *g)
{
    uint8_t winners = 0;
    ASSERT(g->ending != 0);
    if (g->params.session_hands == 1 && !g->params.ties_share)
        return (uint8_t)(g->winner == ENG_NO_SEAT ? 0 : 1 << g->winner);
    for (uint8_t seat = 0; seat < g->players; seat++)
        if (g->place[seat] == 1 && !eng_seat_bit(g->left, seat))
            winners |= (uint8_t)(1 << seat);
    return winners;
}

bool eng_may_deal(const struct eng_game *g)
{
    uint8_t in = eng_session_in(g);
    return (g->phase == ENG_TO_DEAL || g->phase == ENG_HAND_OVER) && (in & (in - 1)) != 0;
}

void eng_session_hand_over(struct eng_game *g, struct eng_outcome *out)
{
    ASSERT(g->ending != 0);
    if (eng_session_is_over(g))
        eng_session_close(g, out);
    else
        g->phase = ENG_HAND_OVER;
}

void eng_session_close(struct eng_game *g, struct eng_outcome *out)
{
    ASSERT(g->ending != 0 && g->phase != ENG_SESSION_OVER);
    g->phase = ENG_SESSION_OVER;
    uint8_t winners = eng_session_winners(g);
    bool one = winners != 0 && (winners & (winners - 1)) == 0;
    struct eng_event *e =
        eng_emit(g, out, ENG_EV_SESSION_ENDED, one ? (uint8_t)__builtin_ctz(winners) : ENG_NO_SEAT);
    e->session_ended.winners = (uint8_t)winners;
}
