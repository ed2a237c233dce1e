/* Seats in a hand of the declare family (docs/rules.md §8.3). See seats.h. */
#include "engine/declare/seats.h"

#include <string.h>

#include "base/bug.h"
#include "engine/core/step.h"

uint8_t eng_seats_in(const struct eng_game *g)
{
    ASSERT(((g->dropped | g->wrong) & g->sat_out) == 0);
    return (uint8_t)(((1 << g->players) - 1) & ~(g->sat_out | g->dropped | g->wrong));
}

int eng_drop_points(const struct eng_game *g, uint8_t seat)
{
    ASSERT(seat < g->players);
    return eng_seat_bit(g->picked, seat) ? g->params.drop_middle : g->params.drop_first;
}

void eng_drop_out(struct eng_game *g, uint8_t seat, enum eng_drop how, int points, struct eng_outcome *out)
{
    ASSERT(eng_seat_bit(eng_seats_in(g), seat) && points > 0 && points <= UINT8_MAX);
    g->dropped |= (uint8_t)(1 << seat);
    g->lost[seat] = (uint8_t)points;
    memset(&g->grouping[seat], 0, sizeof g->grouping[seat]);
    struct eng_event *e = eng_emit(g, out, ENG_EV_DROPPED, seat);
    e->dropped.how = (uint8_t)how;
    e->dropped.points = points;
}
