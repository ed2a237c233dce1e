/* The moves of a running hand, for its record and for spectators with a delay. Packed as in the journal,
 * about seven bytes each. Hub thread; any thread where a table is replayed. */
#ifndef RUMMYD_TABLES_MOVE_LOG_H
#define RUMMYD_TABLES_MOVE_LOG_H

#include "engine/eng.h"

/* Zeroed: empty. */
struct tab_move_log {
    uint8_t *bytes;
    uint32_t n; /* number of moves */
    uint32_t used, cap;
};

/* false: out of memory. */
bool tab_move_log_put(struct tab_move_log *log, const struct eng_move *move);
/* Reads the move at *place (0 for the first one) and advances *place to the next. There must be a move at
 * *place. */
void tab_move_log_read(const struct tab_move_log *log, uint32_t *place, struct eng_move *move);
/* Clears the moves but keeps the memory. */
void tab_move_log_clear(struct tab_move_log *log);
void tab_move_log_free(struct tab_move_log *log);

#endif
