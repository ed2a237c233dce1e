/* The bots' private random numbers; see dice.h. */
#include "engine/bots/dice.h"

/* splitmix64 */
uint64_t eng_bot_dice(uint64_t *rng)
{
    uint64_t x = *rng += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

bool eng_bot_misses(uint64_t *rng, uint8_t how_often)
{
    return how_often > 0 && eng_bot_dice(rng) >> 56 < how_often;
}
