/* Code shared by both brute-force searches: random hands and their number (oracle.h). */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/engine/oracle.h"

static uint64_t state;

void oracle_seed(unsigned seed)
{
    const char *more = getenv("RUMMYD_ORACLE_SEED");

    state = seed + (more == NULL ? 0 : strtoull(more, NULL, 10) << 32);
}

unsigned oracle_random(unsigned below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

int oracle_add(uint8_t *hand, int n, unsigned card)
{
    for (int i = 0; i < n; i++) {
        if (hand[i] == card)
            return n;
    }
    hand[n] = (uint8_t)card;
    return n + 1;
}

int oracle_hands(int few)
{
    const char *many = getenv("RUMMYD_ORACLE_HANDS");

    return many == NULL ? few : atoi(many);
}

void oracle_equal(int hands, const char *kind)
{
    if (getenv("RUMMYD_ORACLE_HANDS") != NULL)
        fprintf(stderr, "equal on %7d hands: %s (%.0f s)\n", hands, kind, (double)clock() / CLOCKS_PER_SEC);
}
