/* Edmonds' algorithm for weighted matching in general graphs, in O(n³); see matching.h.
 *
 * Vertices are 1 to n, blossoms n + 1 to top. A node is a vertex or a blossom; `outer` is the outermost
 * node that contains it, or 0 for an unused number. The weight of a pair is FAR minus its cost, so the
 * heaviest matching is perfect and has the least cost. Duals keep the `excess` of each edge at 0 or above,
 * and of edges in the forest at 0. Each phase grows alternating trees from all free nodes until it finds an
 * augmenting path. */
#include "server/draw/matching.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"

#define FAR (SRV_COST_MAX * (SRV_MATCH_MAX / 2 + 1))

enum side { UNSEEN = -1, EVEN = 0, ODD = 1 };

/* The cheapest edge between two nodes, with its vertex in each. u 0: none. */
struct edge {
    uint16_t u, v;
};

struct blossom {
    uint16_t *petals; /* in the order of the cycle, starting at the base; always an odd number */
    uint16_t *holds;  /* by vertex: the petal that contains it, or 0 */
    int n;
};

struct graph {
    int n, top, wide; /* number of vertices; last node number in use; size of the tables, including 0 */
    srv_cost *weight; /* by pair of vertices */
    srv_cost *dual;
    struct edge *edges;       /* by pair of nodes */
    struct blossom *blossoms; /* by number - n - 1 */
    int *mate;                /* the vertex that a node is matched with, or 0 */
    int *outer, *parent, *slack, *seen;
    int *queue;
    int8_t *side;
    int head, tail, stamp;
    void *memory;
};

static struct edge edge_of(const struct graph *g, int x, int y)
{
    return g->edges[(size_t)x * (size_t)g->wide + (size_t)y];
}

static void set_edge(struct graph *g, int x, int y, struct edge e)
{
    g->edges[(size_t)x * (size_t)g->wide + (size_t)y] = e;
}

static struct blossom *blossom_of(const struct graph *g, int b)
{
    return &g->blossoms[b - g->n - 1];
}

/* The amount by which the sum of an edge's duals exceeds twice its weight. */
static srv_cost excess(const struct graph *g, struct edge e)
{
    return g->dual[e.u] + g->dual[e.v] - 2 * g->weight[(size_t)e.u * (size_t)(g->n + 1) + e.v];
}

static int holding(const struct graph *g, int node, int vertex)
{
    if (node <= g->n)
        return node == vertex ? node : 0;
    return blossom_of(g, node)->holds[vertex];
}

static void keep_slack(struct graph *g, int u, int x)
{
    if (!g->slack[x] || excess(g, edge_of(g, u, x)) < excess(g, edge_of(g, g->slack[x], x)))
        g->slack[x] = u;
}

static void find_slack(struct graph *g, int x)
{
    g->slack[x] = 0;
    for (int u = 1; u <= g->n; u++)
        if (edge_of(g, u, x).u && g->outer[u] != x && g->side[g->outer[u]] == EVEN)
            keep_slack(g, u, x);
}

/* NOLINTNEXTLINE(misc-no-recursion): recursion is as deep as blossoms are nested. */
static void push(struct graph *g, int node)
{
    if (node <= g->n) {
        ASSERT(g->tail < g->n);
        g->queue[g->tail++] = node;
        return;
    }
    const struct blossom *b = blossom_of(g, node);
    for (int i = 0; i < b->n; i++)
        push(g, b->petals[i]);
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static void set_outer(struct graph *g, int node, int outer)
{
    g->outer[node] = outer;
    if (node <= g->n)
        return;
    const struct blossom *b = blossom_of(g, node);
    for (int i = 0; i < b->n; i++)
        set_outer(g, b->petals[i], outer);
}

static void reverse(uint16_t *from, int n)
{
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        const uint16_t kept = from[i];
        from[i] = from[j];
        from[j] = kept;
    }
}

/* The index of a petal. Reverses the cycle if needed to make the petal's distance from the base even. */
static int even_way(struct blossom *b, int petal)
{
    int at = 0;
    while (b->petals[at] != petal)
        at++;
    if (at % 2 == 0)
        return at;
    reverse(b->petals + 1, b->n - 1);
    return b->n - at;
}

/* Matches a node with another along their edge. Inside a blossom, the base moves to the petal at which the
 * edge begins.
 * NOLINTNEXTLINE(misc-no-recursion) */
static void set_mate(struct graph *g, int node, int other)
{
    const struct edge e = edge_of(g, node, other);
    g->mate[node] = e.v;
    if (node <= g->n)
        return;
    struct blossom *b = blossom_of(g, node);
    const int petal = b->holds[e.u];
    const int way = even_way(b, petal);
    for (int i = 0; i < way; i++)
        set_mate(g, b->petals[i], b->petals[i ^ 1]);
    set_mate(g, petal, other);
    reverse(b->petals, way);
    reverse(b->petals + way, b->n - way);
    reverse(b->petals, b->n);
}

static void augment(struct graph *g, int u, int v)
{
    for (;;) {
        const int next = g->outer[g->mate[u]];
        set_mate(g, u, v);
        if (!next)
            return;
        const int up = g->outer[g->parent[next]];
        set_mate(g, next, up);
        u = up;
        v = next;
    }
}

static int meeting_point(struct graph *g, int u, int v)
{
    g->stamp++;
    while (u || v) {
        if (u) {
            if (g->seen[u] == g->stamp)
                return u;
            g->seen[u] = g->stamp;
            u = g->outer[g->mate[u]];
            if (u)
                u = g->outer[g->parent[u]];
        }
        const int kept = u;
        u = v;
        v = kept;
    }
    return 0;
}

static void add_way(struct graph *g, struct blossom *b, int from, int to)
{
    for (int x = from; x != to;) {
        const int y = g->outer[g->mate[x]];
        b->petals[b->n++] = (uint16_t)x;
        b->petals[b->n++] = (uint16_t)y;
        push(g, y);
        x = g->outer[g->parent[y]];
    }
}

/* The edges of a new blossom are the cheapest ones of its petals. */
static void join_edges(struct graph *g, int node)
{
    struct blossom *b = blossom_of(g, node);
    for (int x = 1; x <= g->top; x++) {
        set_edge(g, node, x, (struct edge){0});
        set_edge(g, x, node, (struct edge){0});
    }
    memset(b->holds, 0, sizeof(*b->holds) * (size_t)(g->n + 1));
    for (int i = 0; i < b->n; i++) {
        const int petal = b->petals[i];
        for (int x = 1; x <= g->top; x++) {
            const struct edge e = edge_of(g, petal, x);
            if (!e.u)
                continue;
            const struct edge best = edge_of(g, node, x);
            if (!best.u || excess(g, e) < excess(g, best)) {
                set_edge(g, node, x, e);
                set_edge(g, x, node, (struct edge){e.v, e.u});
            }
        }
        for (int x = 1; x <= g->n; x++)
            if (holding(g, petal, x))
                b->holds[x] = (uint16_t)petal;
    }
}

static void add_blossom(struct graph *g, int u, int base, int v)
{
    int node = g->n + 1;
    while (node <= g->top && g->outer[node])
        node++;
    if (node > g->top)
        g->top++;
    ASSERT(g->top < g->wide);
    g->dual[node] = 0;
    g->side[node] = EVEN;
    g->mate[node] = g->mate[base];
    struct blossom *b = blossom_of(g, node);
    b->n = 0;
    b->petals[b->n++] = (uint16_t)base;
    add_way(g, b, u, base);
    reverse(b->petals + 1, b->n - 1);
    add_way(g, b, v, base);
    set_outer(g, node, node);
    join_edges(g, node);
    find_slack(g, node);
}

static void expand(struct graph *g, int node)
{
    struct blossom *b = blossom_of(g, node);
    for (int i = 0; i < b->n; i++)
        set_outer(g, b->petals[i], b->petals[i]);
    const int petal = b->holds[edge_of(g, node, g->parent[node]).u];
    const int way = even_way(b, petal);
    for (int i = 0; i < way; i += 2) {
        const int odd = b->petals[i], even = b->petals[i + 1];
        g->parent[odd] = edge_of(g, even, odd).u;
        g->side[odd] = ODD;
        g->side[even] = EVEN;
        g->slack[odd] = 0;
        find_slack(g, even);
        push(g, even);
    }
    g->side[petal] = ODD;
    g->parent[petal] = g->parent[node];
    for (int i = way + 1; i < b->n; i++) {
        g->side[b->petals[i]] = UNSEEN;
        find_slack(g, b->petals[i]);
    }
    g->outer[node] = 0;
}

/* Uses an edge without excess from an even node. true: it closed an augmenting path. */
static bool take_edge(struct graph *g, struct edge e)
{
    const int u = g->outer[e.u], v = g->outer[e.v];
    if (g->side[v] == UNSEEN) {
        g->parent[v] = e.u;
        g->side[v] = ODD;
        const int next = g->outer[g->mate[v]];
        g->slack[v] = g->slack[next] = 0;
        g->side[next] = EVEN;
        push(g, next);
    } else if (g->side[v] == EVEN) {
        const int base = meeting_point(g, u, v);
        if (!base) {
            augment(g, u, v);
            augment(g, v, u);
            return true;
        }
        add_blossom(g, u, base, v);
    }
    return false;
}

static bool grow(struct graph *g)
{
    while (g->head < g->tail) {
        const int u = g->queue[g->head++];
        if (g->side[g->outer[u]] == ODD)
            continue;
        for (int v = 1; v <= g->n; v++) {
            if (v == u || g->outer[u] == g->outer[v])
                continue;
            const struct edge e = {(uint16_t)u, (uint16_t)v};
            if (excess(g, e) > 0)
                keep_slack(g, u, g->outer[v]);
            else if (take_edge(g, e))
                return true;
        }
    }
    return false;
}

/* The amount by which the duals can change until the excess of an edge or the dual of a blossom reaches
 * 0. */
static srv_cost step_of(const struct graph *g)
{
    srv_cost step = -1;
    for (int x = 1; x <= g->top; x++) {
        if (g->outer[x] != x)
            continue;
        srv_cost most = -1;
        if (x > g->n && g->side[x] == ODD)
            most = g->dual[x] / 2;
        else if (g->slack[x] && g->side[x] != ODD)
            most = excess(g, edge_of(g, g->slack[x], x)) / (g->side[x] == EVEN ? 2 : 1);
        if (most >= 0 && (step < 0 || most < step))
            step = most;
    }
    ASSERT(step >= 0); /* the graph is complete, so the algorithm can always continue */
    return step;
}

static void move_duals(struct graph *g, srv_cost step)
{
    for (int x = 1; x <= g->top; x++) {
        const int side = x <= g->n ? g->side[g->outer[x]] : g->outer[x] == x ? g->side[x] : UNSEEN;
        if (side == UNSEEN)
            continue;
        const srv_cost by = x <= g->n ? -step : 2 * step;
        g->dual[x] += side == EVEN ? by : -by;
    }
}

static bool take_tight(struct graph *g)
{
    for (int x = 1; x <= g->top; x++) {
        const int u = g->slack[x];
        if (g->outer[x] == x && u && g->outer[u] != x && excess(g, edge_of(g, u, x)) == 0 &&
            take_edge(g, edge_of(g, u, x)))
            return true;
    }
    return false;
}

/* One phase: matches two more nodes. false: all are matched. */
static bool phase(struct graph *g)
{
    g->head = g->tail = 0;
    for (int x = 1; x <= g->top; x++) {
        g->side[x] = UNSEEN;
        g->slack[x] = 0;
    }
    for (int x = 1; x <= g->top; x++)
        if (g->outer[x] == x && !g->mate[x]) {
            g->parent[x] = 0;
            g->side[x] = EVEN;
            push(g, x);
        }
    if (g->tail == 0)
        return false;
    for (;;) {
        if (grow(g))
            return true;
        move_duals(g, step_of(g));
        if (take_tight(g))
            return true;
        for (int b = g->n + 1; b <= g->top; b++)
            if (g->outer[b] == b && g->side[b] == ODD && g->dual[b] == 0)
                expand(g, b);
    }
}

/* Allocates all tables at once, in order of decreasing alignment. */
static bool make(struct graph *g, int n)
{
    const size_t flowers = (size_t)n / 2, wide = (size_t)n + flowers + 1, v = (size_t)n + 1;
    const size_t size = sizeof(srv_cost) * (v * v + wide) + sizeof(struct blossom) * flowers +
                        sizeof(int) * (5 * wide + v) + sizeof(struct edge) * wide * wide +
                        sizeof(uint16_t) * flowers * (2 * v) + sizeof(int8_t) * wide;
    char *at = calloc(1, size);
    if (!at)
        return false;
    *g = (struct graph){.n = n, .top = n, .wide = (int)wide, .memory = at};
    g->weight = (srv_cost *)at;
    g->dual = g->weight + v * v;
    g->blossoms = (struct blossom *)(g->dual + wide);
    g->mate = (int *)(g->blossoms + flowers);
    g->outer = g->mate + wide;
    g->parent = g->outer + wide;
    g->slack = g->parent + wide;
    g->seen = g->slack + wide;
    g->queue = g->seen + wide;
    g->edges = (struct edge *)(g->queue + v);
    uint16_t *numbers = (uint16_t *)(g->edges + wide * wide);
    for (size_t b = 0; b < flowers; b++, numbers += 2 * v)
        g->blossoms[b] = (struct blossom){.petals = numbers, .holds = numbers + v};
    g->side = (int8_t *)numbers;
    return true;
}

bool srv_match(int n, const srv_cost *costs, int *mate)
{
    ASSERT(n >= 2 && n <= SRV_MATCH_MAX && n % 2 == 0);
    struct graph graph, *g = &graph;
    if (!make(g, n))
        return false;
    srv_cost most = 0;
    for (int u = 1; u <= n; u++)
        for (int v = 1; v <= n; v++) {
            if (u == v)
                continue;
            const srv_cost weight = FAR - costs[(u - 1) * n + v - 1];
            g->weight[(size_t)u * (size_t)(n + 1) + (size_t)v] = weight;
            set_edge(g, u, v, (struct edge){(uint16_t)u, (uint16_t)v});
            most = weight > most ? weight : most;
        }
    for (int u = 1; u <= n; u++) {
        g->outer[u] = u;
        g->dual[u] = most;
    }
    while (phase(g))
        ;
    for (int u = 1; u <= n; u++)
        mate[u - 1] = g->mate[u] - 1;
    free(g->memory);
    return true;
}
