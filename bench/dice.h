/* Pseudorandom numbers for hands that are the same in every run. Each file that includes this has its own
 * state; one thread. */
#ifndef RUMMYD_BENCH_DICE_H
#define RUMMYD_BENCH_DICE_H

#include <stdint.h>

/* 0 to below - 1. */
static inline unsigned bench_dice(unsigned below)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % below;
}

/* Adds a card to a hand of n cards unless the hand has it; returns the new number of cards. */
static inline int bench_add(uint8_t *hand, int n, unsigned card)
{
    for (int i = 0; i < n; i++) {
        if (hand[i] == card)
            return n;
    }
    hand[n] = (uint8_t)card;
    return n + 1;
}

#endif
