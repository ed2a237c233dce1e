/* Helpers shared by the checks of a position; see setup_check.h. */
#include "engine/play/setup_check.h"

#include "base/bug.h"

bool eng_setup_blame(struct eng_setup_fault *fault, const char *header, uint8_t seat, uint8_t card,
                     const char *text)
{
    ASSERT(text != NULL);
    *fault = (struct eng_setup_fault){
        .text = text, .header = header, .number = ENG_NO_SEAT, .seat = seat, .card = card};
    return false;
}

uint8_t eng_setup_claim(struct eng_cards *remainder, const uint8_t *cards, int n)
{
    ASSERT(n >= 0 && n <= ENG_CARD_MAX);
    for (int i = 0; i < n; i++) {
        if (!eng_cards_has(remainder, cards[i]))
            return cards[i];
        eng_cards_remove(remainder, cards[i]);
    }
    return ENG_NO_CARD;
}

uint8_t eng_setup_sat_out(const struct eng_setup *setup, int players)
{
    int hand_no = setup->hand_no == 0 ? 1 : setup->hand_no;
    uint8_t sat_out = 0;
    ASSERT(players >= 2 && players <= ENG_SEAT_MAX);
    for (int seat = 0; seat < players; seat++)
        sat_out |= (uint8_t)((setup->out_at[seat] > 0 && setup->out_at[seat] < hand_no) << seat);
    return sat_out;
}
