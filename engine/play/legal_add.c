/* Adds moves to eng_legal's list; see legal_add.h. */
#include "engine/play/legal_add.h"

#include "base/bug.h"

void eng_legal_add(struct eng_legal *legal, enum eng_move_type type, uint8_t meld, enum eng_end end,
                   const uint8_t *cards, int n)
{
    ASSERT(n >= 0 && n <= ENG_MOVE_CARDS_MAX && legal->n <= ENG_LEGAL_MAX);
    legal->types |= 1u << type;
    if (legal->n == ENG_LEGAL_MAX) {
        legal->more = true;
        return;
    }
    struct eng_move *m = &legal->moves[legal->n++];
    *m = (struct eng_move){
        .type = (uint8_t)type, .seat = legal->seat, .meld = meld, .end = (uint8_t)end, .n = (uint8_t)n};
    for (int i = 0; i < n; i++)
        m->cards[i] = cards[i];
}

void eng_legal_add_plain(struct eng_legal *legal, enum eng_move_type type)
{
    ASSERT(type != ENG_MELD && type != ENG_DISCARD);
    eng_legal_add(legal, type, ENG_NO_MELD, ENG_END_NONE, NULL, 0);
}
