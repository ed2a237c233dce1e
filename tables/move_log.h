/* The moves of a running hand, for its record and for spectators who see them later: packed as the journal
 * has them, some seven bytes each. Hub thread; where a table is re-played, any. */
#ifndef RUMMYD_TABLES_MOVE_LOG_H
#define RUMMYD_TABLES_MOVE_LOG_H

#include "engine/eng.h"

/* Zeroed: there are none. */
struct tab_move_log {
    uint8_t *bytes;
    uint32_t n; /* moves */
    uint32_t used, cap;
};

/* false: memory is short. */
bool tab_move_log_put(struct tab_move_log *log, const struct eng_move *move);
/* The move that begins at *place, 0 for the first one; *place goes on to the next. It must be one of them. */
void tab_move_log_read(const struct tab_move_log *log, uint32_t *place, struct eng_move *move);
/* Forgets the moves and keeps the memory. */
void tab_move_log_clear(struct tab_move_log *log);
void tab_move_log_free(struct tab_move_log *log);

#endif
