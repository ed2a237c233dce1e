/* Shared by both state machines: events, refusals, and the start of a turn. engine/meld/ plays the meld
 * family, engine/declare/ the declare family; params->family names the family of a game, and
 * engine/play/apply.c dispatches on it. Each step checks everything first and only then changes the game,
 * so a refusal changes no byte. */
#ifndef RUMMYD_ENGINE_CORE_STEP_H
#define RUMMYD_ENGINE_CORE_STEP_H

#include "engine/core/game.h"

void eng_outcome_clear(struct eng_outcome *out);
/* Appends the next event, public and empty; increments the version. */
struct eng_event *eng_emit(struct eng_game *game, struct eng_outcome *out, enum eng_event_type type,
                           uint8_t seat);
enum eng_refusal eng_refuse(struct eng_outcome *out, enum eng_refusal code, const uint8_t *cards, int n);
/* Sets *rest to the hand without these cards, or refuses and names the cards that are not in the hand. */
bool eng_hand_without(const struct eng_cards *hand, const uint8_t *cards, int n, struct eng_cards *rest,
                      struct eng_outcome *out);
/* Begins the turn of this seat. */
void eng_turn_begin(struct eng_game *game, uint8_t seat, enum eng_phase phase, struct eng_outcome *out);

#endif
