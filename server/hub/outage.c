/* The hub's behavior while the database is unreachable or the node's lease is not held; see hub_in.h. Hub
 * thread. */
#include "server/hub/outage.h"

#include <unistd.h>

#include "base/bug.h"
#include "base/log.h"
#include "base/thread.h"
#include "server/hub/hub_in.h"
#include "server/operations/failure.h"
#include "server/operations/metrics.h"
#include "tables/wire.h"

/* Other nodes have these tables now and the state of this node is invalid, so it exits without sending
 * anything. */
static void end_fenced(const struct srv_hub *hub)
{
    int64_t silent_ms = srv_lease_age_ms(hub->lease);
    log_error("fenced", LOG_TEXT("node", hub->config->node), LOG_NUM("silent_ms", silent_ms));
    (void)srv_fail(SRV_EXIT_FAILED,
                   "node: \"%s\" did not report for %lld ms, so other nodes have its tables; start it again",
                   hub->config->node, (long long)silent_ms);
    _exit(SRV_EXIT_FAILED);
}

static void send_away(struct srv_socket *socket, void *arg)
{
    (void)arg;
    srv_ws_close(socket, WIRE_CLOSE_RESTARTING);
}

/* A node that is not alone stops sending when it loses its lease, because other nodes take over its tables
 * and direct clients to the new node. A node that is alone keeps its sockets. */
bool srv_hub_dismisses(bool *dismissed, bool held, bool has_peers)
{
    bool before = *dismissed;
    *dismissed = !held && has_peers;
    return *dismissed && !before;
}

static bool dismiss(struct srv_hub *hub)
{
    if (!srv_hub_dismisses(&hub->dismissed, srv_lease_held(hub->lease), srv_lease_has_peers(hub->lease)))
        return false;
    srv_ws_each(hub->ws, send_away, NULL);
    return true;
}

static void begin_outage(struct srv_hub *hub)
{
    hub->dismissed = false;
    tab_outage_begin(&hub->registry, srv_lease_held(hub->lease) || !srv_lease_has_peers(hub->lease));
    if (!dismiss(hub))
        srv_lobby_outage(hub->lobby, true);
}

void srv_hub_check_outage(struct srv_hub *hub)
{
    ASSERT(thread_is(THREAD_HUB));
    enum srv_journal_state state = srv_journal_state(hub->journal);
    if (state == SRV_JOURNAL_FENCED || srv_lease_lost(hub->lease))
        end_fenced(hub);
    bool away = state == SRV_JOURNAL_DOWN || !hub->pipe_up || !srv_lease_held(hub->lease);
    if (away == hub->registry.outage) {
        if (away) /* clients still connected must reconnect to another node */
            (void)dismiss(hub);
        return;
    }
    log_warn(away ? "tables_paused" : "tables_resumed", LOG_NUM("tables", (int64_t)hub->registry.tables_n));
    srv_metric_set(METRIC_PAUSED, away);
    if (away) {
        begin_outage(hub);
        return;
    }
    hub->dismissed = false;
    srv_lobby_outage(hub->lobby, false);
    tab_outage_end(&hub->registry);
}
