/* Values the end of a hand by its winner and the totals. See master.h. */
#include "base/bug.h"
#include "engine/bots/master.h"
#include "engine/core/session.h"

enum {
    LEAD_SPREAD = 60,   /* a lead of this many points is worth 3/4 of the maximum */
    SESSION_SHARE = 90, /* percent for winning the session; the rest is for the totals */
};

/* Worth of a lead in points over another seat: 0 to MASTER_WORTH_MAX. */
static int lead_worth(int32_t lead)
{
    int32_t size = lead < 0 ? -lead : lead;

    return MASTER_WORTH_MAX / 2 + MASTER_WORTH_MAX / 2 * lead / (size + LEAD_SPREAD);
}

static int totals_worth(const struct eng_game *g, uint8_t seat)
{
    int sum = 0;

    ASSERT(seat < g->players && g->players >= 2);
    for (uint8_t other = 0; other < g->players; other++) {
        if (other == seat)
            continue;
        int32_t lead = g->points[seat] - g->points[other];
        if (g->params.pool && eng_seat_is_out(g, other))
            sum += MASTER_WORTH_MAX;
        else
            sum += lead_worth(g->params.best_high ? lead : -lead);
    }
    return g->params.pool && eng_seat_is_out(g, seat) ? 0 : sum / (g->players - 1);
}

int eng_master_worth(const struct eng_game *g, uint8_t seat)
{
    int totals = totals_worth(g, seat);

    if (g->phase != ENG_SESSION_OVER)
        return totals;
    uint8_t winners = eng_session_winners(g);
    int won = eng_seat_bit(winners, seat) ? MASTER_WORTH_MAX / __builtin_popcount(winners) : 0;
    return (won * SESSION_SHARE + totals * (100 - SESSION_SHARE)) / 100;
}
