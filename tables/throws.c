/* Counts discards that were taken; see throws.h. */
#include "tables/throws.h"

#include "base/bug.h"

static uint8_t bit_of(uint8_t seat)
{
    ASSERT(seat < ENG_SEAT_MAX);
    return (uint8_t)(1U << seat);
}

static bool is_own(const struct tab_throws *throws, uint8_t seat)
{
    return seat < ENG_SEAT_MAX && !throws->by_clock && (throws->away & bit_of(seat)) == 0;
}

/* Counts only the first draw after a discard, because a player who puts the card back draws a second
 * time. */
static void note_draw(struct tab_throws *throws, const struct eng_event *event)
{
    uint8_t thrower = throws->thrower;
    throws->thrower = throws->took = 0;
    if (thrower == 0 || !is_own(throws, event->seat) || event->seat == thrower - 1)
        return;
    struct tab_throws_of *of = &throws->of[thrower - 1];
    of->chances[event->seat]++;
    if (event->drew.pile != ENG_DISCARD_PILE)
        return;
    of->taken[event->seat]++;
    throws->took = thrower;
}

void tab_throws_note(struct tab_throws *throws, const struct eng_event *event)
{
    ASSERT(event->seat < ENG_SEAT_MAX || event->seat == ENG_NO_SEAT);
    switch (event->type) {
    case ENG_EV_DEALT:
    case ENG_EV_FLIPPED: /* a different card is on top */
        throws->thrower = throws->took = 0;
        break;
    case ENG_EV_TURN:
        throws->by_clock = false;
        throws->took = 0;
        break;
    case ENG_EV_TIMED_OUT:
        throws->by_clock = true;
        break;
    case ENG_EV_AWAY:
    case ENG_EV_LEFT:
        throws->away |= bit_of(event->seat);
        break;
    case ENG_EV_RETURNED:
        throws->away = (uint8_t)(throws->away & ~bit_of(event->seat));
        break;
    case ENG_EV_DISCARDED:
        throws->thrower = is_own(throws, event->seat) ? (uint8_t)(event->seat + 1) : 0;
        break;
    case ENG_EV_DREW:
        note_draw(throws, event);
        break;
    case ENG_EV_DRAW_CANCELLED:
        if (throws->took > 0) {
            ASSERT(throws->of[throws->took - 1].taken[event->seat] > 0);
            throws->of[throws->took - 1].taken[event->seat]--;
        }
        throws->took = 0;
        break;
    default:
        break;
    }
}
