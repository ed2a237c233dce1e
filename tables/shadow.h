/* A second game that makes a table's moves later than they were made: what spectators of a table with a delay
 * see. Nothing newer can be in what they are shown, because they are shown this game. Hub thread. */
#ifndef RUMMYD_TABLES_SHADOW_H
#define RUMMYD_TABLES_SHADOW_H

#include "tables/move_log.h"

/* Zeroed: there is none. */
struct tab_shadow {
    struct eng_game *game; /* NULL: there is none */
    /* Moves are counted like the table's moves of the running hand. */
    int64_t *made_ms; /* when each was made, monotonic */
    uint32_t made_n, made_cap;
    uint32_t shown_n; /* so many of them this game has made, */
    uint32_t place;   /* and here the next one begins in the table's log */
};

/* The shadow is where the game is, of whose hand these moves were made. false: memory is short. */
bool tab_shadow_start(struct tab_shadow *shadow, const struct eng_game *game,
                      const struct tab_move_log *moves);
/* So many moves of the hand have been made by now_ms. false: memory is short. */
bool tab_shadow_note(struct tab_shadow *shadow, uint32_t moves_n, int64_t now_ms);
/* Makes the moves that were made until then. moves: the table's, of the running hand. */
void tab_shadow_move(struct tab_shadow *shadow, const struct tab_move_log *moves, int64_t until_ms);
/* The hand is over, so nothing is hidden any more: the shadow is the game itself. */
void tab_shadow_catch_up(struct tab_shadow *shadow, const struct eng_game *game);
/* When the next move that was noted was made; false: there is none. */
bool tab_shadow_next(const struct tab_shadow *shadow, int64_t *made_ms);
void tab_shadow_free(struct tab_shadow *shadow);

#endif
