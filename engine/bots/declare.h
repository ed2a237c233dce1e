/* Bots of the declare family; see declare.c. */
#ifndef RUMMYD_ENGINE_BOTS_DECLARE_H
#define RUMMYD_ENGINE_BOTS_DECLARE_H

#include "engine/eng.h"

/* eng_bot_move for views of the declare family; style: enum eng_bot_level. */
void eng_bot_declare_move(const struct eng_view *view, enum eng_bot_level level, uint64_t *rng,
                          struct eng_move *move);
/* Lists the ungrouped natural cards, the master's preferred discard first. It counts the outs of the
 * remaining hand, which takes up to 1 ms. Returns how many. */
int eng_bot_declare_throws(const struct eng_view *view, uint8_t cards[ENG_HAND_MAX]);

#endif
