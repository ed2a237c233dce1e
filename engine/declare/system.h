/* The table's moves, and rejoining. */
#ifndef RUMMYD_ENGINE_DECLARE_SYSTEM_H
#define RUMMYD_ENGINE_DECLARE_SYSTEM_H

#include "engine/core/step.h"

enum eng_refusal eng_declare_system(struct eng_game *game, const struct eng_move *move,
                                    struct eng_outcome *out);
enum eng_refusal eng_do_rejoin(struct eng_game *game, const struct eng_move *move, struct eng_outcome *out);
/* ENG_OK: the seat may rejoin now, otherwise the reason. */
enum eng_refusal eng_may_rejoin(const struct eng_game *game, uint8_t seat);
int32_t eng_rejoin_total(const struct eng_game *game);

#endif
