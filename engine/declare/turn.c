/* Ends turns of the declare family (docs/rules.md §8.2). See turn.h. */
#include "engine/declare/turn.h"

#include "base/bug.h"
#include "engine/core/piles.h"
#include "engine/core/step.h"
#include "engine/declare/score.h"
#include "engine/declare/seats.h"

void eng_pass_on(struct eng_game *g, struct eng_outcome *out)
{
    uint8_t in = eng_seats_in(g), next = g->to_move;
    int turns = 0, dealt = g->players - __builtin_popcount(g->sat_out);
    ASSERT(in != 0 && g->players >= 2);
    for (int seat = 0; seat < g->players; seat++)
        turns += g->turns[seat];
    if ((in & (in - 1)) == 0) {
        eng_declare_end(g, ENG_ENDED_LAST, (uint8_t)__builtin_ctz(in), out);
        return;
    }
    if (turns >= g->params.stall_turns * dealt) {
        eng_declare_end(g, ENG_ENDED_STALLED, ENG_NO_SEAT, out);
        return;
    }
    do
        next = (uint8_t)((next + 1) % g->players);
    while (!eng_seat_bit(in, next));
    eng_turn_begin(g, next, ENG_TO_DRAW, out);
}

void eng_discard_one(struct eng_game *g, uint8_t card, struct eng_outcome *out)
{
    ASSERT(g->phase == ENG_TO_PLAY);
    eng_cards_fall(g, &card, 1, out);
    g->turns[g->to_move]++;
}
