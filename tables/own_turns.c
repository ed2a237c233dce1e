/* Counts turns in which a player acted; see own_turns.h. */
#include "tables/own_turns.h"

#include "base/bug.h"

/* Leaving, returning, and moves outside a turn do not count as play. */
static bool is_play(uint8_t type)
{
    return type != ENG_LEAVE && type != ENG_RETURN && type != ENG_REJOIN && type != ENG_CLOSE &&
           type != ENG_GROUP;
}

void tab_own_turns_note_move(struct tab_own_turns *own, const struct eng_move *move, bool sent)
{
    ASSERT(own->own <= own->turns);
    if (!is_play(move->type))
        return;
    if (!own->counted && own->turns < TAB_TURNS_MAX) {
        own->counted = true;
        own->turns++;
    }
    if (sent && own->counted && !own->acted) {
        own->acted = true;
        own->own++;
    }
}

void tab_own_turns_begin(struct tab_own_turns *own)
{
    own->counted = own->acted = false;
}
