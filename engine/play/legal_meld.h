/* Lists the melds that can be laid now. */
#ifndef RUMMYD_ENGINE_PLAY_LEGAL_MELD_H
#define RUMMYD_ENGINE_PLAY_LEGAL_MELD_H

#include "engine/play/legal.h"

/* Adds every set and run that the hand can lay now. */
void eng_legal_list_melds(struct eng_legal *legal, const struct eng_legal_scene *scene);

#endif
