/* The bots' private random numbers. */
#ifndef RUMMYD_ENGINE_BOTS_DICE_H
#define RUMMYD_ENGINE_BOTS_DICE_H

#include <stdbool.h>
#include <stdint.h>

/* The next number of splitmix64. */
uint64_t eng_bot_dice(uint64_t *rng);
/* Whether a bot overlooks something, with a chance of how_often in 256. */
bool eng_bot_misses(uint64_t *rng, uint8_t how_often);

#endif
