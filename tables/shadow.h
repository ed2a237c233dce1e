/* A second game that replays a table's moves with a delay, for spectators. They cannot see anything newer
 * because they see only this game. Hub thread. */
#ifndef RUMMYD_TABLES_SHADOW_H
#define RUMMYD_TABLES_SHADOW_H

#include "tables/move_log.h"

/* Zeroed: none. */
struct tab_shadow {
    struct eng_game *game; /* NULL: none */
    /* Moves have the same numbers as in the table's running hand. */
    int64_t *made_ms; /* when each move was made, monotonic */
    uint32_t made_n, made_cap;
    uint32_t shown_n; /* number of moves this game has made */
    uint32_t place;   /* the next move's offset in the table's log */
};

/* Starts the shadow as a copy of the current game, whose running hand has these moves. false: out of
 * memory. */
bool tab_shadow_start(struct tab_shadow *shadow, const struct eng_game *game,
                      const struct tab_move_log *moves);
/* Records that the hand has moves_n moves at now_ms. false: out of memory. */
bool tab_shadow_note(struct tab_shadow *shadow, uint32_t moves_n, int64_t now_ms);
/* Plays the moves made up to that time. moves: the moves of the table's running hand. */
void tab_shadow_move(struct tab_shadow *shadow, const struct tab_move_log *moves, int64_t until_ms);
/* Makes the shadow a copy of the game, because the hand is over and nothing is hidden any longer. */
void tab_shadow_catch_up(struct tab_shadow *shadow, const struct eng_game *game);
/* When the next move to be played was made; false: there is none. */
bool tab_shadow_next(const struct tab_shadow *shadow, int64_t *made_ms);
void tab_shadow_free(struct tab_shadow *shadow);

#endif
