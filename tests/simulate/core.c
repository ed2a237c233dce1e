/* Time and randomness of the simulated world; see sim.h. */
#include "tests/simulate/sim.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bug.h"

int64_t sim_now;
int64_t sim_fault_us;
uint64_t sim_seed;
bool sim_tracing;
struct sim_dice sim_net, sim_people, sim_secrets;

/* ---- Randomness ---- */
uint64_t sim_roll(struct sim_dice *dice)
{
    uint64_t z = (dice->state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

struct sim_dice sim_dice_of(uint64_t seed, uint64_t stream)
{
    struct sim_dice dice = {.state = seed * 0xD1342543DE82EF95ULL + stream};
    (void)sim_roll(&dice);
    return dice;
}

int64_t sim_between(struct sim_dice *dice, int64_t least, int64_t most)
{
    ASSERT(most >= least);
    return least + (int64_t)(sim_roll(dice) % (uint64_t)(most - least + 1));
}

bool sim_chance(struct sim_dice *dice, int per_mille)
{
    return sim_between(dice, 0, 999) < per_mille;
}

void sim_begin(uint64_t seed)
{
    sim_seed = seed;
    sim_net = sim_dice_of(seed, 1);
    sim_people = sim_dice_of(seed, 2);
    sim_secrets = sim_dice_of(seed, 3);
}

/* ---- Output ---- */
static void print_time(FILE *out)
{
    (void)fprintf(out, "%11.6f  ", (double)sim_now / (double)SIM_S);
}

void sim_trace(const char *format, ...)
{
    if (!sim_tracing)
        return;
    va_list args;
    va_start(args, format);
    print_time(stdout);
    (void)vprintf(format, args);
    (void)putchar('\n');
    va_end(args);
}

void sim_broken(const char *promise, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_time(stderr);
    (void)fprintf(stderr, "broken: %s: ", promise);
    (void)vfprintf(stderr, format, args);
    (void)fputc('\n', stderr);
    va_end(args);
    (void)fflush(stdout);
    (void)fflush(stderr);
    _Exit(3);
}
