/* The bus between the nodes, which may lose, duplicate, and delay any message; and its messages about
 * tables that have changed, and tables that an operator wants to end. See sim.h. */
#include "bus/message.h"
#include "server/hub/hub.h"
#include "tests/simulate/store.h"

enum { LOST_PER_MILLE = 100, TWICE_PER_MILLE = 100, LATE_PER_MILLE = 100, LATE_MS_MAX = 5000 };

static bool away;

static void arrives(void *node, int64_t number)
{
    const struct bus_message message = {.kind = (enum bus_kind)(number & 15), .id = number >> 4};
    if (sim_node_serves(node))
        srv_hub_receive(sim_node_hub(node), &message);
}

static void send_to(struct sim_node *node, enum bus_kind kind, int64_t id)
{
    bool late = sim_chance(&sim_net, LATE_PER_MILLE);
    int64_t us = late ? sim_between(&sim_net, 0, LATE_MS_MAX) * SIM_MS : sim_between(&sim_net, 100, 3000);
    sim_after(us, node, arrives, node, id << 4 | (int64_t)kind);
}

void sim_bus_publish(enum bus_kind kind, int64_t id)
{
    _Static_assert(BUS_KINDS_N <= 16, "a kind fits into the four bits below the id");
    for (int i = 0; i < sim_nodes_n() && !away; i++) {
        struct sim_node *node = sim_node(i);
        if (sim_net_is_cut(node) || sim_chance(&sim_net, LOST_PER_MILLE))
            continue;
        send_to(node, kind, id);
        if (sim_chance(&sim_net, TWICE_PER_MILLE))
            send_to(node, kind, id);
    }
}

/* When the bus has recovered, all nodes check everything. */
void sim_bus_away(bool now_away)
{
    bool back = away && !now_away;
    away = now_away;
    for (int i = 0; back && i < sim_nodes_n(); i++)
        send_to(sim_node(i), BUS_CHECK_ALL, 0);
}

static void cancel_asked(void *arg, int64_t id)
{
    struct table *table = store_table(id);
    (void)arg;
    if (!store_up || table->row.state > ROW_PLAYING)
        return;
    sim_trace("an operator wants table %lld ended", (long long)id);
    table->cancel_us = sim_now;
    sim_bus_publish(BUS_TABLE_CANCEL, id);
}

void sim_operator_ends(int64_t table, int64_t after_us)
{
    sim_after(after_us, NULL, cancel_asked, NULL, table);
}
