/* Moves a core applies in a second: random legal games are recorded first, then only eng_apply is
 * timed, game after game. Prints one line, "engine.apply_per_s N". */
#include <stdio.h>
#include <stdlib.h>

#include "base/bug.h"
#include "base/clock.h"
#include "tests/engine/play.h"

enum { GAMES = 2000, MOVES_MAX = 8000, SECONDS_MIN = 2 };

struct recording {
    struct eng_game start;
    uint64_t hash;
    uint32_t first, n;
};

static struct recording games[GAMES];
static struct eng_move *moves;
static uint32_t moves_n;

static void record(struct recording *r, uint64_t number)
{
    struct eng_outcome out;
    uint64_t rng = number;
    struct eng_game g;
    play_deal(&g, eng_params_find("rummy51"), 4, number, &out);
    r->start = g;
    r->first = moves_n;
    while (eng_phase(&g) != ENG_SESSION_OVER && moves_n - r->first < MOVES_MAX) {
        struct eng_move m;
        play_propose(&g, &rng, &m);
        if (eng_apply(&g, &m, &out) == ENG_OK)
            moves[moves_n++] = m;
    }
    r->n = moves_n - r->first;
    r->hash = eng_hash(&g);
}

static void replay(const struct recording *r)
{
    struct eng_outcome out;
    struct eng_game g = r->start;
    for (uint32_t i = 0; i < r->n; i++)
        if (eng_apply(&g, &moves[r->first + i], &out) != ENG_OK)
            BUG("a recorded move is refused");
    ASSERT(eng_hash(&g) == r->hash);
}

int main(void)
{
    moves = calloc((size_t)GAMES * MOVES_MAX, sizeof *moves);
    ASSERT(moves != NULL);
    for (uint64_t i = 0; i < GAMES; i++)
        record(&games[i], i);
    uint64_t applied = 0;
    int64_t start = clock_mono_ns(), spent;
    do {
        for (int i = 0; i < GAMES; i++)
            replay(&games[i]);
        applied += moves_n;
        spent = clock_mono_ns() - start;
    } while (spent < SECONDS_MIN * INT64_C(1000000000));
    printf("engine.moves_per_game %u\n", moves_n / GAMES);
    printf("engine.apply_per_s %.0f\n", (double)applied / ((double)spent / 1e9));
    free(moves);
    return 0;
}
