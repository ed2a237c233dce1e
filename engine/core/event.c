/* Events as a viewer may see them. Called by the hub for each distinct view. */
#include <string.h>

#include "base/bug.h"
#include "engine/eng.h"

static const char *const event_names[ENG_EV_TYPE_END] = {
    "none",
#define ENG_EVENT(id, name) name,
#include "engine/core/events.def"
#undef ENG_EVENT
};

static const char *const ending_names[ENG_ENDINGS_N] = {
    "none",
#define ENG_ENDING(id, name, word) name,
#include "engine/core/endings.def"
#undef ENG_ENDING
};

static const char *const phase_names[ENG_PHASES_N] = {
#define ENG_PHASE(id, name) name,
#include "engine/core/phases.def"
#undef ENG_PHASE
};

static const char *const drop_names[ENG_DROPS_N] = {
    "none",
#define ENG_DROP_KIND(id, name) name,
#include "engine/core/drops.def"
#undef ENG_DROP_KIND
};

const char *eng_event_name(enum eng_event_type type)
{
    ASSERT(type > 0 && type < ENG_EV_TYPE_END);
    return event_names[type];
}

const char *eng_ending_name(uint8_t ending)
{
    ASSERT(ending > ENG_ENDED_NOT && ending < ENG_ENDINGS_N);
    return ending_names[ending];
}

const char *eng_phase_name(uint8_t phase)
{
    ASSERT(phase < ENG_PHASES_N);
    return phase_names[phase];
}

const char *eng_drop_name(uint8_t drop)
{
    ASSERT(drop > ENG_DROPPED_NOT && drop < ENG_DROPS_N);
    return drop_names[drop];
}

void eng_event_view(const struct eng_event *event, uint8_t viewer, struct eng_event *seen)
{
    ASSERT(event->type > 0 && event->type < ENG_EV_TYPE_END);
    *seen = *event;
    if (event->private_to == ENG_NO_SEAT || event->private_to == viewer)
        return;
    seen->n = seen->groups = 0;
    memset(seen->cards, 0, sizeof seen->cards);
    memset(seen->lens, 0, sizeof seen->lens);
    ASSERT(seen->type == event->type && seen->seat == event->seat);
}

int32_t eng_event_number(const struct eng_event *event)
{
    ASSERT(event->type > 0 && event->type < ENG_EV_TYPE_END);
    switch ((enum eng_event_type)event->type) {
    case ENG_EV_TURN:
        return event->turn.round;
    case ENG_EV_MELDED:
        return event->melded.worth;
    case ENG_EV_OPENED:
        return event->opened.sum;
    case ENG_EV_RESHUFFLED:
    case ENG_EV_FLIPPED:
        return event->renewed.stock_n;
    case ENG_EV_TIMED_OUT:
        return event->timed_out.in_a_row;
    case ENG_EV_SCORED:
        return event->scored.points;
    case ENG_EV_SESSION_ENDED:
        return event->session_ended.winners;
    case ENG_EV_WILD:
        return event->wild.rank;
    case ENG_EV_DROPPED:
        return event->dropped.points;
    case ENG_EV_DECLARED:
        return event->declared.points;
    case ENG_EV_REJOINED:
        return event->rejoined.total;
    case ENG_EV_ELIMINATED:
        return event->eliminated.total;
    default:
        return 0;
    }
}
