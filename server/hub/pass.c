/* Hands tables over to other nodes; see pass.h. Hub thread. */
#include "server/hub/pass.h"

#include <stdlib.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "server/hub/hub_in.h"
#include "server/hub/load.h"
#include "server/hub/wake.h"
#include "server/operations/metrics.h"
#include "tables/pass.h"

/* ---- Selection ---- */
static void forget_list(struct srv_passes *passes)
{
    free(passes->ids);
    passes->ids = NULL;
    passes->n = passes->at = 0;
}

static void note_id(struct tab_table *table, void *arg)
{
    struct srv_passes *passes = arg;
    if (table->state == TAB_WAITING || table->state == TAB_PLAYING)
        passes->ids[passes->n++] = table->id;
}

/* false: there are none, or memory is short. */
static bool list_tables(struct srv_hub *hub)
{
    struct srv_passes *passes = &hub->passes;
    forget_list(passes);
    if (hub->registry.tables_n == 0)
        return false;
    passes->ids = calloc(hub->registry.tables_n, sizeof(*passes->ids));
    if (!passes->ids)
        return false;
    tab_registry_each(&hub->registry, note_id, passes);
    return passes->n > 0;
}

static bool pass_one(struct srv_hub *hub, int64_t table_id)
{
    struct srv_passes *passes = &hub->passes;
    struct tab_table *table = tab_registry_find(&hub->registry, table_id);
    if (!table || !tab_may_pass(table))
        return false;
    tab_pass(table, passes->to_lighter);
    passes->under_way++;
    if (passes->left != SIZE_MAX)
        passes->left--;
    return true;
}

/* ---- Pacing ---- */
static void stop(struct srv_hub *hub)
{
    hub->passes.left = 0;
    forget_list(&hub->passes);
}

static void start(struct srv_hub *hub, size_t n, bool to_lighter)
{
    struct srv_passes *passes = &hub->passes;
    if (n == passes->left && n == SIZE_MAX)
        return; /* already done */
    passes->left = n;
    passes->to_lighter = to_lighter;
    forget_list(passes);
    ev_timer_again(hub->loop, &hub->pass_due);
}

void srv_hub_pass_heed(struct srv_hub *hub)
{
    struct srv_passes *passes = &hub->passes;
    ASSERT(thread_is(THREAD_HUB));
    if (atomic_exchange(&passes->none_asked, false) && !passes->awaited)
        stop(hub);
    int64_t n = atomic_exchange(&passes->some_asked, 0);
    if (atomic_exchange(&passes->all_asked, false)) {
        passes->awaited = true;
        n = INT64_MAX;
    }
    if (n > 0)
        start(hub, n == INT64_MAX ? SIZE_MAX : (size_t)n,
              n != INT64_MAX && atomic_load(&passes->lighter_asked));
}

void srv_hub_pass_some(struct srv_hub *hub, int64_t n, bool to_lighter)
{
    ASSERT(n >= 0);
    atomic_store(&hub->passes.lighter_asked, to_lighter);
    atomic_store(&hub->passes.some_asked, n);
    if (n == 0)
        atomic_store(&hub->passes.none_asked, true);
    srv_hub_wake(hub);
}

void srv_hub_pass_tell(struct srv_hub *hub)
{
    struct srv_passes *passes = &hub->passes;
    if (!passes->awaited || passes->under_way > 0 || passes->left > 0)
        return;
    passes->awaited = false;
    (void)sem_post(&hub->passed);
}

void srv_hub_pass_step(struct srv_hub *hub)
{
    struct srv_passes *passes = &hub->passes;
    ASSERT(passes->under_way <= HUB_PASS_AT_ONCE);
    if (hub->registry.outage || hub->draining)
        return;
    int begun = 0;
    for (int looked = 0; looked < HUB_PASS_LOOK_MAX && begun < HUB_PASS_STEP_MAX && passes->left > 0 &&
                         passes->under_way < HUB_PASS_AT_ONCE;
         looked++) {
        if (passes->at == passes->n && looked > 0)
            break; /* each of them was tried; again in the next step */
        if (passes->at == passes->n && !list_tables(hub)) {
            stop(hub);
            break;
        }
        begun += pass_one(hub, passes->ids[passes->at++]);
    }
    if (passes->left == 0)
        ev_timer_stop(hub->loop, &hub->pass_due);
}

/* ---- Results ---- */
void srv_hub_pass_written(struct srv_hub *hub, const struct tab_write *write)
{
    struct srv_passes *passes = &hub->passes;
    ASSERT(passes->under_way > 0 && write->kind == TAB_WRITE_PASS);
    passes->under_way--;
    if (write->result == TAB_WRITTEN) {
        passes->told_nobody = false;
        srv_metric_add(METRIC_PASSED, 1);
        return;
    }
    if (!passes->told_nobody)
        log_warn("no_node_takes_tables", LOG_TEXT("code", write->code));
    passes->told_nobody = true;
    stop(hub); /* no node would accept the next one either */
}

/* ---- Tables that other nodes hand over to this node ---- */
static void swept(void *arg, const struct srv_adopted *adopted)
{
    struct srv_hub *hub = arg;
    (void)adopted;
    hub->passes.sweeping = false;
}

/* If there are very many at once, the next poll continues after these. */
static void on_swept(void *arg, const struct db_reply *reply)
{
    struct srv_hub *hub = arg;
    int64_t unknown[HUB_PASSED_SWEEP_MAX];
    size_t n = 0;
    for (int i = 0; reply->outcome == DB_OK && i < PQntuples(reply->rows); i++) {
        int64_t id = db_i64(reply->rows, i, 0);
        ASSERT(n < HUB_PASSED_SWEEP_MAX);
        if (!tab_registry_find(&hub->registry, id))
            unknown[n++] = id;
    }
    bool full = reply->outcome == DB_OK && PQntuples(reply->rows) == HUB_PASSED_SWEEP_MAX;
    if (reply->outcome == DB_OK && !full)
        hub->passes.swept_ms = hub->passes.sweep_ms;
    hub->passes.sweep_skip = full ? hub->passes.sweep_skip + HUB_PASSED_SWEEP_MAX : 0;
    if (!srv_hub_adopt(hub, unknown, n, swept, hub))
        hub->passes.sweeping = false;
}

void srv_hub_pass_sweep(struct srv_hub *hub)
{
    static const struct db_stmt stmt = {
        "tables_passed_here",
        "SELECT id FROM tables WHERE node = $1 AND state IN ('waiting', 'playing') AND NOT asleep "
        "AND stopped_at > now() - make_interval(secs => $4::bigint / 1000.0) "
        "ORDER BY stopped_at DESC LIMIT $2 OFFSET $3",
        4};
    char memory[256];
    struct db_args args;
    if (hub->passes.sweeping)
        return;
    db_args_init(&args, memory, sizeof(memory));
    db_args_text(&args, hub->config->node);
    db_args_int(&args, HUB_PASSED_SWEEP_MAX);
    db_args_int(&args, hub->passes.sweep_skip);
    hub->passes.sweep_ms = clock_mono_ms();
    db_args_int(&args, HUB_PASSED_BACK_MS + hub->passes.sweep_ms - hub->passes.swept_ms);
    hub->passes.sweeping = db_pipe_read(hub->pipe, &stmt, &args, on_swept, hub);
}

void srv_hub_pass_free(struct srv_hub *hub)
{
    forget_list(&hub->passes);
}
