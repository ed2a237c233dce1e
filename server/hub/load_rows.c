/* Reads the rows of one table, and applies them; see load_rows.h. Hub thread. */
#include "server/hub/load_rows.h"

#include <stdlib.h>
#include <string.h>

#include "api/play/table_rows.h"
#include "base/log.h"
#include "server/hub/hub_in.h"
#include "server/hub/revoked.h"

enum tab_load_result srv_hub_take_rows(struct srv_hub *hub, int64_t table_id, const PGresult *result,
                                       struct tab_table **table)
{
    struct srv_rows rows;
    *table = NULL;
    if (!srv_rows_read(&rows, table_id, result))
        return TAB_LOAD_ENDED;
    enum tab_load_result loaded = rows.asleep ? TAB_LOAD_FULL : TAB_LOAD_ENDED;
    if (rows.asleep)
        log_debug("asleep", LOG_NUM("table", table_id));
    else if (strcmp(rows.node, hub->config->node) == 0)
        loaded = tab_registry_load(&hub->registry, &rows.load, table);
    else
        loaded = TAB_LOAD_ELSEWHERE;
    srv_rows_free(&rows);
    if (loaded == TAB_LOADED)
        srv_hub_leave_banned(hub, *table);
    return loaded;
}

/* A pending read, or the wake-up of a sleeping table. */
struct row_read {
    struct srv_hub *hub;
    int64_t table_id;
    uint64_t evicted_n; /* number of evictions when the query was sent */
    db_pipe_fn *fn;
    void *arg;
    bool may_wake;
};

static void on_row_read(void *arg, const struct db_reply *reply);

static bool send_read(struct row_read *read)
{
    char memory[64];
    struct db_args args;
    db_args_init(&args, memory, sizeof(memory));
    db_args_int(&args, read->table_id);
    read->evicted_n = read->hub->evicted.n;
    return db_pipe_read(read->hub->pipe, &api_table_rows_stmt, &args, on_row_read, read);
}

/* reply NULL: the query could not be sent. */
static void end_read(struct row_read *read, const struct db_reply *reply)
{
    static const struct db_error busy = {.outcome = DB_DOWN, .text = "the queue of the database is full"};
    const struct db_reply failed = {.outcome = DB_DOWN, .err = &busy};
    struct row_read ended = *read;
    free(read);
    ended.fn(ended.arg, reply ? reply : &failed);
}

/* Another node may have woken the table, so reads the rows again for the current owner. */
static void on_woken(void *arg, const struct db_reply *reply)
{
    struct row_read *read = arg;
    if (reply->outcome != DB_OK)
        end_read(read, reply);
    else if (!send_read(read))
        end_read(read, NULL);
}

static void wake(struct row_read *read)
{
    static const struct db_stmt stmt = {"do_wake_table", "SELECT code FROM do_wake_table($1, $2, $3)", 3};
    char memory[256];
    struct db_args args;
    db_args_init(&args, memory, sizeof(memory));
    db_args_int(&args, read->table_id);
    db_args_text(&args, read->hub->config->node);
    db_args_int(&args, read->hub->epoch);
    read->may_wake = false;
    if (!db_pipe_write(read->hub->pipe, &stmt, &args, on_woken, read))
        end_read(read, NULL);
}

static void on_row_read(void *arg, const struct db_reply *reply)
{
    struct row_read *read = arg;
    if (srv_hub_evicted_since(read->hub, read->table_id,
                              read->evicted_n)) { /* the rows may be older than the eviction */
        if (!send_read(read))
            end_read(read, NULL);
        return;
    }
    bool asleep = reply->outcome == DB_OK && PQntuples(reply->rows) > 0 &&
                  db_bool(reply->rows, 0, db_col(reply->rows, "asleep"));
    if (asleep && read->may_wake && !read->hub->draining)
        wake(read);
    else
        end_read(read, reply);
}

bool srv_hub_read_rows(struct srv_hub *hub, int64_t table_id, bool may_wake, db_pipe_fn *fn, void *arg)
{
    struct row_read *read = malloc(sizeof(*read));
    if (!read)
        return false;
    *read = (struct row_read){.hub = hub, .table_id = table_id, .fn = fn, .arg = arg, .may_wake = may_wake};
    if (send_read(read))
        return true;
    free(read);
    return false;
}
