/* Draws of a Swiss round: fewest repeats, compared with a search through every seating; byes; limits. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "server/draw/draw.h"
#include "server/draw/read.h"

enum { SMALL = 9 };

static uint64_t random_state = 88172645463325252U;

static int dice(int below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (int)(random_state % (uint64_t)below);
}

/* A tournament whose rounds are drawn one after another; met as a matrix that grows. */
struct cup {
    int n, seats;
    uint8_t *times; /* n × n */
    int32_t *score, *byes;
};

static struct cup cup_of(int n, int seats)
{
    struct cup cup = {.n = n, .seats = seats};
    cup.times = calloc((size_t)n, (size_t)n);
    cup.score = calloc((size_t)n, sizeof(int32_t));
    cup.byes = calloc((size_t)n, sizeof(int32_t));
    return cup;
}

static void cup_free(struct cup *cup)
{
    free(cup->times);
    free(cup->score);
    free(cup->byes);
}

static const struct cup *sorted_cup;
static int by_score(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    const int32_t more = sorted_cup->score[y] - sorted_cup->score[x];
    return more ? more : x - y;
}

static int tables_of(const struct cup *cup)
{
    return (cup->n + cup->seats - 1) / cup->seats;
}

/* Draws a round; who[i] is the i-th entrant in order; entries have the numbers of the cup. */
static struct srv_drawn draw_round(const struct cup *cup, int32_t *order)
{
    const size_t n = (size_t)cup->n;
    int32_t *entry = malloc(sizeof(int32_t) * n), *memory = malloc(sizeof(int32_t) * (4 * n + 1));
    int32_t *score = memory, *byes = memory + n, *low = memory + 2 * n, *met_at = memory + 3 * n;
    for (int32_t i = 0; i < cup->n; i++)
        entry[i] = i;
    sorted_cup = cup;
    qsort(entry, n, sizeof(*entry), by_score);
    size_t met_n = 0;
    for (size_t i = 0; i < n * n; i++)
        met_n += cup->times[i];
    int32_t *met = malloc(sizeof(int32_t) * (met_n + 1)), at = 0;
    for (int32_t i = 0; i < cup->n; i++) {
        score[i] = cup->score[entry[i]];
        byes[i] = cup->byes[entry[i]];
        low[i] = cup->n - 1 - i;
        met_at[i] = at;
        for (int32_t j = 0; j < cup->n; j++)
            for (int k = cup->times[(size_t)entry[i] * n + (size_t)entry[j]]; k > 0; k--)
                met[at++] = j;
    }
    met_at[n] = at;
    const struct srv_draw draw = {.n = cup->n,
                                  .seats = cup->seats,
                                  .key = {7},
                                  .entry = entry,
                                  .score = score,
                                  .byes = byes,
                                  .low = low,
                                  .met_at = met_at,
                                  .met = met};
    struct srv_drawn drawn = {.order = order};
    cr_assert(srv_draw_make(&draw, &drawn));
    free(entry);
    free(memory);
    free(met);
    return drawn;
}

static int size_of(const struct cup *cup, int table)
{
    return cup->n / tables_of(cup) + (table < cup->n % tables_of(cup));
}

/* Every entrant has one seat; counts the repeats. */
static int64_t check(const struct cup *cup, const int32_t *order)
{
    uint8_t *seen = calloc(1, (size_t)cup->n);
    int64_t repeats = 0;
    for (int table = 0, at = 0; table < tables_of(cup); at += size_of(cup, table++))
        for (int i = at; i < at + size_of(cup, table); i++) {
            cr_assert(order[i] >= 0 && order[i] < cup->n && !seen[order[i]]++);
            for (int j = at; j < i; j++)
                repeats += cup->times[order[i] * cup->n + order[j]];
        }
    free(seen);
    return repeats;
}

static void play(struct cup *cup, const int32_t *order)
{
    for (int table = 0, at = 0; table < tables_of(cup); at += size_of(cup, table++)) {
        const int size = size_of(cup, table);
        if (size == 1)
            cup->byes[order[at]]++;
        const int winner = at + dice(size);
        cup->score[order[winner]] += 120;
        for (int i = at; i < at + size; i++)
            for (int j = at; j < at + size; j++)
                if (i != j)
                    cup->times[order[i] * cup->n + order[j]]++;
    }
}

/* The fewest repeats of any seating: tries all tables for the first unseated entrant. */
static int64_t fewest(const struct cup *cup, unsigned standing, int large_n, int small_n);

static int64_t with(const struct cup *cup, unsigned standing, unsigned table, int from, int left, int large_n,
                    int small_n)
{
    if (left == 0) {
        int64_t sum = 0;
        for (int i = 0; i < cup->n; i++)
            for (int j = 0; j < i; j++)
                if (table >> i & table >> j & 1)
                    sum += cup->times[i * cup->n + j];
        return sum + fewest(cup, standing & ~table, large_n, small_n);
    }
    int64_t best = INT64_MAX / 2;
    for (int i = from; i < cup->n; i++)
        if (standing >> i & 1) {
            const int64_t sum = with(cup, standing, table | 1U << i, i + 1, left - 1, large_n, small_n);
            best = sum < best ? sum : best;
        }
    return best;
}

static int64_t fewest(const struct cup *cup, unsigned standing, int large_n, int small_n)
{
    if (!standing)
        return 0;
    int first = 0;
    while (!(standing >> first & 1))
        first++;
    const int small = cup->n / tables_of(cup);
    int64_t best = INT64_MAX / 2, sum;
    if (large_n && (sum = with(cup, standing, 1U << first, first + 1, small, large_n - 1, small_n)) < best)
        best = sum;
    if (small_n &&
        (sum = with(cup, standing, 1U << first, first + 1, small - 1, large_n, small_n - 1)) < best)
        best = sum;
    return best;
}

static int64_t fewest_of_all(const struct cup *cup)
{
    const int large = cup->n % tables_of(cup);
    return fewest(cup, (1U << cup->n) - 1, large, tables_of(cup) - large);
}

Test(draw, has_the_fewest_repeats_of_all_seatings)
{
    for (int run = 0; run < 150; run++) {
        struct cup cup = cup_of(3 + dice(SMALL - 2), 3 + dice(3));
        int32_t order[SMALL];
        for (int round = 0; round < 6; round++) {
            const struct srv_drawn drawn = draw_round(&cup, order);
            cr_assert(check(&cup, order) == drawn.repeats && drawn.least);
            cr_assert(drawn.repeats == fewest_of_all(&cup), "run %d, round %d: %d of %d", run, round, cup.n,
                      cup.seats);
            play(&cup, order);
        }
        cup_free(&cup);
    }
}

/* With an odd number, no entrant gets a second bye while another has had none. Returns the fewest repeats
 * among such draws. */
static int64_t fewest_pairs(const struct cup *cup)
{
    if (cup->n % 2 == 0)
        return fewest_of_all(cup);
    int least_byes = cup->byes[0];
    for (int i = 1; i < cup->n; i++)
        least_byes = cup->byes[i] < least_byes ? cup->byes[i] : least_byes;
    int64_t best = INT64_MAX / 2;
    for (int i = 0; i < cup->n; i++)
        if (cup->byes[i] == least_byes) {
            const int64_t sum = fewest(cup, ((1U << cup->n) - 1) & ~(1U << i), cup->n / 2, 0);
            best = sum < best ? sum : best;
        }
    return best;
}

Test(draw, pairs_have_the_fewest_repeats_and_byes_rotate)
{
    for (int run = 0; run < 150; run++) {
        struct cup cup = cup_of(2 + dice(SMALL - 1), 2);
        int32_t order[SMALL];
        for (int round = 0; round < 12; round++) {
            const struct srv_drawn drawn = draw_round(&cup, order);
            cr_assert(check(&cup, order) == drawn.repeats && drawn.least);
            cr_assert(drawn.repeats == fewest_pairs(&cup), "run %d, round %d: %d", run, round, cup.n);
            play(&cup, order);
            for (int i = 0; i < cup.n; i++)
                cr_assert(cup.byes[i] <= round / cup.n + 1);
        }
        cup_free(&cup);
    }
}

/* A round robin is completed if possible: n - 1 rounds without a repeat. */
Test(draw, a_repeat_is_drawn_only_if_unavoidable)
{
    struct cup cup = cup_of(4, 2);
    int32_t order[4];
    for (int round = 0; round < 9; round++) {
        const struct srv_drawn drawn = draw_round(&cup, order);
        cr_assert(drawn.repeats == 2 * (round / 3), "round %d: %d", round, (int)drawn.repeats);
        play(&cup, order);
    }
    cup_free(&cup);
}

/* If nothing prevents it, entrants with the same score meet: the scores of opponents differ by no more than
 * in the initial order. */
Test(draw, entrants_meet_others_with_equal_scores)
{
    struct cup cup = cup_of(64, 2);
    int32_t order[64];
    for (int round = 0; round < 6; round++) {
        (void)draw_round(&cup, order);
        int apart = 0, least = 0, last = -1;
        for (int i = 0; i < 64; i += 2)
            apart += abs(cup.score[order[i]] - cup.score[order[i + 1]]);
        int32_t by[64];
        for (int32_t i = 0; i < 64; i++)
            by[i] = i;
        sorted_cup = &cup;
        qsort(by, 64, sizeof(*by), by_score);
        for (int i = 0; i < 64; i++)
            if (i % 2)
                least += last - cup.score[by[i]];
            else
                last = cup.score[by[i]];
        cr_assert(round > 3 || apart == least, "round %d: %d, %d", round, apart, least);
        play(&cup, order);
    }
    cup_free(&cup);
}

static void large(int n, int seats, int rounds)
{
    struct cup cup = cup_of(n, seats);
    int32_t *order = malloc(sizeof(*order) * (size_t)n), *again = malloc(sizeof(*order) * (size_t)n);
    for (int round = 0; round < rounds; round++) {
        const struct srv_drawn drawn = draw_round(&cup, order);
        cr_assert(check(&cup, order) == drawn.repeats && drawn.repeats == 0 && drawn.least,
                  "%d at tables of %d, round %d: %d", n, seats, round + 1, (int)drawn.repeats);
        (void)draw_round(&cup, again);
        cr_assert(memcmp(order, again, sizeof(*order) * (size_t)n) == 0);
        play(&cup, order);
    }
    free(order);
    free(again);
    cup_free(&cup);
}

Test(draw, large_draws_have_no_repeats)
{
    large(770, 2, 3);
    large(60, 2, 30);
    large(400, 4, 8);
    large(601, 6, 5);
    large(100, 3, 10);
}

/* If the search does not find a draw within its limit, the draw is repaired and the limit reported. The
 * search ends, and is deterministic. */
Test(draw, reaching_the_search_limit_is_reported)
{
    struct cup cup = cup_of(36, 6);
    int32_t order[36], again[36];
    bool reached = false;
    for (int round = 0; round < 12; round++) {
        const struct srv_drawn drawn = draw_round(&cup, order);
        cr_assert(check(&cup, order) == drawn.repeats);
        reached = reached || !drawn.least;
        if (reached) {
            cr_assert(draw_round(&cup, again).repeats == drawn.repeats);
            cr_assert(memcmp(order, again, sizeof(order)) == 0);
            break;
        }
        play(&cup, order);
    }
    cr_assert(reached);
    cup_free(&cup);
}

Test(draw_read, reads_what_the_database_writes)
{
    struct srv_draw draw;
    cr_assert(srv_draw_read(&draw, 3, 2, "7 120 0 2 9 60 1 1 4 60 0 0", "2 7 4 1 9 2 9 7 2 4 8 2 7 4"));
    const int32_t entry[] = {7, 9, 4}, score[] = {120, 60, 60}, byes[] = {0, 1, 0}, low[] = {2, 1, 0};
    const int32_t met_at[] = {0, 3, 4, 6}, met[] = {1, 2, 2, 0, 0, 0};
    cr_assert_arr_eq(draw.entry, entry, sizeof(entry));
    cr_assert_arr_eq(draw.score, score, sizeof(score));
    cr_assert_arr_eq(draw.byes, byes, sizeof(byes));
    cr_assert_arr_eq(draw.low, low, sizeof(low));
    cr_assert_arr_eq(draw.met_at, met_at, sizeof(met_at));
    cr_assert_arr_eq(draw.met, met, sizeof(met));
    srv_draw_drop(&draw);
    cr_assert(srv_draw_read(&draw, 1, 6, "1 0 0 0", NULL) && draw.met_at[1] == 0);
    srv_draw_drop(&draw);
}

Test(draw_read, refuses_anything_else)
{
    static const struct {
        int n, seats;
        const char *entrants, *tables;
    } bad[] = {
        {0, 2, "", NULL},
        {SRV_DRAW_MAX + 1, 2, "1 0 0 0", NULL},
        {1, 1, "1 0 0 0", NULL},
        {1, 7, "1 0 0 0", NULL},
        {1, 2, "1 0 0", NULL},
        {1, 2, "1 0 0 1", NULL},
        {1, 2, "1 0 0 0 5", NULL},
        {1, 2, "1 x 0 0", NULL},
        {1, 2, "-1 0 0 0", NULL},
        {1, 2, "1 0 0 0", "0"},
        {1, 2, "1 0 0 0", "7 1 2 3 4 5 6 7"},
        {1, 2, "1 0 0 0", "2 1"},
        {1, 2, "1 0 0 0", "two 1"},
        {2, 2, "1 0 0 0 2 5 0 1", NULL},
        {1, 2, "1 99999999999 0 0", NULL},
        {1, 2, "1 99999999999999999999 0 0", NULL},
        {1, 2, "1 2147483648 0 0", NULL},
        {1, 2, "1 40001 0 0", NULL},
        {1, 2, "1 +5 0 0", NULL},
        {1, 2, "1 -0 0 0", NULL},
        {1, 2, "1\t0 0 0", NULL},
        {1, 2, "1 0 0 0 ", NULL},
        {1, 2, "1 0x1 0 0", NULL},
        {2, 2, "1 5 0 0 1 5 0 1", NULL},
        {2, 2, "1 5 0 1 2 5 0 1", NULL},
        {2, 2, "1 5 0 0 2 5 0 1", "2 1 1"},
        {2, 2, "1 5 0 0 2 5 0 1", "2 8 8"},
        {2, 2, "1 5 0 0 2 5 0 1", "2 1 2 "},
        {2, 2, "1 5 0 0 2 5 0 1", "-1 1"},
    };
    struct srv_draw draw;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_assert_not(srv_draw_read(&draw, bad[i].n, bad[i].seats, bad[i].entrants, bad[i].tables), "%zu", i);
}
