/* Facts that achievements and statistics need about a seat's game; see achievement_facts.h. */
#include "tables/achievement_facts.h"

#include "base/bug.h"

static bool has_joker(const struct eng_event *event)
{
    for (int i = 0; i < event->n; i++)
        if (eng_card_is_joker(event->cards[i]))
            return true;
    return false;
}

/* Whether a meld of an opening is a run. This works because it has at least two natural cards
 * (docs/rules.md, jokers in a meld), and no two cards of a set share a suit. */
static bool is_run(const struct eng_event *event)
{
    int suit = -1, same = 0;
    for (int i = 0; i < event->n; i++) {
        if (eng_card_is_joker(event->cards[i]))
            continue;
        same += eng_card_suit(event->cards[i]) == suit;
        suit = eng_card_suit(event->cards[i]);
    }
    return same > 0;
}

static bool is_pure_run(const struct eng_event *event)
{
    return is_run(event) && !has_joker(event);
}

void tab_achievement_facts_note(struct tab_achievement_facts *facts, const struct eng_event *event)
{
    if (event->seat >= ENG_SEAT_MAX)
        return; /* an event of the whole table */
    struct tab_achievement_facts *own = &facts[event->seat];
    switch (event->type) {
    case ENG_EV_DEALT:
        own->pure_runs = 0;
        break;
    case ENG_EV_TURN:
        own->turn = event->turn.round;
        break;
    case ENG_EV_MELDED:
        *(event->melded.kind == ENG_RUN ? &own->runs : &own->sets) += 1;
        if (event->melded.staged && is_pure_run(event))
            own->pure_runs++;
        break;
    case ENG_EV_TAKEN_BACK:
        *(is_run(event) ? &own->runs : &own->sets) -= 1; /* the event does not contain the kind */
        if (own->pure_runs > 0 && is_pure_run(event))
            own->pure_runs--;
        break;
    case ENG_EV_OPENED:
        own->opened_pure = own->opened_pure || own->pure_runs > 0;
        /* 0: opened by a lay-off, if allowed */
        ASSERT(event->opened.sum >= 0 && event->opened.sum <= INT16_MAX);
        own->opening = (int16_t)event->opened.sum;
        own->opening_turn = own->turn;
        break;
    case ENG_EV_SWAPPED:
        own->swaps++;
        break;
    case ENG_EV_SWAP_UNDONE:
        ASSERT(own->swaps > 0);
        own->swaps--;
        break;
    case ENG_EV_DISCARDED:
        own->buried = own->buried || event->discarded.buried == 1;
        own->joker_out = has_joker(event);
        break;
    default:
        break;
    }
}
