/* The state of a node, and its clocks; see sim.h. */
#include "base/bug.h"
#include "tests/simulate/node_in.h"
#include "tests/simulate/store.h"

static struct sim_node nodes[SIM_NODES_MAX];
static int nodes_n;

void sim_nodes_set(int n)
{
    nodes_n = n;
}

struct sim_node *sim_node(int i)
{
    ASSERT(i >= 0 && i < nodes_n);
    return &nodes[i];
}

int sim_nodes_n(void)
{
    return nodes_n;
}

int sim_node_index(const struct sim_node *node)
{
    return node->index;
}

const char *sim_node_name(const struct sim_node *node)
{
    return node->name;
}

bool sim_node_up(const struct sim_node *node)
{
    return node->up;
}

bool sim_node_serves(const struct sim_node *node)
{
    return node->up && node->hub;
}

uint32_t sim_node_life(const struct sim_node *node)
{
    return node->life;
}

int64_t sim_node_frozen_until(const struct sim_node *node)
{
    return node->frozen_until;
}

struct srv_hub *sim_node_hub(const struct sim_node *node)
{
    return node->hub;
}

struct srv_lease *sim_node_lease(const struct sim_node *node)
{
    return node->lease;
}

int64_t sim_node_mono_ns(const struct sim_node *node)
{
    return node->mono_begins_ns + sim_now * 1000 + sim_now * node->drift_ppm / 1000;
}

int64_t sim_node_unix_ns(const struct sim_node *node)
{
    return store_unix_ms() * 1000000 + node->wall_off_ms * 1000000 + sim_now * node->drift_ppm / 1000;
}

void sim_node_wall_off(struct sim_node *node, int64_t ms)
{
    node->wall_off_ms = ms;
}
