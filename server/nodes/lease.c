/* The node's lease; see lease.h. Renewals run on the lease's thread. */
#include "server/nodes/lease.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/ticker.h"
#include "server/edge/ws_url.h"
#include "server/nodes/compat.h"
#include "server/nodes/peers.h"
#include "server/operations/metrics.h"
#include "server/version.h"

enum {
    POLL_EVERY_MS = 250, /* poll interval for other nodes */
    RENEW_EVERY_MS = 1000,
    SLOW_MS = 500,     /* a slower renewal is repeated at once, */
    AGAIN_MAX = 2,     /* at most this many times */
    MARGIN_PART = 6,   /* the node stops sending when 1/6 of the lease is left */
    ADOPT_FOR_MS = 300 /* per iteration, so that the next renewal is in time */
};

struct srv_lease {
    const struct srv_config *config;
    int64_t epoch;
    pthread_mutex_t mutex; /* protects the members down to `attached` */
    struct db_conn *conn;
    struct ticker *ticker;
    struct srv_lease_ports ports;
    struct db_peer peer_rows[DB_LEASE_NODES_MAX]; /* result of the last poll */
    struct srv_peers peers;
    bool gives;           /* hands over its tables although it is not shutting down */
    bool renewed;         /* the last attempt succeeded */
    int64_t tried_ms;     /* when the last attempt was made (clock_boot_ms) */
    int reported;         /* the state that the last attempt reported */
    enum srv_clock clock; /* result of the last comparison */
    atomic_bool attached, lost, has_peers, unreached, clock_off;
    atomic_int state;
    atomic_llong valid_until_ms, renewed_ms; /* clock_boot_ms */
    atomic_llong tables, sockets_n, lobby_n;
    atomic_llong lobbies_n; /* players in the lobbies of the other running nodes */
    pthread_mutex_t listing;
    char sockets[SRV_SOCKETS_MAX]; /* socket origins of all running nodes */
};

/* ---- Renewal ---- */
static struct db_node_report report_of(struct srv_lease *lease)
{
    static const char *const states[] = {[SRV_NODE_STARTING] = "starting",
                                         [SRV_NODE_READY] = "ready",
                                         [SRV_NODE_UNREACHED] = "unreached",
                                         [SRV_NODE_DRAINING] = "draining"};
    return (struct db_node_report){.node = lease->config->node,
                                   .ws_url = lease->config->ws_url,
                                   .version = srv_version,
                                   .state = states[atomic_load(&lease->state)],
                                   .epoch = lease->epoch,
                                   .table_max = lease->config->table_max,
                                   .tables = atomic_load(&lease->tables),
                                   .sockets = atomic_load(&lease->sockets_n),
                                   .lobby = atomic_load(&lease->lobby_n)};
}

static void wake(struct srv_lease *lease)
{
    if (atomic_load(&lease->attached))
        lease->ports.wake(lease->ports.ctx);
}

static void note_renewal(struct srv_lease *lease, int64_t sent_ms, int64_t lease_ms)
{
    bool silent = !srv_lease_held(lease);
    ASSERT(lease_ms > 0);
    atomic_store(&lease->renewed_ms, sent_ms);
    atomic_store(&lease->valid_until_ms, sent_ms + lease_ms - lease_ms / MARGIN_PART);
    lease->peers.lease_ms = lease_ms;
    if (silent && srv_lease_held(lease))
        wake(lease);
}

static void log_change(int from, int to)
{
    if (from == SRV_NODE_DRAINING)
        log_info("drain_taken_back");
    if (from == SRV_NODE_UNREACHED)
        log_info("node_reached");
    if (to == SRV_NODE_DRAINING)
        log_info("drain_asked");
    if (to == SRV_NODE_UNREACHED)
        log_warn("node_unreached");
}

/* If the wall clock changes while the node runs, tokens and tickets of other nodes seem expired or not yet
 * valid here. */
static void compare_clock(struct srv_lease *lease, int64_t before_ms, int64_t took_ms, int64_t there_ms)
{
    if (took_ms > SRV_CLOCK_ROUND_MS_MAX)
        return;
    int64_t apart_ms = srv_clock_offset(before_ms, took_ms, there_ms);
    enum srv_clock clock = srv_clock_state(apart_ms);
    srv_metric_set(METRIC_CLOCK_APART, apart_ms);
    atomic_store(&lease->clock_off, clock == SRV_CLOCK_OFF);
    if (clock != lease->clock && clock == SRV_CLOCK_OK)
        log_info("clock_in_step", LOG_NUM("ahead_ms", apart_ms));
    else if (clock != lease->clock)
        log_warn("clock_apart", LOG_NUM("ahead_ms", apart_ms),
                 LOG_TEXT("ready", clock == SRV_CLOCK_OFF ? "no" : "yes"));
    lease->clock = clock;
}

/* Whether players cannot connect, because they cannot reach the node or its wrong clock makes it reject
 * valid tickets. */
static bool is_unreachable(const struct srv_lease *lease)
{
    return atomic_load(&lease->unreached) ||
           (atomic_load(&lease->clock_off) && atomic_load(&lease->has_peers));
}

/* Sets the node's state from an operator's orders and its reachability. Repeats the request to hand over
 * all tables, because the node may have received more in the meantime. */
static void apply_orders(struct srv_lease *lease, const struct db_node_orders *orders)
{
    if (!atomic_load(&lease->attached))
        return;
    int state = atomic_load(&lease->state);
    int wanted = orders->drain           ? SRV_NODE_DRAINING
                 : is_unreachable(lease) ? SRV_NODE_UNREACHED
                                         : SRV_NODE_READY;
    if ((state == SRV_NODE_READY || lease->gives) && wanted != state) {
        lease->gives = wanted != SRV_NODE_READY;
        atomic_store(&lease->state, wanted);
        srv_metric_set(METRIC_UNREACHED, wanted == SRV_NODE_UNREACHED);
        log_change(state, wanted);
        if (!lease->gives)
            lease->ports.hand_over(lease->ports.ctx, 0, false);
    }
    if (orders->drain || lease->gives)
        lease->ports.hand_over(lease->ports.ctx, INT64_MAX, false);
    else if (orders->pass_n > 0)
        lease->ports.hand_over(lease->ports.ctx, orders->pass_n, true);
}

/* false: the renewal failed (*err has the reason) or the lease is lost. */
static bool renew(struct srv_lease *lease, struct db_error *err)
{
    const struct db_node_report report = report_of(lease);
    for (int tries = 0; tries <= AGAIN_MAX; tries++) {
        int64_t before_ms = clock_unix_ms(), sent_ms = clock_boot_ms(), lease_ms = 0;
        struct db_node_orders orders;
        switch (db_lease_renew(lease->conn, &report, &lease_ms, &orders, err)) {
        case DB_LEASE_OK:
            note_renewal(lease, sent_ms, lease_ms);
            compare_clock(lease, before_ms, clock_boot_ms() - sent_ms, orders.unix_ms);
            apply_orders(lease, &orders);
            if (clock_boot_ms() - sent_ms < SLOW_MS)
                return true;
            continue;
        case DB_LEASE_STALE:
            atomic_store(&lease->lost, true);
            wake(lease);
            return false;
        case DB_LEASE_AWAY:
            return false;
        }
    }
    return true;
}

/* ---- Other nodes ---- */
static void adopt_from(struct srv_lease *lease, const struct db_peer *from, int64_t until_ms)
{
    const struct db_node_report report = report_of(lease);
    int64_t tables[DB_LEASE_ADOPT_MAX], all = 0;
    struct db_error err = {0};
    int n;
    do {
        n = db_lease_adopt(lease->conn, &report, from, tables, &err);
        for (int i = 0; i < n; i++)
            lease->ports.adopted(lease->ports.ctx, tables[i]);
        all += n > 0 ? n : 0;
    } while (n > 0 && clock_boot_ms() < until_ms);
    if (n < 0)
        log_warn("tables_not_adopted", LOG_TEXT("from", from->node), LOG_TEXT("why", err.text));
    if (all > 0) {
        srv_metric_add(METRIC_ADOPTED, all);
        log_warn("tables_adopted", LOG_TEXT("from", from->node), LOG_NUM("tables", all));
    }
}

/* Summarizes all running nodes: their socket origins, and the number of players in the lobbies of the
 * others. */
static void sum_up(struct srv_lease *lease, const struct db_peer *nodes, int n)
{
    char sockets[SRV_SOCKETS_MAX];
    sockets[0] = '\0';
    int64_t people = 0;
    srv_ws_url_list(sockets, lease->config->ws_url);
    for (int i = 0; i < n; i++)
        if (nodes[i].lives && !srv_peers_gone(&lease->peers, i)) {
            srv_ws_url_list(sockets, nodes[i].ws_url);
            people += nodes[i].lobby;
        }
    atomic_store(&lease->lobbies_n, people);
    (void)pthread_mutex_lock(&lease->listing);
    memcpy(lease->sockets, sockets, strlen(sockets) + 1);
    (void)pthread_mutex_unlock(&lease->listing);
}

static void poll_peers(struct srv_lease *lease)
{
    struct db_peer *nodes = lease->peer_rows;
    struct db_error err = {0};
    int n = db_lease_peers(lease->conn, lease->config->node, nodes, &err);
    if (n < 0)
        return;
    int64_t now_ms = clock_boot_ms();
    srv_peers_update(&lease->peers, nodes, n, now_ms, lease->peers.lease_ms);
    int running = srv_peers_running(&lease->peers, nodes);
    atomic_store(&lease->has_peers, running > 0);
    srv_metric_set(METRIC_NODES, running + 1);
    sum_up(lease, nodes, n);
    if (!atomic_load(&lease->attached) || atomic_load(&lease->state) != SRV_NODE_READY)
        return;
    for (int i = 0; i < n; i++)
        if (nodes[i].tables && srv_peers_gone(&lease->peers, i))
            adopt_from(lease, &nodes[i], now_ms + ADOPT_FOR_MS);
}

/* Other nodes act on the reported state, so a new state is reported at once. */
static bool is_due(const struct srv_lease *lease)
{
    if (atomic_load(&lease->lost))
        return false;
    return clock_boot_ms() - lease->tried_ms >= RENEW_EVERY_MS - POLL_EVERY_MS / 2 ||
           lease->reported != atomic_load(&lease->state);
}

static void try_renewal(struct srv_lease *lease)
{
    struct db_error err = {0};
    bool before = lease->renewed;
    lease->tried_ms = clock_boot_ms();
    lease->reported = atomic_load(&lease->state);
    lease->renewed = (db_is_up(lease->conn) || db_reopen(lease->conn, &err)) && renew(lease, &err);
    if (lease->renewed != before && !lease->renewed && !atomic_load(&lease->lost))
        log_warn("lease_not_renewed", LOG_TEXT("why", err.text));
    if (lease->renewed && !before)
        log_info("lease_renewed");
}

static void tick(struct ticker *ticker, void *arg)
{
    struct srv_lease *lease = arg;
    (void)ticker;
    (void)pthread_mutex_lock(&lease->mutex);
    if (is_due(lease))
        try_renewal(lease);
    if (lease->renewed && !atomic_load(&lease->lost))
        poll_peers(lease);
    (void)pthread_mutex_unlock(&lease->mutex);
}

/* ---- Start and stop ---- */
static bool register_node(struct srv_lease *lease, char error[SRV_ERROR_MAX])
{
    struct db_error err = {0};
    lease->conn = db_open(lease->config->db, &err);
    if (!lease->conn) {
        (void)snprintf(error, SRV_ERROR_MAX, "db: %.300s", err.text);
        return false;
    }
    db_answer_within(lease->conn, DB_ANSWER_MS_MAX);
    if (!srv_node_compatible(lease->conn, lease->config, error))
        return false;
    lease->renewed = renew(lease, &err);
    if (lease->renewed) {
        poll_peers(lease);
        return true;
    }
    if (atomic_load(&lease->lost))
        (void)snprintf(error, SRV_ERROR_MAX, "node: another rummyd has taken the name \"%.60s\"",
                       lease->config->node);
    else
        (void)snprintf(error, SRV_ERROR_MAX, "db: %.300s", err.text);
    return false;
}

struct srv_lease *srv_lease_open(const struct srv_config *config, int64_t epoch, char error[SRV_ERROR_MAX])
{
    struct srv_lease *lease = calloc(1, sizeof(*lease));
    if (!lease) {
        (void)snprintf(error, SRV_ERROR_MAX, "memory is short");
        return NULL;
    }
    lease->config = config;
    lease->epoch = epoch;
    (void)pthread_mutex_init(&lease->mutex, NULL);
    (void)pthread_mutex_init(&lease->listing, NULL);
    srv_ws_url_list(lease->sockets, config->ws_url);
    ASSERT(epoch > 0);
    if (!register_node(lease, error)) {
        srv_lease_free(lease);
        return NULL;
    }
    lease->ticker = ticker_start_prompt("lease", POLL_EVERY_MS, tick, lease);
    if (!lease->ticker) {
        (void)snprintf(error, SRV_ERROR_MAX, "node: cannot start its thread");
        srv_lease_free(lease);
        return NULL;
    }
    return lease;
}

void srv_lease_attach(struct srv_lease *lease, const struct srv_lease_ports *ports)
{
    ASSERT(!atomic_load(&lease->attached) && ports->wake && ports->adopted && ports->hand_over);
    lease->ports = *ports;
    atomic_store(&lease->attached, true);
}

void srv_lease_set_state(struct srv_lease *lease, enum srv_lease_state state)
{
    if (!atomic_load(&lease->attached)) { /* a node that failed to start never had tables, so there is nothing
                                             to report */
        ASSERT(state == SRV_NODE_DRAINING);
        return;
    }
    (void)pthread_mutex_lock(&lease->mutex);
    lease->gives = false;
    atomic_store(&lease->state, (int)state);
    if (is_due(lease))
        try_renewal(lease);
    (void)pthread_mutex_unlock(&lease->mutex);
}

void srv_lease_stop(struct srv_lease *lease)
{
    if (!lease)
        return;
    ticker_stop(lease->ticker);
    lease->ticker = NULL;
}

void srv_lease_free(struct srv_lease *lease)
{
    if (!lease)
        return;
    ASSERT(!lease->ticker);
    db_close(lease->conn);
    (void)pthread_mutex_destroy(&lease->mutex);
    (void)pthread_mutex_destroy(&lease->listing);
    free(lease);
}

/* ---- Any thread ---- */
bool srv_lease_held(const struct srv_lease *lease)
{
    return clock_boot_ms() < atomic_load(&lease->valid_until_ms) && !srv_lease_lost(lease);
}

bool srv_lease_clock_ok(const struct srv_lease *lease)
{
    return !atomic_load(&lease->clock_off);
}

bool srv_lease_lost(const struct srv_lease *lease)
{
    return atomic_load(&lease->lost);
}

bool srv_lease_has_peers(const struct srv_lease *lease)
{
    return atomic_load(&lease->has_peers);
}

int64_t srv_lease_age_ms(const struct srv_lease *lease)
{
    return clock_boot_ms() - atomic_load(&lease->renewed_ms);
}

int64_t srv_lease_lobbies(const struct srv_lease *lease)
{
    return atomic_load(&lease->lobbies_n);
}

void srv_lease_set_reached(struct srv_lease *lease, bool reached)
{
    atomic_store(&lease->unreached, !reached);
}

void srv_lease_load(struct srv_lease *lease, int64_t tables, int64_t sockets, int64_t lobby)
{
    atomic_store(&lease->tables, tables);
    atomic_store(&lease->sockets_n, sockets);
    atomic_store(&lease->lobby_n, lobby);
}

void srv_lease_sockets(struct srv_lease *lease, char list[SRV_SOCKETS_MAX])
{
    (void)pthread_mutex_lock(&lease->listing);
    memcpy(list, lease->sockets, SRV_SOCKETS_MAX);
    (void)pthread_mutex_unlock(&lease->listing);
}
