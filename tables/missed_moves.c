/* Moves played for an absent player; see missed_moves.h. */
#include "tables/missed_moves.h"

#include <string.h>

#include "base/bug.h"

static void note_discard(struct tab_missed_moves *missed, uint8_t card)
{
    ASSERT(card < ENG_CARD_MAX && missed->discards_n <= TAB_MISSED_DISCARDS_MAX);
    if (missed->discards_n == TAB_MISSED_DISCARDS_MAX) {
        memmove(missed->discards, missed->discards + 1, TAB_MISSED_DISCARDS_MAX - 1);
        missed->discards_n--;
    }
    missed->discards[missed->discards_n++] = card;
}

/* Notes an event of a move made for the player. */
static void note_played(struct tab_missed_moves *missed, const struct eng_event *event)
{
    switch (event->type) {
    case ENG_EV_MELDED:
        missed->melds++;
        break;
    case ENG_EV_TAKEN_BACK:
        if (missed->melds > 0)
            missed->melds--;
        break;
    case ENG_EV_LAID_OFF:
        missed->lay_offs++;
        break;
    case ENG_EV_OPENED:
        missed->opening = (int16_t)event->opened.sum;
        break;
    case ENG_EV_TIMED_OUT:
        missed->time_outs++;
        break;
    case ENG_EV_DROPPED:
        missed->drop_points = event->dropped.points;
        break;
    case ENG_EV_DISCARDED:
        for (int i = 0; i < event->n; i++)
            note_discard(missed, event->cards[i]);
        break;
    default:
        break;
    }
}

static bool ends_turn(const struct eng_move *move)
{
    return move->type == ENG_TIME_OUT || move->type == ENG_DISCARD || move->type == ENG_DECLARE ||
           move->type == ENG_DROP;
}

/* Leaving and returning do not count as play, and the end of the grouping time belongs to no seat. */
static bool is_play(uint8_t type)
{
    return type != ENG_RETURN && type != ENG_LEAVE && type != ENG_CLOSE;
}

void tab_missed_moves_note(struct tab_missed_moves *missed, uint8_t seat, const struct eng_move *move,
                           bool own, uint32_t v, const struct eng_outcome *outcome)
{
    ASSERT(outcome->code == ENG_OK && outcome->events_n > 0 && v > 0);
    ASSERT(missed->from_v <= missed->to_v && missed->to_v < v);
    bool for_him = move->seat == seat && is_play(move->type) && !own;
    if (move->seat == seat && is_play(move->type) && own)
        *missed = (struct tab_missed_moves){0};
    if (for_him) {
        if (missed->from_v == 0)
            missed->from_v = v;
        missed->to_v = v + outcome->events_n - 1u;
        if (ends_turn(move))
            missed->turns++;
    }
    for (int i = 0; i < outcome->events_n && missed->from_v > 0; i++) {
        const struct eng_event *event = &outcome->events[i];
        if (event->seat != seat)
            continue;
        if (for_him)
            note_played(missed, event);
        if (event->type == ENG_EV_SCORED) {
            missed->hands++;
            missed->points += event->scored.points;
        }
    }
}
