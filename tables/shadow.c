/* The delayed game for spectators; see shadow.h. */
#include "tables/shadow.h"

#include <stdlib.h>

#include "base/bug.h"
#include "engine/core/game.h"

bool tab_shadow_start(struct tab_shadow *shadow, const struct eng_game *game,
                      const struct tab_move_log *moves)
{
    if (!shadow->game)
        shadow->game = malloc(sizeof(*shadow->game));
    if (!shadow->game)
        return false;
    *shadow->game = *game;
    shadow->shown_n = shadow->made_n = moves->n;
    shadow->place = moves->used;
    return true;
}

bool tab_shadow_note(struct tab_shadow *shadow, uint32_t moves_n, int64_t now_ms)
{
    ASSERT(shadow->shown_n <= shadow->made_n && shadow->made_n <= moves_n);
    if (moves_n > shadow->made_cap) {
        uint32_t cap = shadow->made_cap ? shadow->made_cap : 64;
        while (cap < moves_n)
            cap *= 2;
        int64_t *moved = realloc(shadow->made_ms, cap * sizeof(*moved));
        if (!moved)
            return false;
        shadow->made_ms = moved;
        shadow->made_cap = cap;
    }
    while (shadow->made_n < moves_n)
        shadow->made_ms[shadow->made_n++] = now_ms;
    ASSERT(shadow->made_n == moves_n);
    return true;
}

void tab_shadow_move(struct tab_shadow *shadow, const struct tab_move_log *moves, int64_t until_ms)
{
    ASSERT(shadow->game != NULL);
    while (shadow->shown_n < shadow->made_n && shadow->made_ms[shadow->shown_n] <= until_ms) {
        struct eng_outcome out;
        struct eng_move move;
        tab_move_log_read(moves, &shadow->place, &move);
        if (eng_apply(shadow->game, &move, &out) != ENG_OK)
            BUG("a committed move cannot be replayed");
        shadow->shown_n++;
    }
    ASSERT(shadow->shown_n <= shadow->made_n);
}

void tab_shadow_catch_up(struct tab_shadow *shadow, const struct eng_game *game)
{
    ASSERT(shadow->game != NULL);
    /* Copies the whole game, because no move list covers what happened since the hand ended. */
    *shadow->game = *game;
    shadow->shown_n = shadow->made_n;
}

bool tab_shadow_next(const struct tab_shadow *shadow, int64_t *made_ms)
{
    ASSERT(shadow->shown_n <= shadow->made_n);
    if (!shadow->game || shadow->shown_n == shadow->made_n)
        return false;
    *made_ms = shadow->made_ms[shadow->shown_n];
    return true;
}

void tab_shadow_free(struct tab_shadow *shadow)
{
    free(shadow->game);
    free(shadow->made_ms);
    *shadow = (struct tab_shadow){0};
}
