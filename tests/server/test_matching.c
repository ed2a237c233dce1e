/* Minimum-cost matchings, compared with one that tries all of them, and checked for optimality conditions. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/draw/matching.h"

enum { SMALL = 12 };

static uint64_t random_state = 88172645463325252U;

static uint64_t dice(uint64_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % below;
}

/* The least cost of pairing the vertices of each set. */
static srv_cost least(int n, const srv_cost *costs)
{
    static srv_cost best[1 << SMALL];
    best[0] = 0;
    for (int set = 1; set < 1 << n; set++) {
        int first = 0;
        while (!(set >> first & 1))
            first++;
        best[set] = -1;
        for (int other = first + 1; other < n; other++) {
            const int rest = set & ~(1 << first) & ~(1 << other);
            if (!(set >> other & 1) || best[rest] < 0)
                continue;
            const srv_cost cost = best[rest] + costs[first * n + other];
            if (best[set] < 0 || cost < best[set])
                best[set] = cost;
        }
    }
    return best[(1 << n) - 1];
}

static srv_cost cost_of(int n, const srv_cost *costs, const int *mate)
{
    srv_cost sum = 0;
    for (int i = 0; i < n; i++) {
        cr_assert(mate[i] >= 0 && mate[i] < n && mate[i] != i && mate[mate[i]] == i, "%d of %d", i, n);
        if (i < mate[i])
            sum += costs[i * n + mate[i]];
    }
    return sum;
}

static void fill(int n, srv_cost *costs, srv_cost (*cost)(int i, int j))
{
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            costs[i * n + j] = costs[j * n + i] = i == j ? 0 : cost(i, j);
}

static srv_cost of_few(int i, int j)
{
    (void)i, (void)j;
    return (srv_cost)dice(4);
}

static srv_cost of_many(int i, int j)
{
    (void)i, (void)j;
    return ((srv_cost)dice(3) << 84) + ((srv_cost)dice(5) << 60) + (srv_cost)dice(1ULL << 48);
}

static srv_cost of_lines(int i, int j)
{
    return ((srv_cost)(dice(3) == 0) << 90) + (srv_cost)abs(i - j);
}

static srv_cost largest(int i, int j)
{
    (void)i, (void)j;
    return dice(2) ? SRV_COST_MAX : 0;
}

static void compare(int rounds, srv_cost (*cost)(int i, int j))
{
    for (int round = 0; round < rounds; round++) {
        const int n = 2 + 2 * (int)dice(SMALL / 2);
        srv_cost costs[SMALL * SMALL];
        int mate[SMALL];
        fill(n, costs, cost);
        cr_assert(srv_match(n, costs, mate));
        cr_assert(cost_of(n, costs, mate) == least(n, costs), "round %d, n %d", round, n);
    }
}

Test(matching, is_optimal_among_many_equal_costs)
{
    compare(3000, of_few);
}

Test(matching, is_optimal_in_every_level_of_cost)
{
    compare(2000, of_many);
}

Test(matching, is_optimal_on_a_line_with_forbidden_pairs)
{
    compare(2000, of_lines);
}

Test(matching, handles_the_largest_costs)
{
    compare(300, largest);
}

/* For many vertices, checks that no exchange between two pairs is cheaper, and that the same costs give the
 * same pairs. */
static void exchange(int n, srv_cost (*cost)(int i, int j))
{
    srv_cost *costs = malloc(sizeof(*costs) * (size_t)(n * n));
    int *mate = malloc(sizeof(*mate) * (size_t)n), *again = malloc(sizeof(*mate) * (size_t)n);
    fill(n, costs, cost);
    cr_assert(srv_match(n, costs, mate) && srv_match(n, costs, again));
    cr_assert(memcmp(mate, again, sizeof(*mate) * (size_t)n) == 0);
    (void)cost_of(n, costs, mate);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (j != i && j != mate[i])
                cr_assert(costs[i * n + mate[i]] + costs[j * n + mate[j]] <=
                          costs[i * n + j] + costs[mate[i] * n + mate[j]]);
    free(costs);
    free(mate);
    free(again);
}

Test(matching, large_matchings_have_no_cheaper_exchange)
{
    exchange(200, of_few);
    exchange(150, of_many);
    exchange(SRV_MATCH_MAX, of_lines);
}
