/* Random but purposeful play for tests, fuzzers, and the benchmark: it melds when it can, so that games open,
 * lay off, swap, and end. It reads the whole game, so it is not a bot. */
#ifndef RUMMYD_TESTS_ENGINE_PLAY_H
#define RUMMYD_TESTS_ENGINE_PLAY_H

#include "engine/core/game.h"
#include "engine/eng.h"

uint64_t play_random(uint64_t *rng);
uint32_t play_below(uint64_t *rng, uint32_t n);
/* A new deal whose key is derived from the number. */
void play_deal(struct eng_game *game, const struct eng_params *params, int players, uint64_t number,
               struct eng_outcome *out);
/* The rules rows of the variants with melds, in order. */
const struct eng_params *play_row(uint64_t number);
/* Some move of the seat to move, legal more often than not. */
void play_propose(const struct eng_game *game, uint64_t *rng, struct eng_move *move);
/* For the declare family: like play_propose, but takes groups and discards from the solver, so that hands
 * are declared, and rejoins between hands. */
void play_well(const struct eng_game *game, uint64_t *rng, struct eng_move *move);
/* Random bytes in the shape of a move. */
void play_nonsense(const struct eng_game *game, uint64_t *rng, struct eng_move *move);
/* A move that is always legal: draw, or discard something. */
void play_plain(const struct eng_game *game, uint64_t *rng, struct eng_move *move);
/* Deals again what the viewer cannot see: the stock and the other hands, except for cards that were shown. */
void play_shuffle_hidden(struct eng_game *game, uint8_t viewer, uint64_t *rng);

#endif
