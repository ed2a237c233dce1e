/* Hands tables over to other nodes; see handover.h. Hub thread. */
#include "server/hub/handover.h"

#include <stdlib.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "server/hub/hub_in.h"
#include "server/hub/load.h"
#include "server/hub/wake.h"
#include "server/operations/metrics.h"
#include "tables/handover.h"

/* ---- Selection ---- */
static void forget_list(struct srv_handover *handover)
{
    free(handover->ids);
    handover->ids = NULL;
    handover->n = handover->at = 0;
}

static void note_id(struct tab_table *table, void *arg)
{
    struct srv_handover *handover = arg;
    if (table->state == TAB_WAITING || table->state == TAB_PLAYING)
        handover->ids[handover->n++] = table->id;
}

/* false: the hub has no tables, or there is no memory. */
static bool list_tables(struct srv_hub *hub)
{
    struct srv_handover *handover = &hub->handover;
    forget_list(handover);
    if (hub->registry.tables_n == 0)
        return false;
    handover->ids = calloc(hub->registry.tables_n, sizeof(*handover->ids));
    if (!handover->ids)
        return false;
    tab_registry_each(&hub->registry, note_id, handover);
    return handover->n > 0;
}

static bool hand_over_one(struct srv_hub *hub, int64_t table_id)
{
    struct srv_handover *handover = &hub->handover;
    struct tab_table *table = tab_registry_find(&hub->registry, table_id);
    if (!table || !tab_may_hand_over(table))
        return false;
    tab_hand_over(table, handover->to_lighter);
    handover->under_way++;
    if (handover->left != SIZE_MAX)
        handover->left--;
    return true;
}

/* ---- Pacing ---- */
static void stop(struct srv_hub *hub)
{
    hub->handover.left = 0;
    forget_list(&hub->handover);
}

static void start(struct srv_hub *hub, size_t n, bool to_lighter)
{
    struct srv_handover *handover = &hub->handover;
    if (n == handover->left && n == SIZE_MAX)
        return; /* already done */
    handover->left = n;
    handover->to_lighter = to_lighter;
    forget_list(handover);
    ev_timer_again(hub->loop, &hub->handover_due);
}

void srv_hub_handover_apply(struct srv_hub *hub)
{
    struct srv_handover *handover = &hub->handover;
    ASSERT(thread_is(THREAD_HUB));
    if (atomic_exchange(&handover->none_requested, false) && !handover->awaited)
        stop(hub);
    int64_t n = atomic_exchange(&handover->some_requested, 0);
    if (atomic_exchange(&handover->all_requested, false)) {
        handover->awaited = true;
        n = INT64_MAX;
    }
    if (n > 0)
        start(hub, n == INT64_MAX ? SIZE_MAX : (size_t)n,
              n != INT64_MAX && atomic_load(&handover->lighter_requested));
}

void srv_hub_hand_over_some(struct srv_hub *hub, int64_t n, bool to_lighter)
{
    ASSERT(n >= 0);
    atomic_store(&hub->handover.lighter_requested, to_lighter);
    atomic_store(&hub->handover.some_requested, n);
    if (n == 0)
        atomic_store(&hub->handover.none_requested, true);
    srv_hub_wake(hub);
}

void srv_hub_handover_finish(struct srv_hub *hub)
{
    struct srv_handover *handover = &hub->handover;
    if (!handover->awaited || handover->under_way > 0 || handover->left > 0)
        return;
    handover->awaited = false;
    (void)sem_post(&hub->handed_over);
}

void srv_hub_handover_step(struct srv_hub *hub)
{
    struct srv_handover *handover = &hub->handover;
    ASSERT(handover->under_way <= HUB_HANDOVER_AT_ONCE);
    if (hub->registry.outage || hub->draining)
        return;
    int begun = 0;
    for (int checked = 0; checked < HUB_HANDOVER_CHECK_MAX && begun < HUB_HANDOVER_STEP_MAX &&
                          handover->left > 0 && handover->under_way < HUB_HANDOVER_AT_ONCE;
         checked++) {
        if (handover->at == handover->n && checked > 0)
            break; /* all were tried; the next step tries them again */
        if (handover->at == handover->n && !list_tables(hub)) {
            stop(hub);
            break;
        }
        begun += hand_over_one(hub, handover->ids[handover->at++]);
    }
    if (handover->left == 0)
        ev_timer_stop(hub->loop, &hub->handover_due);
}

/* ---- Results ---- */
void srv_hub_handover_written(struct srv_hub *hub, const struct tab_write *write)
{
    struct srv_handover *handover = &hub->handover;
    ASSERT(handover->under_way > 0 && write->kind == TAB_WRITE_HANDOVER);
    handover->under_way--;
    if (write->result == TAB_WRITTEN) {
        handover->logged_refusal = false;
        srv_metric_add(METRIC_HANDED_OVER, 1);
        return;
    }
    if (!handover->logged_refusal)
        log_warn("no_node_takes_tables", LOG_TEXT("code", write->code));
    handover->logged_refusal = true;
    stop(hub); /* no node would accept the next one either */
}

/* ---- Tables that other nodes hand over to this node ---- */
static void swept(void *arg, const struct srv_adopted *adopted)
{
    struct srv_hub *hub = arg;
    (void)adopted;
    hub->handover.sweeping = false;
}

/* If the result is full, the next poll continues after it. */
static void on_swept(void *arg, const struct db_reply *reply)
{
    struct srv_hub *hub = arg;
    int64_t unknown[HUB_HANDOVER_SWEEP_MAX];
    size_t n = 0;
    for (int i = 0; reply->outcome == DB_OK && i < PQntuples(reply->rows); i++) {
        int64_t id = db_i64(reply->rows, i, 0);
        ASSERT(n < HUB_HANDOVER_SWEEP_MAX);
        if (!tab_registry_find(&hub->registry, id))
            unknown[n++] = id;
    }
    bool full = reply->outcome == DB_OK && PQntuples(reply->rows) == HUB_HANDOVER_SWEEP_MAX;
    if (reply->outcome == DB_OK && !full)
        hub->handover.swept_ms = hub->handover.sweep_ms;
    hub->handover.sweep_skip = full ? hub->handover.sweep_skip + HUB_HANDOVER_SWEEP_MAX : 0;
    if (!srv_hub_adopt(hub, unknown, n, swept, hub))
        hub->handover.sweeping = false;
}

void srv_hub_handover_sweep(struct srv_hub *hub)
{
    static const struct db_stmt stmt = {
        "tables_handed_over_here",
        "SELECT id FROM tables WHERE node = $1 AND state IN ('waiting', 'playing') AND NOT asleep "
        "AND stopped_at > now() - make_interval(secs => $4::bigint / 1000.0) "
        "ORDER BY stopped_at DESC LIMIT $2 OFFSET $3",
        4};
    char memory[256];
    struct db_args args;
    if (hub->handover.sweeping)
        return;
    db_args_init(&args, memory, sizeof(memory));
    db_args_text(&args, hub->config->node);
    db_args_int(&args, HUB_HANDOVER_SWEEP_MAX);
    db_args_int(&args, hub->handover.sweep_skip);
    hub->handover.sweep_ms = clock_mono_ms();
    db_args_int(&args, HUB_HANDOVER_BACK_MS + hub->handover.sweep_ms - hub->handover.swept_ms);
    hub->handover.sweeping = db_pipe_read(hub->pipe, &stmt, &args, on_swept, hub);
}

void srv_hub_handover_free(struct srv_hub *hub)
{
    forget_list(&hub->handover);
}
