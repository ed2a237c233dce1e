/* Shared by the files that make eng_legal's list. */
#ifndef RUMMYD_ENGINE_PLAY_LEGAL_IN_H
#define RUMMYD_ENGINE_PLAY_LEGAL_IN_H

#include "engine/play/legal.h"

/* One more move of legal->seat, if there is room for it; its bit in any case. */
void eng_legal_add(struct eng_legal *legal, enum eng_move_type type, uint8_t meld, enum eng_end end,
                   const uint8_t *cards, int n);
/* One that names neither cards nor a meld. */
void eng_legal_add_plain(struct eng_legal *legal, enum eng_move_type type);
/* Every set and run of the hand that may be laid now. */
void eng_legal_list_melds(struct eng_legal *legal, const struct eng_legal_scene *scene);

#endif
