/* Helpers for every step of both families; see step.h. */
#include "engine/core/step.h"

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

void eng_turn_begin(struct eng_game *g, uint8_t seat, enum eng_phase phase, struct eng_outcome *out)
{
    ASSERT(seat < g->players && (phase == ENG_TO_DRAW || phase == ENG_TO_PLAY));
    ASSERT(g->staged_sum == 0);
    g->to_move = seat;
    g->phase = (uint8_t)phase;
    g->drew = 0;
    g->drawn = ENG_NO_CARD;
    g->must_open = g->stock_only = g->opening_turn = g->turn_melds = 0;
    memset(g->freed_meld, ENG_NO_MELD, sizeof g->freed_meld);
    memset(g->freed_by, 0, sizeof g->freed_by);
    struct eng_event *e = eng_emit(g, out, ENG_EV_TURN, seat);
    e->turn.phase = (uint8_t)phase;
    e->turn.round = (uint16_t)(g->turns[seat] + 1);
}
