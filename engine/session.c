/* See session.h. Called at the end of a hand by the state machines, and by views. */
#include "engine/session.h"

#include "base/bug.h"
#include "engine/laid.h"

bool eng_total_better(const struct eng_params *params, int32_t a, int32_t b)
{
    ASSERT(params->best_high == 0 || params->best_high == 1);
    return params->best_high ? a > b : a < b;
}

bool eng_session_is_over(const struct eng_game *g)
{
    ASSERT(g->hand_no >= 1 && g->hand_no <= g->params.session_hands);
    bool reached = false;
    for (int seat = 0; seat < g->players; seat++)
        reached |= g->params.target > 0 && g->points[seat] >= g->params.target;
    return reached || g->hand_no == g->params.session_hands;
}

/* Where places are shared, everybody in the first one. A single hand that nobody won has no winner
 * where they are not. */
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

void eng_session_hand_over(struct eng_game *g, struct eng_outcome *out)
{
    ASSERT(g->ending != 0);
    if (!eng_session_is_over(g)) {
        g->phase = ENG_HAND_OVER;
        return;
    }
    g->phase = ENG_SESSION_OVER;
    uint8_t winners = eng_session_winners(g);
    bool one = winners != 0 && (winners & (winners - 1)) == 0;
    struct eng_event *e =
        eng_emit(g, out, ENG_EV_SESSION_ENDED, one ? (uint8_t)__builtin_ctz(winners) : ENG_NO_SEAT);
    e->value = winners;
}
