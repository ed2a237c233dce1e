/* The registry of nodes; see db/lease.h. */
#include "db/lease.h"

#include "base/bug.h"

#include <stdio.h>
#include <string.h>

static const struct db_stmt renew_stmt = {
    "do_node_renew",
    "SELECT code, lease_ms, drain, pass_n, unix_ms FROM do_node_renew($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    9};
static const struct db_stmt peers_stmt = {
    "q_peer_nodes", "SELECT node, renewals, lives, ws_url, version, tables, lobby FROM q_peer_nodes($1)", 1};
static const struct db_stmt adopt_stmt = {"do_adopt_tables",
                                          "SELECT table_id FROM do_adopt_tables($1, $2, $3, $4, $5)", 5};
static const struct db_stmt clock_stmt = {"database_clock",
                                          "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint", 0};

enum db_lease_result db_lease_renew(struct db_conn *conn, const struct db_node_report *report,
                                    int64_t *lease_ms, struct db_node_orders *orders, struct db_error *err)
{
    char memory[2 * DB_LEASE_TEXT_MAX];
    struct db_args args;
    db_args_init(&args, memory, sizeof(memory));
    db_args_text(&args, report->node);
    db_args_int(&args, report->epoch);
    db_args_text(&args, report->state);
    db_args_text(&args, report->ws_url);
    db_args_text(&args, report->version);
    db_args_int(&args, report->table_max);
    db_args_int(&args, report->tables);
    db_args_int(&args, report->sockets);
    db_args_int(&args, report->lobby);
    DB_AUTO PGresult *rows = db_run(conn, &renew_stmt, &args, err);
    if (!rows)
        return DB_LEASE_AWAY;
    ASSERT(PQntuples(rows) == 1);
    *lease_ms = db_i64(rows, 0, 1);
    if (strcmp(db_text(rows, 0, 0), "ok") != 0)
        return DB_LEASE_STALE;
    *orders = (struct db_node_orders){
        .drain = db_bool(rows, 0, 2), .pass_n = db_i64(rows, 0, 3), .unix_ms = db_i64(rows, 0, 4)};
    return DB_LEASE_OK;
}

int db_lease_peers(struct db_conn *conn, const char *node, struct db_peer nodes[DB_LEASE_NODES_MAX],
                   struct db_error *err)
{
    char memory[128];
    struct db_args args;
    db_args_init(&args, memory, sizeof(memory));
    db_args_text(&args, node);
    DB_AUTO PGresult *rows = db_run(conn, &peers_stmt, &args, err);
    int n = rows ? PQntuples(rows) : -1;
    ASSERT(n <= DB_LEASE_NODES_MAX);
    for (int i = 0; i < n; i++) {
        nodes[i] = (struct db_peer){.renewals = db_i64(rows, i, 1),
                                    .lives = db_bool(rows, i, 2),
                                    .tables = db_bool(rows, i, 5),
                                    .lobby = db_i64(rows, i, 6)};
        (void)snprintf(nodes[i].node, sizeof(nodes[i].node), "%s", db_text(rows, i, 0));
        (void)snprintf(nodes[i].ws_url, sizeof(nodes[i].ws_url), "%s", db_text(rows, i, 3));
        (void)snprintf(nodes[i].version, sizeof(nodes[i].version), "%s", db_text(rows, i, 4));
    }
    return n;
}

int db_lease_adopt(struct db_conn *conn, const struct db_node_report *report, const struct db_peer *from,
                   int64_t tables[DB_LEASE_ADOPT_MAX], struct db_error *err)
{
    char memory[256];
    struct db_args args;
    db_args_init(&args, memory, sizeof(memory));
    db_args_text(&args, report->node);
    db_args_int(&args, report->epoch);
    db_args_text(&args, from->node);
    db_args_int(&args, from->renewals);
    db_args_int(&args, DB_LEASE_ADOPT_MAX);
    DB_AUTO PGresult *rows = db_run(conn, &adopt_stmt, &args, err);
    int n = rows ? PQntuples(rows) : -1;
    ASSERT(n <= DB_LEASE_ADOPT_MAX);
    for (int i = 0; i < n; i++)
        tables[i] = db_i64(rows, i, 0);
    return n;
}

bool db_lease_clock(struct db_conn *conn, int64_t *unix_ms, struct db_error *err)
{
    DB_AUTO PGresult *rows = db_run(conn, &clock_stmt, NULL, err);
    if (!rows)
        return false;
    *unix_ms = db_i64(rows, 0, 0);
    return true;
}
