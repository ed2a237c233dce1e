/* Checks and actions shared by several statements of the model; see statement.h. */
#include <string.h>

#include "tests/simulate/statement.h"

/* ---- Shared checks ---- */
/* ---- Nodes ---- */
int statement_node(const char *name)
{
    for (int i = 0; i < sim_nodes_n(); i++)
        if (strcmp(sim_node_name(sim_node(i)), name) == 0)
            return i;
    return -1;
}

/* node_has_epoch: the caller holds a shared lock on the node's row. */
bool statement_has_epoch(const struct call *call, int node, int64_t epoch)
{
    if (sim_planted == SIM_PLANT_EPOCH_UNCHECKED)
        return true;
    return store_find_node(call->tx, node)->epoch == epoch;
}

void statement_refund(struct tx *tx, struct seat_row *seat)
{
    if (seat->player == 0 || seat->held == 0)
        return;
    tx->purses[seat->player] += seat->held;
    tx->posts = true;
    seat->held = 0;
}
