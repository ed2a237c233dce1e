/* Adds moves to eng_legal's list. */
#ifndef RUMMYD_ENGINE_PLAY_LEGAL_ADD_H
#define RUMMYD_ENGINE_PLAY_LEGAL_ADD_H

#include "engine/eng.h"

/* Adds a move of legal->seat if there is capacity; sets its bit in any case. */
void eng_legal_add(struct eng_legal *legal, enum eng_move_type type, uint8_t meld, enum eng_end end,
                   const uint8_t *cards, int n);
/* Adds a move that has neither cards nor a meld. */
void eng_legal_add_plain(struct eng_legal *legal, enum eng_move_type type);

#endif
