/* Measures moves of the engine alone on one core, in processor time, per variant: first replays recorded
 * random sessions, then plays random moves listed by eng_legal. Prints lines "NAME NUMBER". bench-engine
 * [VARIANT] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bug.h"
#include "engine/core/params.h"
#include "tests/engine/play.h"
#include "tests/engine/prove.h"

enum { PLAYERS = 4, HANDS = 400, MOVES_MAX = 4000, MS_MIN = 600 };

struct recording {
    struct eng_game start;
    uint64_t hash;
    uint32_t first, n;
};

static struct recording hands[HANDS];
static struct eng_move *moves;
static uint32_t moves_n;

/* Processor time instead of wall time, to exclude other load on the machine. */
static int64_t spent_ns(void)
{
    struct timespec t;

    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0)
        BUG("no processor clock");
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static bool is_over(const struct eng_game *g)
{
    return eng_phase(g) == ENG_HAND_OVER || eng_phase(g) == ENG_SESSION_OVER;
}

static void record(struct recording *r, const struct eng_params *row, uint64_t number)
{
    struct eng_outcome out;
    uint64_t rng = number;
    struct eng_game g;

    play_deal(&g, row, PLAYERS, number, &out);
    r->start = g;
    r->first = moves_n;
    while (!is_over(&g) && moves_n - r->first < MOVES_MAX) {
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

static double applied_per_s(const struct eng_params *row)
{
    uint64_t applied = 0;

    moves_n = 0;
    for (uint64_t i = 0; i < HANDS; i++)
        record(&hands[i], row, i);
    int64_t start = spent_ns(), spent;
    do {
        for (int i = 0; i < HANDS; i++)
            replay(&hands[i]);
        applied += moves_n;
        spent = spent_ns() - start;
    } while (spent < MS_MIN * INT64_C(1000000));
    return (double)applied * 1e9 / (double)spent;
}

/* ---- Random legal play ---- */

/* Chooses one of the listed moves with equal probability, except drops, which would end most hands at
 * once. */
static void choose(const struct eng_legal *legal, uint64_t *rng, struct eng_move *m)
{
    ASSERT(legal->n > 0);
    do
        *m = legal->moves[play_below(rng, legal->n)];
    while (m->type == ENG_DROP);
}

static double played_per_s(const struct eng_params *row, double *games_per_s)
{
    struct eng_outcome out;
    struct eng_view view;
    struct eng_legal legal;
    uint64_t rng = 1, played = 0, games = 0;
    int64_t start = spent_ns(), spent;

    do {
        struct eng_game g;
        play_deal(&g, row, PLAYERS, games++, &out);
        while (!is_over(&g)) {
            struct eng_move m;
            uint8_t seat = eng_seat_to_move(&g);
            if (eng_phase(&g) == ENG_TO_GROUP) {
                m = (struct eng_move){.type = ENG_CLOSE, .meld = ENG_NO_MELD};
            } else {
                eng_view(&g, seat, &view);
                eng_legal(&view, &legal);
                choose(&legal, &rng, &m);
            }
            if (eng_apply(&g, &m, &out) != ENG_OK)
                BUG("a listed move is refused");
            played++;
        }
        spent = spent_ns() - start;
    } while (spent < MS_MIN * INT64_C(1000000));
    *games_per_s = (double)games * 1e9 / (double)spent;
    return (double)played * 1e9 / (double)spent;
}

int main(int argc, char **argv)
{
    const struct eng_params *row;
    double games_per_s;

    moves = calloc((size_t)HANDS * MOVES_MAX, sizeof *moves);
    ASSERT(moves != NULL);
    printf("engine.game_bytes %zu\n", sizeof(struct eng_game));
    for (size_t i = 0; (row = eng_params_at(i)) != NULL; i++) {
        if (argc > 1 && strcmp(argv[1], row->variant) != 0)
            continue;
        printf("engine.%s.apply_per_s %.0f\n", row->variant, applied_per_s(row));
        printf("engine.%s.moves_per_hand %u\n", row->variant, moves_n / HANDS);
        printf("engine.%s.play_per_s %.0f\n", row->variant, played_per_s(row, &games_per_s));
        printf("engine.%s.hands_per_s %.0f\n", row->variant, games_per_s);
    }
    free(moves);
    return 0;
}
