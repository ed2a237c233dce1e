/* Rows and transactions of the model of PostgreSQL; see store.h. A transaction changes copies, which replace
 * the rows on commit; a changed row is locked until then. */
#include "tests/simulate/store.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"

enum { UNIX_MS = 1795000 };

struct table store_tables[SIM_TABLES_MAX];
size_t store_tables_n;
struct node_row store_nodes[SIM_NODES_MAX];
int64_t store_purses[SIM_CLIENTS_MAX + 1], store_house;
bool store_up, store_disk_full;
int64_t store_slow_us, store_lease_ms = 3000;

static struct tx txs[TX_MAX];
static size_t txs_n; /* maximum number used at once */
static bool released;
static const struct store_watch *watched;

void store_watch(const struct store_watch *watch)
{
    watched = watch;
}

int64_t store_unix_ms(void)
{
    return UNIX_MS * 1000000LL + sim_now / SIM_MS;
}

struct table *store_table(int64_t id)
{
    return id > 0 && (size_t)id <= store_tables_n ? &store_tables[id - 1] : NULL;
}

struct tx *store_begin(void)
{
    for (size_t i = 0; i < TX_MAX; i++) {
        if (txs[i].used)
            continue;
        memset(&txs[i], 0, offsetof(struct tx, copies));
        txs[i].used = true;
        txs_n = i < txs_n ? txs_n : i + 1;
        return &txs[i];
    }
    BUG("more transactions than connections");
}

/* ---- Locks ---- */
static bool against(const struct lock *held, enum lock_kind kind, int64_t id)
{
    if (held->id != id)
        return false;
    if (held->kind == LOCK_NODE_SHARE)
        return kind == LOCK_NODE;
    if (held->kind == LOCK_NODE)
        return kind == LOCK_NODE || kind == LOCK_NODE_SHARE;
    return held->kind == kind;
}

bool store_lock(struct tx *tx, enum lock_kind kind, int64_t id)
{
    for (size_t i = 0; i < txs_n; i++)
        for (size_t k = 0; txs[i].used && &txs[i] != tx && k < txs[i].locks_n; k++)
            if (against(&txs[i].locks[k], kind, id))
                return false;
    for (size_t k = 0; k < tx->locks_n; k++)
        if (tx->locks[k].kind == kind && tx->locks[k].id == id)
            return true;
    ASSERT(tx->locks_n < TX_LOCKS_MAX);
    tx->locks[tx->locks_n++] = (struct lock){kind, id};
    return true;
}

bool store_released(void)
{
    bool was = released;
    released = false;
    return was;
}

/* ---- Copies ---- */
const struct table_row *store_find(const struct tx *tx, int64_t id)
{
    const struct table *table = store_table(id);
    for (size_t i = 0; i < tx->copies_n; i++)
        if (tx->copies[i]->id == id)
            return tx->copies[i];
    return table ? &table->row : NULL;
}

struct table_row *store_change(struct tx *tx, int64_t id)
{
    const struct table *table = store_table(id);
    for (size_t i = 0; i < tx->copies_n; i++)
        if (tx->copies[i]->id == id)
            return tx->copies[i];
    if (!table)
        return NULL;
    ASSERT(tx->copies_n < TX_TABLES_MAX);
    struct table_row *copy = malloc(sizeof(*copy));
    ASSERT(copy);
    *copy = table->row;
    tx->writes = true;
    return tx->copies[tx->copies_n++] = copy;
}

const struct node_row *store_find_node(const struct tx *tx, int node)
{
    return tx->node_changed[node] ? &tx->nodes[node] : &store_nodes[node];
}

struct node_row *store_change_node(struct tx *tx, int node)
{
    if (!tx->node_changed[node])
        tx->nodes[node] = store_nodes[node];
    tx->node_changed[node] = tx->writes = true;
    return &tx->nodes[node];
}

/* ---- Ending a transaction ---- */
static void end(struct tx *tx)
{
    for (size_t i = 0; i < tx->copies_n; i++)
        free(tx->copies[i]);
    released = released || tx->locks_n > 0;
    tx->used = false;
}

void store_abort(struct tx *tx)
{
    end(tx);
}

static bool move_fits(const struct move_row *move)
{
    const struct table *table = store_table(move->table);
    return table && (table->moves_n == 0 || table->moves[table->moves_n - 1].v < move->v);
}

static void add_move(const struct move_row *move)
{
    struct table *table = store_table(move->table);
    if (table->moves_n == table->moves_cap) {
        table->moves_cap = table->moves_cap ? 2 * table->moves_cap : 64;
        table->moves = realloc(table->moves, table->moves_cap * sizeof(*table->moves));
        ASSERT(table->moves);
    }
    struct move_row *row = &table->moves[table->moves_n++];
    *row = *move;
    row->at_us = sim_now;
    watched->moved(table, row);
}

static void put_rows(struct tx *tx)
{
    for (int i = 0; i < SIM_NODES_MAX; i++)
        if (tx->node_changed[i])
            store_nodes[i] = tx->nodes[i];
    for (size_t i = 0; i < tx->copies_n; i++) {
        struct table *table = store_table(tx->copies[i]->id);
        struct table_row before = table->row;
        table->row = *tx->copies[i];
        watched->changed(table, &before);
    }
    if (!tx->posts)
        return;
    for (size_t i = 0; i <= SIM_CLIENTS_MAX; i++)
        store_purses[i] += tx->purses[i];
    store_house += tx->house;
}

bool store_commit(struct tx *tx)
{
    for (size_t i = 0; i < tx->moves_n; i++) {
        if (move_fits(&tx->moves[i]))
            continue;
        end(tx);
        return false;
    }
    for (size_t i = 0; i < tx->moves_n; i++)
        add_move(&tx->moves[i]);
    put_rows(tx);
    bool posts = tx->posts || tx->copies_n > 0;
    end(tx);
    if (posts)
        watched->chips();
    return true;
}
