/* The functions of db/functions/nodes in the model: names, epochs, leases, tables taken over. See
 * statement.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "tests/simulate/statement.h"

static bool node_is_alive(const struct node_row *row)
{
    return strcmp(row->state, "gone") != 0 && row->alive_ms > store_unix_ms() - store_lease_ms;
}

static int64_t fence(struct call *call, int node, const char *state)
{
    static int64_t epochs;
    struct node_row *row = store_change_node(call->tx, node);
    row->epoch = row->lease_epoch = ++epochs;
    (void)snprintf(row->state, sizeof(row->state), "%s", state);
    return row->epoch;
}

static bool lock_tables_of(struct call *call, int node)
{
    for (size_t i = 0; i < store_tables_n; i++)
        if (store_tables[i].row.node == node && !store_lock(call->tx, LOCK_TABLE, (int64_t)i + 1))
            return false;
    return true;
}

enum verdict statement_node_start(struct call *call)
{
    int node = statement_node(arg_text(call->args, 0));
    rows_begin(call->answer, "code epoch");
    if (call->name_is_taken(call->session, node)) {
        rows_text(call->answer, "node_running");
        rows_null(call->answer);
        return DONE;
    }
    if (!store_lock(call->tx, LOCK_LEASE, node) || !store_lock(call->tx, LOCK_NODE, node) ||
        !lock_tables_of(call, node))
        return WAITS;
    struct node_row *row = store_change_node(call->tx, node);
    for (size_t i = 0; i < store_tables_n; i++) {
        const struct table_row *table = &store_tables[i].row;
        if (table->node == node && table->state <= ROW_PLAYING && table->stopped_ms != 0 &&
            row->seen_ms > table->stopped_ms)
            store_change(call->tx, table->id)->stopped_ms = 0;
    }
    row->stopped_ms = row->exists ? row->seen_ms : 0;
    row->exists = true;
    row->renewals++;
    row->alive_ms = store_unix_ms();
    call->answer->name_taken = node;
    rows_text(call->answer, "ok");
    rows_int(call->answer, fence(call, node, "starting"));
    return DONE;
}

enum verdict statement_node_resume(struct call *call)
{
    int node = statement_node(arg_text(call->args, 0));
    rows_begin(call->answer, "code");
    if (call->name_is_taken(call->session, node)) {
        rows_text(call->answer, "node_running");
        return DONE;
    }
    bool mine = store_find_node(call->tx, node)->epoch == arg_int(call->args, 1);
    if (mine)
        call->answer->name_taken = node;
    rows_text(call->answer, mine ? "ok" : "stale_epoch");
    return DONE;
}

enum verdict statement_node_renew(struct call *call)
{
    const struct args *a = call->args;
    int node = statement_node(arg_text(a, 0));
    if (!store_lock(call->tx, LOCK_LEASE, node))
        return WAITS;
    bool mine = store_find_node(call->tx, node)->lease_epoch == arg_int(a, 1);
    if (mine) {
        struct node_row *row = store_change_node(call->tx, node);
        (void)snprintf(row->state, sizeof(row->state), "%s", arg_text(a, 2));
        row->renewals++;
        row->alive_ms = store_unix_ms();
        if (strcmp(row->state, "starting") != 0)
            row->seen_ms = row->alive_ms;
        (void)snprintf(row->ws_url, sizeof(row->ws_url), "%s", arg_text(a, 3));
        (void)snprintf(row->version, sizeof(row->version), "%s", arg_text(a, 4));
        row->table_max = arg_int(a, 5);
        row->tables = arg_int(a, 6);
        row->sockets = arg_int(a, 7);
    }
    rows_begin(call->answer, "code lease_ms drain pass_n unix_ms");
    rows_text(call->answer, mine ? "ok" : "stale_epoch");
    rows_int(call->answer, store_lease_ms);
    rows_bool(call->answer, false);
    rows_int(call->answer, 0);
    rows_int(call->answer, store_unix_ms());
    return DONE;
}

static bool has_live_tables(int node)
{
    for (size_t i = 0; i < store_tables_n; i++)
        if (store_tables[i].row.node == node && store_tables[i].row.state <= ROW_PLAYING)
            return true;
    return false;
}

enum verdict statement_peer_nodes(struct call *call)
{
    int node = statement_node(arg_text(call->args, 0));
    rows_begin(call->answer, "node renewals lives ws_url version tables lobby");
    for (int i = 0; i < sim_nodes_n(); i++) {
        const struct node_row *row = &store_nodes[i];
        if (i == node || !row->exists)
            continue;
        rows_text(call->answer, sim_node_name(sim_node(i)));
        rows_int(call->answer, row->renewals);
        rows_bool(call->answer, node_is_alive(row));
        rows_text(call->answer, row->ws_url);
        rows_text(call->answer, row->version);
        rows_bool(call->answer, has_live_tables(i));
        rows_int(call->answer, 0);
    }
    return DONE;
}

static int64_t share_of(const struct call *call, int node, int64_t left, int64_t most)
{
    int64_t room = 0, rooms = 0;
    for (int i = 0; i < sim_nodes_n(); i++) {
        const struct node_row *row = store_find_node(call->tx, i);
        if (row->table_max <= row->tables || strcmp(row->state, "ready") != 0 || !node_is_alive(row))
            continue;
        rooms += row->table_max - row->tables;
        room += i == node ? row->table_max - row->tables : 0;
    }
    if (room == 0)
        return 0;
    int64_t share = (left * room + rooms - 1) / rooms;
    most = most < room ? most : room;
    return share < most ? share : most;
}

enum verdict statement_adopt_tables(struct call *call)
{
    const struct args *a = call->args;
    int node = statement_node(arg_text(a, 0)), from = statement_node(arg_text(a, 2));
    rows_begin(call->answer, "table_id");
    const struct node_row *gone = &store_nodes[from];
    if (gone->renewals != arg_int(a, 3) || !store_lock(call->tx, LOCK_LEASE, from))
        return DONE;
    if (!store_lock(call->tx, LOCK_NODE_SHARE, node))
        return WAITS;
    if (store_nodes[node].epoch != arg_int(a, 1) || !store_lock(call->tx, LOCK_NODE, from))
        return DONE;
    int64_t left = 0, n = 0;
    for (size_t i = 0; i < store_tables_n; i++)
        left += store_tables[i].row.node == from && store_tables[i].row.state <= ROW_PLAYING;
    int64_t share = share_of(call, node, left, arg_int(a, 4));
    if (share == 0)
        return DONE;
    if (strcmp(gone->state, "gone") != 0 && sim_planted != SIM_PLANT_ADOPTED_UNFENCED)
        (void)fence(call, from, "gone");
    for (size_t i = 0; i < store_tables_n && n < share; i++) {
        const struct table_row *table = &store_tables[i].row;
        if (table->node != from || table->state > ROW_PLAYING || !store_lock(call->tx, LOCK_TABLE, table->id))
            continue;
        struct table_row *mine = store_change(call->tx, table->id);
        mine->node = node;
        mine->stopped_ms = gone->seen_ms ? gone->seen_ms : mine->stopped_ms;
        rows_int(call->answer, table->id);
        n++;
    }
    return DONE;
}

enum verdict statement_database_clock(struct call *call)
{
    rows_begin(call->answer, "clock");
    rows_int(call->answer, store_unix_ms());
    return DONE;
}

enum verdict statement_node_renewals(struct call *call)
{
    rows_begin(call->answer, "renewals");
    rows_int(call->answer, store_nodes[statement_node(arg_text(call->args, 0))].renewals);
    return DONE;
}

/* ---- Hand-over ---- */
/* node_heir; -1 if no node would accept the table. */
static int heir_of(const struct call *call, int node, bool to_lighter)
{
    const struct node_row *mine = store_find_node(call->tx, node);
    int heirs[SIM_NODES_MAX], n = 0;
    for (int i = 0; i < sim_nodes_n(); i++) {
        const struct node_row *row = store_find_node(call->tx, i);
        bool fits = i != node && strcmp(row->state, "ready") == 0 && row->tables < row->table_max &&
                    node_is_alive(row) && row->epoch == row->lease_epoch;
        if (fits &&
            (!to_lighter || row->tables * 100 / row->table_max < mine->tables * 100 / mine->table_max))
            heirs[n++] = i;
    }
    return n > 0 ? heirs[sim_between(&sim_net, 0, n - 1)] : -1;
}

enum verdict statement_hand_over_table(struct call *call)
{
    int64_t id = arg_int(call->args, 0);
    int node = statement_node(arg_text(call->args, 1));
    if (!store_lock(call->tx, LOCK_TABLE, id) || !store_lock(call->tx, LOCK_NODE_SHARE, node))
        return WAITS;
    const struct table_row *table = store_find(call->tx, id);
    int heir = heir_of(call, node, arg_text(call->args, 3)[0] == 't');
    if (heir >= 0 && !store_lock(call->tx, LOCK_NODE_SHARE, heir))
        return WAITS;
    const char *code = !statement_has_epoch(call, node, arg_int(call->args, 2)) ? "stale_epoch"
                       : table->node != node                                    ? "already_done"
                       : table->state > ROW_PLAYING                             ? "not_live"
                       : heir < 0                                               ? "no_heir"
                                                                                : "ok";
    if (strcmp(code, "ok") == 0) {
        struct table_row *mine = store_change(call->tx, id);
        mine->node = heir;
        mine->stopped_ms = store_unix_ms();
        sim_trace("%s hands over table %lld to %s", sim_node_name(sim_node(node)), (long long)id,
                  sim_node_name(sim_node(heir)));
    }
    rows_begin(call->answer, "code ws_url");
    rows_text(call->answer, code);
    rows_text(call->answer, store_nodes[store_find(call->tx, id)->node].ws_url);
    return DONE;
}
