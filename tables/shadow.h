/* A second game that replays a table's moves with a delay: what spectators see at a table with a delay. They
 * cannot see anything newer because they are shown only this game. Hub thread. */
#ifndef RUMMYD_TABLES_SHADOW_H
#define RUMMYD_TABLES_SHADOW_H

#include "tables/move_log.h"

/* Zeroed: none. */
struct tab_shadow {
    struct eng_game *game; /* NULL: none */
    /* Move numbers match those of the table's running hand. */
    int64_t *made_ms; /* when each was made, monotonic */
    uint32_t made_n, made_cap;
    uint32_t shown_n; /* moves this game has made, */
    uint32_t place;   /* and the offset of the next one in the table's log */
};

/* Starts the shadow at the current game, in whose hand these moves were made. false: out of memory. */
bool tab_shadow_start(struct tab_shadow *shadow, const struct eng_game *game,
                      const struct tab_move_log *moves);
/* Notes that by now_ms the hand has moves_n moves. false: out of memory. */
bool tab_shadow_note(struct tab_shadow *shadow, uint32_t moves_n, int64_t now_ms);
/* Plays the moves that were made up to that time. moves: the table's, of the running hand. */
void tab_shadow_move(struct tab_shadow *shadow, const struct tab_move_log *moves, int64_t until_ms);
/* The hand is over, so nothing is hidden any longer: the shadow becomes a copy of the game. */
void tab_shadow_catch_up(struct tab_shadow *shadow, const struct eng_game *game);
/* When the next noted move was made; false: there is none. */
bool tab_shadow_next(const struct tab_shadow *shadow, int64_t *made_ms);
void tab_shadow_free(struct tab_shadow *shadow);

#endif
