/* A node: its process, started as in server/serve.c, its clocks, its deaths. See sim.h. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/bug.h"
#include "server/hub/hub.h"
#include "server/hub/wake.h"
#include "server/journal/thread.h"
#include "server/nodes/lease.h"
#include "tests/simulate/client_of_db.h"
#include "tests/simulate/node_in.h"

enum { TABLE_MAX = 40, RESTART_MS = 700 };

static void start_again(void *arg, int64_t number)
{
    (void)number;
    sim_node_start(arg);
}

static void dies(struct sim_node *node, const char *why)
{
    sim_trace("%s ends: %s", node->name, why);
    node->up = false;
    node->life++;
    node->frozen_until = 0;
    node->journal = NULL;
    node->lease = NULL;
    node->hub = NULL;
    sim_loop_dead(node);
    sim_net_node_dead(node);
    db_node_dead(node);
    sim_after(RESTART_MS * SIM_MS + sim_between(&sim_net, 0, 3000) * SIM_MS, NULL, start_again, node, 0);
}

void sim_node_kill(struct sim_node *node, const char *why)
{
    if (!node->up)
        return;
    dies(node, why);
    sim_fibers_of_dead(node);
}

void sim_node_freeze(struct sim_node *node, int64_t us)
{
    if (!node->up || node->frozen_until > sim_now)
        return;
    sim_trace("%s is frozen for %.3f s", node->name, (double)us / (double)SIM_S);
    node->frozen_until = sim_now + us;
}

_Noreturn void __wrap__exit(int status);
_Noreturn void __wrap__exit(int status)
{
    (void)status;
    struct sim_node *node = sim_node_now();
    ASSERT(node);
    sim_node_kill(node, "of itself");
    BUG("a dead process continues");
}

static void port_wake(void *ctx)
{
    srv_hub_wake(((struct sim_node *)ctx)->hub);
}

static void port_adopted(void *ctx, int64_t table)
{
    struct sim_node *node = ctx;
    sim_trace("%s takes over table %lld", node->name, (long long)table);
    srv_hub_adopted(node->hub, table);
}

static void port_hand_over(void *ctx, int64_t n, bool to_lighter)
{
    srv_hub_hand_over_some(((struct sim_node *)ctx)->hub, n, to_lighter);
}

/* Starts the node in the same order as server/serve.c. */
static void *main_of(void *arg)
{
    struct sim_node *node = arg;
    node->revoked = api_revoked_new();
    node->journal = srv_journal_open("db", node->name, TABLE_MAX, true, node->error, sizeof(node->error));
    if (node->journal)
        node->lease = srv_lease_open(&node->config, srv_journal_epoch(node->journal), node->error);
    struct srv_hub *hub = NULL;
    if (node->lease)
        hub = srv_hub_start(&node->config, node->journal, node->lease, node->revoked, node->error,
                            sizeof(node->error));
    if (!hub) {
        sim_trace("%s cannot start: %s", node->name, node->error);
        sim_node_kill(node, "it cannot start");
    }
    node->hub = hub;
    const struct srv_lease_ports ports = {
        .ctx = node, .wake = port_wake, .adopted = port_adopted, .hand_over = port_hand_over};
    srv_lease_attach(node->lease, &ports);
    srv_lease_set_state(node->lease, SRV_NODE_READY);
    sim_trace("%s is ready, epoch %lld", node->name, (long long)srv_journal_epoch(node->journal));
    return NULL;
}

/* Stops the node in the same order as server/serve.c. */
static void *end_of(void *arg)
{
    enum { HANDOVER_MS = 60000, DRAIN_MS = 10000, JOURNAL_STOP_MS = 10000 };
    struct sim_node *node = arg;
    srv_lease_set_state(node->lease, SRV_NODE_DRAINING);
    if (srv_lease_has_peers(node->lease))
        srv_hub_hand_over_all(node->hub, HANDOVER_MS);
    srv_hub_drain(node->hub, DRAIN_MS);
    srv_journal_stop(node->journal, JOURNAL_STOP_MS);
    srv_lease_stop(node->lease);
    sim_node_kill(node, "as requested");
    return NULL;
}

void sim_node_stop(struct sim_node *node)
{
    if (!node->hub || node->ending)
        return;
    sim_trace("%s is asked to stop", node->name);
    node->ending = true;
    (void)sim_fiber_start(node, end_of, node);
}

static void hand_over_now(void *arg, int64_t n)
{
    struct sim_node *node = arg;
    if (node->hub)
        srv_hub_hand_over_some(node->hub, n, false);
}

void sim_node_hand_over(struct sim_node *node, int64_t n)
{
    sim_at(sim_now, node, hand_over_now, node, n);
}

void sim_node_start(struct sim_node *node)
{
    if (node->up)
        return;
    sim_trace("%s starts", node->name);
    node->up = true;
    node->ending = false;
    (void)sim_fiber_start(node, main_of, node);
}

static void configure(struct sim_node *node)
{
    struct srv_config *config = &node->config;
    (void)snprintf(config->node, sizeof(config->node), "%s", node->name);
    (void)snprintf(config->db, sizeof(config->db), "db");
    (void)snprintf(config->ws_url, sizeof(config->ws_url), "wss://%s", node->name);
    (void)snprintf(config->jwt_kid, sizeof(config->jwt_kid), "k1");
    memset(config->jwt_secret, 's', SRV_SECRET_MIN);
    config->table_max = TABLE_MAX;
    config->socket_max = config->socket_waiting_max = config->socket_waiting_address_max = 1000;
    config->reserve_ms = 10000;
    config->seed_wait_ms = 1500;
    config->hand_pause_ms = 8000;
    config->practice_wait_s = 1800;
    config->sleep_after_ms = 60000;
    config->bot_think_ms = 1400;
    config->thinkers = 1;
    config->linger_ms = 120000;
    config->ping_s = 15;
    config->journal = true;
}

void sim_nodes_begin(int n)
{
    struct sim_dice dice = sim_dice_of(sim_seed, 7);
    ASSERT(n > 0 && n <= SIM_NODES_MAX);
    sim_nodes_set(n);
    for (int i = 0; i < n; i++) {
        struct sim_node *node = sim_node(i);
        *node = (struct sim_node){.index = i,
                                  .mono_begins_ns = sim_between(&dice, 1000, 9000000) * 1000000,
                                  .wall_off_ms = sim_between(&dice, -300, 300),
                                  .drift_ppm = sim_between(&dice, -200, 200)};
        (void)snprintf(node->name, sizeof(node->name), "n%d", i + 1);
        configure(node);
        sim_node_start(node);
    }
}

/* A master's search is replaced by its quick move, which costs no real time. */
void __wrap_eng_master_move(const struct eng_view *view, struct eng_master *master, uint64_t *rng,
                            struct eng_move *move);
void __wrap_eng_master_move(const struct eng_view *view, struct eng_master *master, uint64_t *rng,
                            struct eng_move *move)
{
    enum { SELDOM = 10, FOREVER_MS = 5000, OFTEN_MS = 40 };
    int64_t ms = sim_chance(&sim_net, SELDOM) ? FOREVER_MS : sim_between(&sim_net, 1, OFTEN_MS);
    const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    (void)master;
    (void)nanosleep(&time, NULL);
    eng_bot_move(view, ENG_BOT_MASTER, rng, move);
}

/* The program's seeds and random numbers come from the world. */
void __wrap_randombytes_buf(void *const out, const size_t size);
void __wrap_randombytes_buf(void *const out, const size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)out)[i] = (uint8_t)sim_roll(&sim_secrets);
}

int __wrap_malloc_trim(size_t pad);
int __wrap_malloc_trim(size_t pad)
{
    (void)pad;
    return 1;
}
