/* Starts and stops the HTTP front end: listening sockets, workers, loops. See http.h. Main thread. */
#include "server/http/http.h"

#include "api/ops/overdue.h"
#include "api/play/rooms.h"
#include "api/shop/shop_packs.h"
#include "base/bug.h"
#include "base/log.h"
#include "server/edge/listen.h"
#include "server/http/heads.h"
#include "server/http/rest.h"
#include "server/http/workers.h"
#include "server/operations/metrics.h"
#include "server/version.h"

#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORKERS_N 2
#define FETCHERS_N 4
#define IDENTIFIERS_N 4

extern const struct embed_file srv_contracts[];
extern const size_t srv_contracts_n;

/* --- sockets --- */

/* Opens one socket per loop. A port that our loops will share is first bound exclusively, because otherwise
 * a second server of the same user could share it unnoticed. */
static bool listen_all(struct srv_http *http, int port, int loops_n, int fds[HTTP_LOOPS_MAX], char *error)
{
    fds[0] = srv_listen("http", http->addr, port, false, error, HTTP_ERROR_MAX);
    if (fds[0] < 0)
        return false;
    http->port = srv_listen_port(fds[0]);
    if (loops_n == 1)
        return true;
    (void)close(fds[0]);
    bool ok = true;
    for (int i = 0; i < loops_n; i++) {
        fds[i] = ok ? srv_listen("http", http->addr, http->port, true, error, HTTP_ERROR_MAX) : -1;
        ok = ok && fds[i] >= 0;
    }
    for (int i = 0; !ok && i < loops_n; i++)
        if (fds[i] >= 0)
            (void)close(fds[i]);
    return ok;
}

/* --- configuration --- */

static bool copy_config(struct srv_http *http, const struct srv_http_config *config, char *error)
{
    http->addr = strdup(config->addr);
    http->db = strdup(config->db);
    http->db_read = strdup(config->db_read ? config->db_read : "");
    http->web_dir = strdup(config->web_dir ? config->web_dir : "");
    http->ws_url = strdup(config->ws_url);
    http->node = strdup(config->node);
    http->origins = strdup(config->origins ? config->origins : "");
    http->dev = config->dev;
    http->https = config->https;
    http->log_reads = config->log_reads;
    http->traces = config->traces;
    http->log_lines = (config->log_lines + config->loops - 1) / config->loops;
    if (config->dev_seed)
        memcpy(http->dev_seed, config->dev_seed, sizeof(http->dev_seed));
    if (!http->addr || !http->db || !http->db_read || !http->web_dir || !http->ws_url || !http->node ||
        !http->origins) {
        (void)snprintf(error, HTTP_ERROR_MAX, "http: out of memory");
        return false;
    }
    if (!srv_proxies_read(&http->proxies, config->proxies, error, HTTP_ERROR_MAX))
        return false;
    ASSERT(config->sockets);
    http->sockets = config->sockets;
    http->passkeys = *config->passkeys;
    http->env = (struct api_env){.ports = config->ports,
                                 .ws_url = http->ws_url,
                                 .node = http->node,
                                 .version = srv_version,
                                 .dev_seed = config->dev_seed ? http->dev_seed : NULL,
                                 .rooms = api_rooms_new(),
                                 .overdue = api_overdue_new(),
                                 .packs = api_packs_new(),
                                 .revoked = config->revoked,
                                 .pay = config->pay,
                                 .passkeys = &http->passkeys,
                                 .webhooks_private = config->webhooks_private,
                                 .push_key = config->push_key,
                                 .push_kinds = config->push_kinds,
                                 .push_hosts = config->push_hosts,
                                 .push_plain = config->dev,
                                 .oidc = config->oidc,
                                 .documents = srv_contracts,
                                 .documents_n = srv_contracts_n,
                                 .metrics_write = srv_metrics_write};
    if (!http->env.rooms || !http->env.overdue || !http->env.packs) {
        (void)snprintf(error, HTTP_ERROR_MAX, "http: out of memory");
        return false;
    }
    http->heads = srv_heads_load(http->web_dir, config->public_url);
    http->env.keys = *config->keys;
    http->env.ports.header = srv_rest_header;
    return true;
}

/* --- start and stop --- */

static void free_http(struct srv_http *http)
{
    srv_http_workers_free(http->workers);
    srv_http_workers_free(http->fetchers);
    srv_http_workers_free(http->identifiers);
    api_rate_limits_free(http->limits);
    api_rooms_free(http->env.rooms);
    api_overdue_free(http->env.overdue);
    api_packs_free(http->env.packs);
    free(http->addr);
    free(http->db);
    free(http->db_read);
    srv_heads_free(http->heads);
    free(http->web_dir);
    free(http->ws_url);
    free(http->node);
    free(http->origins);
    sodium_memzero(&http->env.keys, sizeof(http->env.keys));
    free(http);
}

void srv_http_stop(struct srv_http *http)
{
    if (!http)
        return;
    for (int i = 0; i < http->loops_n; i++)
        if (http->loops[i])
            srv_http_loop_stop(http->loops[i]);
    for (int i = 0; i < http->loops_n; i++)
        if (http->loops[i])
            srv_http_loop_join(http->loops[i]);
    srv_http_workers_free(http->workers);
    srv_http_workers_free(http->fetchers);
    srv_http_workers_free(http->identifiers);
    http->workers = http->fetchers = http->identifiers = NULL;
    for (int i = 0; i < http->loops_n; i++)
        if (http->loops[i])
            srv_http_loop_free(http->loops[i]);
    free_http(http);
}

static bool start_threads(struct srv_http *http, const int fds[HTTP_LOOPS_MAX], char *error)
{
    http->workers = srv_http_workers_new(HTTP_POOL_HASH, WORKERS_N);
    http->fetchers = srv_http_workers_new(HTTP_POOL_PAYMENTS, FETCHERS_N);
    http->identifiers = srv_http_workers_new(HTTP_POOL_SIGN_IN, IDENTIFIERS_N);
    bool ok = http->workers && http->fetchers && http->identifiers;
    if (!ok)
        (void)snprintf(error, HTTP_ERROR_MAX, "http: cannot start the workers");
    for (int i = 0; i < http->loops_n; i++) {
        if (ok)
            http->loops[i] = srv_http_loop_start(http, fds[i], error);
        else
            (void)close(fds[i]);
        ok = ok && http->loops[i];
    }
    return ok;
}

struct srv_http *srv_http_start(const struct srv_http_config *config, char error[HTTP_ERROR_MAX])
{
    ASSERT(config->loops > 0 && config->loops <= HTTP_LOOPS_MAX);
    struct srv_http *http = calloc(1, sizeof(*http));
    int fds[HTTP_LOOPS_MAX] = {-1, -1, -1, -1};
    if (!http) {
        (void)snprintf(error, HTTP_ERROR_MAX, "http: out of memory");
        return NULL;
    }
    json_object_seed(0); /* before any thread starts */
    (void)signal(SIGPIPE, SIG_IGN);
    if (config->rate_limits && !(http->limits = api_rate_limits_new())) {
        (void)snprintf(error, HTTP_ERROR_MAX, "http: out of memory");
        free_http(http);
        return NULL;
    }
    if (!copy_config(http, config, error) || !listen_all(http, config->port, config->loops, fds, error)) {
        free_http(http);
        return NULL;
    }
    http->loops_n = config->loops;
    http->connections_max = config->connections_max / (unsigned)config->loops;
    /* Only the main thread handles signals. */
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    bool ok = start_threads(http, fds, error);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!ok) {
        srv_http_stop(http);
        return NULL;
    }
    log_info("http_listening", LOG_TEXT("addr", http->addr), LOG_NUM("port", http->port),
             LOG_NUM("loops", http->loops_n));
    return http;
}

int srv_http_port(const struct srv_http *http)
{
    return http->port;
}
