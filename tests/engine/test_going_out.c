/* Events at the end of a hand, for a viewer who counts the others' cards only by events. */
#include <criterion/criterion.h>

#include "tests/engine/play.h"

enum { HANDS = 400, MOVES = 4000 };

/* Updates the viewer's counts with the event. */
static void count_on(int cards_n[ENG_SEAT_MAX], const struct eng_event *e)
{
    switch (e->type) {
    case ENG_EV_DREW:
        cards_n[e->seat]++;
        break;
    case ENG_EV_DRAW_CANCELLED:
        cards_n[e->seat]--;
        break;
    case ENG_EV_MELDED:
    case ENG_EV_LAID_OFF:
    case ENG_EV_DISCARDED:
        if (e->seat != ENG_NO_SEAT)
            cards_n[e->seat] -= e->n;
        break;
    case ENG_EV_TAKEN_BACK:
        cards_n[e->seat] += e->n;
        break;
    default: /* a swap exchanges a card for a joker */
        break;
    }
}

/* Whether the hand ended with a player going out; at that event they must have no cards left. */
static bool hand_goes_out(uint64_t number)
{
    struct eng_game game;
    struct eng_outcome out;
    uint64_t rng = number + 1;
    int cards_n[ENG_SEAT_MAX];
    play_deal(&game, play_row(number), 4, number, &out);
    for (int move_n = 0; move_n < MOVES; move_n++) {
        struct eng_move move;
        struct eng_view view;
        eng_view(&game, ENG_SPECTATOR, &view);
        for (int i = 0; i < ENG_SEAT_MAX; i++)
            cards_n[i] = view.cards_n[i];
        play_propose(&game, &rng, &move);
        if (eng_apply(&game, &move, &out) != ENG_OK)
            continue;
        for (int i = 0; i < out.events_n; i++) {
            const struct eng_event *e = &out.events[i];
            if (e->type == ENG_EV_HAND_ENDED) {
                cr_assert(e->hand_ended.ending != ENG_ENDED_OUT || cards_n[e->seat] == 0,
                          "deal %llu: seat %d goes out with %d cards", (unsigned long long)number, e->seat,
                          cards_n[e->seat]);
                return e->hand_ended.ending == ENG_ENDED_OUT;
            }
            count_on(cards_n, e);
        }
    }
    return false;
}

Test(going_out, the_last_card_is_reported_before_the_end)
{
    int n = 0;
    for (uint64_t number = 0; number < HANDS; number++)
        n += hand_goes_out(number);
    cr_assert_gt(n, HANDS / 20, "%d hands", n);
}
