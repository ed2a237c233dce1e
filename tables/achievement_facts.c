/* What achievements ask of a seat's game; see achievement_facts.h. */
#include "tables/achievement_facts.h"

#include "base/bug.h"

void tab_achievement_facts_note(struct tab_achievement_facts *facts, const struct eng_event *event)
{
    if (event->seat >= ENG_SEAT_MAX)
        return; /* of the table as a whole */
    struct tab_achievement_facts *own = &facts[event->seat];
    switch (event->type) {
    case ENG_EV_OPENED:
        /* 0: by a lay-off, where that is a beginning. */
        ASSERT(event->opened.sum >= 0 && event->opened.sum <= INT16_MAX);
        own->opening = (int16_t)event->opened.sum;
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
        own->joker_out = false;
        for (int i = 0; i < event->n; i++)
            own->joker_out = own->joker_out || eng_card_is_joker(event->cards[i]);
        break;
    default:
        break;
    }
}
