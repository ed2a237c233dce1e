/* Shared by the files that build eng_legal's list. */
#ifndef RUMMYD_ENGINE_PLAY_LEGAL_IN_H
#define RUMMYD_ENGINE_PLAY_LEGAL_IN_H

#include "engine/play/legal.h"

/* Adds a move of legal->seat if it fits; sets its bit in any case. */
void eng_legal_add(struct eng_legal *legal, enum eng_move_type type, uint8_t meld, enum eng_end end,
                   const uint8_t *cards, int n);
/* Adds a move without cards or a meld. */
void eng_legal_add_plain(struct eng_legal *legal, enum eng_move_type type);
/* Adds every set and run of the hand that can be laid now. */
void eng_legal_list_melds(struct eng_legal *legal, const struct eng_legal_scene *scene);

#endif
