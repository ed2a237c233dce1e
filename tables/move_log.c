/* Consecutive moves, each preceded by its length; see move_log.h. */
#include "tables/move_log.h"

#include <stdlib.h>

#include "base/bug.h"

enum { STEP = 256 }; /* about 30 moves; a long hand reallocates ten times */

bool tab_move_log_put(struct tab_move_log *log, const struct eng_move *move)
{
    if (log->cap - log->used < 1 + ENG_MOVE_BYTES_MAX) {
        uint32_t cap = log->cap + STEP;
        uint8_t *grown = realloc(log->bytes, cap);
        if (!grown)
            return false;
        log->bytes = grown;
        log->cap = cap;
    }
    int len = eng_move_encode(log->bytes + log->used + 1, move);
    log->bytes[log->used] = (uint8_t)len;
    log->used += 1 + (uint32_t)len;
    log->n++;
    return true;
}

void tab_move_log_read(const struct tab_move_log *log, uint32_t *place, struct eng_move *move)
{
    ASSERT(*place < log->used);
    uint8_t len = log->bytes[*place];
    if (!eng_move_decode(move, log->bytes + *place + 1, len))
        BUG("a logged move cannot be decoded");
    *place += 1u + len;
}

void tab_move_log_clear(struct tab_move_log *log)
{
    log->n = log->used = 0;
}

void tab_move_log_free(struct tab_move_log *log)
{
    free(log->bytes);
    *log = (struct tab_move_log){0};
}
