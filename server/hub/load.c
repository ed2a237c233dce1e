/* Loading tables from their rows; see load.h. Hub thread. */
#include "server/hub/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/play/table_rows.h"
#include "base/bug.h"
#include "base/log.h"
#include "base/thread.h"
#include "db/for_each_id.h"
#include "server/hub/hub_in.h"
#include "server/hub/load_rows.h"
#include "server/hub/redemption.h"

/* A list of tables to be loaded. */
struct srv_adoption {
    struct srv_hub *hub;
    struct srv_adoption *next;
    srv_hub_adopted_fn *done;
    void *arg;
    struct srv_adopted adopted;
    size_t n, started; /* number of ids, and how many were started */
    size_t answered;
    int64_t ids[];
};

/* A table of a list whose rows are being read. */
struct reading {
    struct srv_adoption *adoption;
    int64_t table_id;
};

static void count(struct srv_adopted *adopted, enum tab_load_result result)
{
    switch (result) {
    case TAB_LOADED:
        adopted->taken++;
        return;
    case TAB_LOAD_ENDED:
    case TAB_LOAD_ELSEWHERE:
        adopted->ended++;
        return;
    case TAB_LOAD_LOST:
        adopted->lost++;
        return;
    case TAB_LOAD_FULL:
        adopted->left_over++;
        return;
    }
}

static struct db_args args_of(char *memory, size_t cap)
{
    struct db_args args;
    db_args_init(&args, memory, cap);
    return args;
}

/* ---- Lists, while the node is running ---- */
/* Lists complete in the order of arrival, because only the first one is processed. */
static void end_adoption(struct srv_hub *hub)
{
    struct srv_adoption *first = hub->adoptions;
    ASSERT(first->answered == first->n && hub->adopting_n >= first->n);
    hub->adoptions = first->next;
    if (!hub->adoptions)
        hub->adoptions_end = &hub->adoptions;
    hub->adopting_n -= first->n;
    if (first->done)
        first->done(first->arg, &first->adopted);
    free(first);
}

static void on_adopted_rows(void *arg, const struct db_reply *reply)
{
    struct reading *reading = arg;
    struct srv_adoption *adoption = reading->adoption;
    struct srv_hub *hub = adoption->hub;
    int64_t id = reading->table_id;
    free(reading);
    ASSERT(hub->adopting_now > 0 && adoption == hub->adoptions);
    hub->adopting_now--;
    if (reply->outcome != DB_OK && !hub->draining) { /* retry when the database is back */
        ASSERT(adoption->started > 0);
        adoption->ids[--adoption->started] = id;
        return;
    }
    struct tab_table *table;
    if (hub->draining)
        adoption->adopted.left_over++;
    else
        count(&adoption->adopted, srv_hub_take_rows(hub, id, reply->rows, &table));
    if (++adoption->answered == adoption->n)
        end_adoption(hub);
    srv_hub_adopt_on(hub);
}

/* false: the table cannot be queried now. */
static bool start_next(struct srv_hub *hub, struct srv_adoption *adoption)
{
    struct reading *reading = malloc(sizeof(*reading));
    if (!reading)
        return false;
    *reading = (struct reading){.adoption = adoption, .table_id = adoption->ids[adoption->started]};
    if (!srv_hub_read_rows(hub, reading->table_id, false, on_adopted_rows, reading)) {
        free(reading);
        return false;
    }
    adoption->started++;
    hub->adopting_now++;
    return true;
}

void srv_hub_adopt_on(struct srv_hub *hub)
{
    struct srv_adoption *first = hub->adoptions;
    while (first && hub->pipe_up && !hub->draining && hub->adopting_now < HUB_ADOPT_AT_ONCE &&
           first->started < first->n)
        if (!start_next(hub, first))
            return;
}

bool srv_hub_adopt(struct srv_hub *hub, const int64_t *ids, size_t n, srv_hub_adopted_fn *done, void *arg)
{
    ASSERT(thread_is(THREAD_HUB));
    if (n > HUB_ADOPT_MAX - hub->adopting_n)
        return false;
    if (n == 0 && done)
        done(arg, &(struct srv_adopted){0});
    if (n == 0)
        return true;
    struct srv_adoption *adoption = malloc(sizeof(*adoption) + n * sizeof(*ids));
    if (!adoption)
        return false;
    *adoption = (struct srv_adoption){.hub = hub, .done = done, .arg = arg, .n = n};
    memcpy(adoption->ids, ids, n * sizeof(*ids));
    *hub->adoptions_end = adoption;
    hub->adoptions_end = &adoption->next;
    hub->adopting_n += n;
    srv_hub_adopt_on(hub);
    return true;
}

void srv_hub_adopt_free(struct srv_hub *hub)
{
    while (hub->adoptions) {
        struct srv_adoption *first = hub->adoptions;
        hub->adoptions = first->next;
        free(first);
    }
    hub->adoptions_end = &hub->adoptions;
    hub->adopting_n = 0;
}

/* ---- All tables of the node, at startup ---- */
struct load_all {
    struct srv_hub *hub;
    struct srv_adopted adopted;
};

static void load_one(void *arg, int64_t id, const PGresult *rows)
{
    struct load_all *all = arg;
    struct tab_table *table;
    count(&all->adopted, srv_hub_take_rows(all->hub, id, rows, &table));
}

/* The ids in the first column; NULL: out of memory. */
static int64_t *ids_of(const PGresult *rows, size_t n)
{
    int64_t *ids = calloc(n + 1, sizeof(*ids));
    for (size_t i = 0; ids && i < n; i++)
        ids[i] = db_i64(rows, (int)i, 0);
    return ids;
}

bool srv_hub_load_all(struct srv_hub *hub, char *error, size_t error_cap)
{
    static const struct db_stmt stmt = {"tables_of_node",
                                        "SELECT id FROM tables WHERE node = $1 AND state IN ('waiting', "
                                        "'playing') AND NOT asleep ORDER BY id",
                                        1};
    struct db_error err = {0};
    char memory[512];
    struct db_args args;
    struct load_all all = {.hub = hub};
    struct db_conn *conn = db_open(hub->config->db, &err);
    args = args_of(memory, sizeof(memory));
    db_args_text(&args, hub->config->node);
    DB_AUTO PGresult *rows = conn ? db_run(conn, &stmt, &args, &err) : NULL;
    size_t n = rows ? (size_t)PQntuples(rows) : 0;
    int64_t *ids = rows ? ids_of(rows, n) : NULL;
    bool ok = ids && db_for_each_id(conn, &api_table_rows_stmt, ids, n, load_one, &all, &err);
    free(ids);
    db_close(conn);
    if (ok)
        log_info("tables_taken_over", LOG_NUM("tables", (int64_t)all.adopted.taken),
                 LOG_NUM("left_out", (int64_t)(n - all.adopted.taken)));
    else
        (void)snprintf(error, error_cap, "db: %s", rows && !ids ? "memory is short" : err.text);
    return ok;
}

/* ---- Waiting tables that this node does not have, or whose seats have changed ---- */
static void swept(void *arg, const struct srv_adopted *adopted)
{
    struct srv_hub *hub = arg;
    (void)adopted;
    hub->sweeping = false;
}

/* The sum of the player ids, computed as by the query. */
static int64_t people_of(const struct tab_table *table)
{
    int64_t sum = 0;
    for (uint8_t i = 0; i < table->seats_n; i++)
        sum += table->seats[i].person.player_id;
    return sum;
}

static void on_swept(void *arg, const struct db_reply *reply)
{
    struct srv_hub *hub = arg;
    int64_t unknown[HUB_SWEEP_MAX];
    size_t n = 0;
    for (int i = 0; reply->outcome == DB_OK && i < PQntuples(reply->rows); i++) {
        int64_t id = db_i64(reply->rows, i, 0);
        ASSERT(n < HUB_SWEEP_MAX);
        hub->sweep_after = PQntuples(reply->rows) == HUB_SWEEP_MAX ? id : 0;
        const struct tab_table *table = tab_registry_find(&hub->registry, id);
        if (!table)
            unknown[n++] = id;
        else if (table->state == TAB_WAITING && people_of(table) != db_i64(reply->rows, i, 1))
            srv_hub_load(hub, id);
    }
    if (!srv_hub_adopt(hub, unknown, n, swept, hub))
        hub->sweeping = false;
}

void srv_hub_sweep(struct srv_hub *hub)
{
    static const struct db_stmt stmt = {
        "waiting_tables_of_node",
        "SELECT id, (SELECT coalesce(sum(player_id), 0)::bigint FROM seats WHERE table_id = tables.id) "
        "FROM tables WHERE node = $1 AND state = 'waiting' AND NOT asleep AND id > $2 ORDER BY id LIMIT $3",
        3};
    char memory[256];
    struct db_args args = args_of(memory, sizeof(memory));
    if (hub->sweeping)
        return;
    db_args_text(&args, hub->config->node);
    db_args_int(&args, hub->sweep_after);
    db_args_int(&args, HUB_SWEEP_MAX);
    hub->sweeping = db_pipe_read(hub->pipe, &stmt, &args, on_swept, hub);
}

/* ---- Correspondence tables whose turn is over ---- */
/* If a poll reaches its limit, there may be more tables, so polls again. */
static void on_all_woken(void *arg, const struct srv_adopted *adopted)
{
    struct srv_hub *hub = arg;
    hub->waking = false;
    if (adopted->taken == HUB_WAKE_MAX && hub->pipe_up && !hub->draining)
        srv_hub_wake_due(hub);
}

static void on_due_tables(void *arg, const struct db_reply *reply)
{
    struct srv_hub *hub = arg;
    int64_t ids[HUB_WAKE_MAX];
    size_t n = reply->outcome == DB_OK ? (size_t)PQntuples(reply->rows) : 0;
    ASSERT(n <= HUB_WAKE_MAX);
    for (size_t i = 0; i < n; i++)
        ids[i] = db_i64(reply->rows, (int)i, 0);
    if (!srv_hub_adopt(hub, ids, n, on_all_woken, hub))
        hub->waking = false;
}

void srv_hub_wake_due(struct srv_hub *hub)
{
    static const struct db_stmt stmt = {"do_wake_due", "SELECT table_id FROM do_wake_due($1, $2, $3)", 3};
    char memory[256];
    struct db_args args = args_of(memory, sizeof(memory));
    if (hub->waking)
        return;
    db_args_text(&args, hub->config->node);
    db_args_int(&args, hub->epoch);
    db_args_int(&args, HUB_WAKE_MAX);
    hub->waking = db_pipe_write(hub->pipe, &stmt, &args, on_due_tables, hub);
}
