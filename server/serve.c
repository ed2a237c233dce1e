/* `rummyd serve` and `rummyd check-config`: starts all components in order, waits for a signal, and stops
 * them in reverse order. Main thread. */
#include <jansson.h>
#include <pthread.h>
#include <signal.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "api/admin/reseal.h"
#include "api/signin/revoked.h"
#include "base/clock.h"
#include "base/log.h"
#include "db/ledger_check.h"
#include "db/pg.h"
#include "pay/pay.h"
#include "server/cli/cmd.h"
#include "server/config.h"
#include "server/http/http.h"
#include "server/http/variants.h"
#include "server/hub/hub.h"
#include "server/hub/wake.h"
#include "server/journal/table_rows.h"
#include "server/keys/oidc_load.h"
#include "server/keys/passkey_site.h"
#include "server/keys/shop_keys.h"
#include "server/nodes/lease.h"
#include "server/nodes/selfcheck.h"
#include "server/operations/database_fits.h"
#include "server/operations/descriptors.h"
#include "server/operations/ledger_seal.h"
#include "server/operations/metrics.h"
#include "server/operations/security_log.h"
#include "server/operations/traces.h"
#include "server/outbound/mailer.h"
#include "server/outbound/news.h"
#include "server/outbound/order_poll.h"
#include "server/outbound/outbox.h"
#include "server/tournaments.h"
#include "server/version.h"

enum {
    HANDOVER_MS = 60000,    /* enough for the maximum number of tables per node, at 100 per second */
    DRAIN_MS = 5000,        /* part of the 10 s that a stop may take */
    JOURNAL_STOP_MS = 2000, /* an unreachable database must not delay the exit */
    DB_POLL_MS = 250,
    QUEUE_SPARE = 64,
};

struct serve {
    struct srv_config config;
    struct srv_journal *journal;
    struct srv_lease *lease;
    struct srv_selfcheck *selfcheck;
    struct srv_hub *hub;
    struct srv_http *http;
    struct srv_news *_Atomic news;
    struct api_revoked *revoked;
    struct pay_shop pay;
    struct oidc_client oidc;
    struct srv_order_poll *shop;
    struct srv_ledger_seal *seal;
    struct srv_tournaments *tournaments;
    struct srv_mailer *mailer;
    struct srv_outbox *outbox;
    struct srv_push *push;
    struct srv_traces *traces;  /* NULL: no traces */
    atomic_bool draining, open; /* open: reported as ready */
};

/* ---- Ports of REST ---- */
static void port_table_changed(void *ctx, int64_t table_id)
{
    struct serve *serve = ctx;
    srv_news_publish(atomic_load(&serve->news), BUS_TABLE_CHANGED, table_id);
}

static void port_table_rematch(void *ctx, int64_t old_table)
{
    struct serve *serve = ctx;
    srv_news_publish(atomic_load(&serve->news), BUS_TABLE_REMATCH, old_table);
}

static void port_table_cancel(void *ctx, int64_t table_id)
{
    struct serve *serve = ctx;
    srv_news_publish(atomic_load(&serve->news), BUS_TABLE_CANCEL, table_id);
}

static int port_prove_ledger(void *ctx, FILE *out)
{
    struct serve *serve = ctx;
    struct db_error err;
    struct db_conn *conn = db_open(serve->config.db, &err); /* used rarely, so not kept open */
    if (conn)
        db_answer_within(conn, DB_PROOF_ANSWER_MS_MAX);
    int problems = conn ? db_ledger_check(conn, out, &err) : -1;
    if (problems < 0)
        log_warn("ledger_not_proven", LOG_TEXT("error", err.text));
    if (problems >= 0) {
        srv_metric_set(METRIC_LEDGER_PROVED_AT, clock_unix_ms() / 1000);
        srv_metric_set(METRIC_LEDGER_PROBLEMS, problems);
    }
    db_close(conn);
    return problems;
}

static enum api_code port_table_snapshot(void *ctx, int64_t table_id, const PGresult *rows, int seat,
                                         struct buf *out, int64_t *v)
{
    (void)ctx;
    return srv_rows_snapshot(table_id, rows, seat, out, v);
}

static void port_table_params(void *ctx, const char *variant, int seats, const struct api_option *options,
                              size_t n, struct buf *params, struct api_faults *faults)
{
    (void)ctx;
    srv_table_params(variant, seats, options, n, params, faults);
}

static bool port_variant_known(void *ctx, const char *variant)
{
    (void)ctx;
    return srv_variant_known(variant);
}

static void port_variants_write(void *ctx, struct buf *out)
{
    (void)ctx;
    srv_variants_write(out);
}

static bool port_draining(void *ctx)
{
    struct serve *serve = ctx;
    return atomic_load(&serve->draining) || !atomic_load(&serve->open);
}

static bool port_lease_held(void *ctx)
{
    return srv_lease_held(((struct serve *)ctx)->lease);
}

static bool port_clock_ok(void *ctx)
{
    return srv_lease_clock_ok(((struct serve *)ctx)->lease);
}

static void port_sockets(void *ctx, char list[SRV_SOCKETS_MAX])
{
    srv_lease_sockets(((struct serve *)ctx)->lease, list);
}

/* ---- Startup ---- */
/* Waits for PostgreSQL as long as configured; NULL: the error was printed. */
static struct db_conn *wait_for_database(const struct srv_config *config)
{
    struct db_error err;
    int64_t until = clock_mono_ms() + config->db_wait_s * 1000, told_ms = 0;
    for (;;) {
        struct db_conn *conn = db_open(config->db, &err);
        if (conn)
            return conn;
        int64_t now = clock_mono_ms();
        if (now >= until)
            break;
        if (now - told_ms >= 5000) {
            log_warn("waiting_for_postgresql", LOG_TEXT("why", err.text),
                     LOG_NUM("seconds_left", (until - now) / 1000));
            told_ms = now;
        }
        struct timespec pause = {.tv_nsec = DB_POLL_MS * 1000000L};
        (void)nanosleep(&pause, NULL);
    }
    (void)srv_fail(SRV_EXIT_FAILED, "db: PostgreSQL cannot be reached within %lld s: %s",
                   (long long)config->db_wait_s, err.text);
    return NULL;
}

/* Reads bans and ended sessions before any client can connect. */
static bool read_revoked(struct serve *serve, struct db_conn *conn)
{
    serve->revoked = api_revoked_new();
    if (!serve->revoked) {
        (void)srv_fail(SRV_EXIT_FAILED, "out of memory");
        return false;
    }
    for (enum api_revoked_kind kind = 0; kind < API_REVOKED_KINDS_N; kind++) {
        char mem[32];
        struct db_args args;
        struct db_error err = {0};
        db_args_init(&args, mem, sizeof(mem));
        db_args_int(&args, API_REVOKED_MAX);
        DB_AUTO PGresult *rows = db_run(conn, api_revoked_stmt(kind), &args, &err);
        if (!rows) {
            (void)srv_fail(SRV_EXIT_FAILED, "db: %s", err.text);
            return false;
        }
        api_revoked_replace(serve->revoked, kind, rows, api_revoked_changes(serve->revoked, kind));
    }
    return true;
}

/* Re-encrypts data encrypted with the previous token secret, so that an operator can remove that secret. */
static bool reseal(const struct srv_config *config, struct db_conn *conn, enum api_reseal_kind what,
                   const char *done, const char *lost)
{
    struct api_token_keys keys;
    struct api_resealed resealed;
    struct db_error err = {0};
    srv_config_keys(config, &keys);
    bool ok = api_reseal(conn, &keys, what, &resealed, &err);
    sodium_memzero(&keys, sizeof(keys));
    if (!ok)
        (void)srv_fail(SRV_EXIT_FAILED, "db: %s", err.text);
    else if (resealed.done > 0)
        log_info(done, LOG_NUM("n", resealed.done));
    if (ok && resealed.lost > 0)
        log_warn(lost, LOG_NUM("n", resealed.lost));
    return ok;
}

/* If a second factor becomes unreadable, its account can still use recovery codes; a webhook needs a new
 * secret. */
static bool reseal_all(const struct srv_config *config, struct db_conn *conn)
{
    return reseal(config, conn, API_RESEAL_FACTORS, "factors_resealed", "factors_unreadable") &&
           reseal(config, conn, API_RESEAL_WEBHOOKS, "webhook_secrets_resealed",
                  "webhook_secrets_unreadable");
}

static bool start_http(struct serve *serve)
{
    const struct srv_config *config = &serve->config;
    char error[HTTP_ERROR_MAX];
    struct api_token_keys keys;
    srv_config_keys(config, &keys);
    uint8_t dev_seed[32];
    bool seeded = srv_config_dev_seed(config, dev_seed);
    if (seeded)
        log_warn("deals_foreseeable");
    struct api_webauthn_site passkeys;
    char why[SRV_ERROR_MAX];
    bool known = srv_passkey_site(config, &passkeys, why); /* validated with the configuration */
    ASSERT(known);
    const struct srv_http_config http = {
        .addr = config->http_addr,
        .port = (int)config->http_port,
        .loops = (int)config->rest_loops,
        .db = config->db,
        .db_read = config->db_read,
        .web_dir = config->web_dir,
        .public_url = config->public_url,
        .ws_url = config->ws_url,
        .sockets = port_sockets,
        .origins = config->origins,
        .proxies = config->proxies,
        .node = config->node,
        .keys = &keys,
        .pay = &serve->pay,
        .oidc = &serve->oidc,
        .revoked = serve->revoked,
        .passkeys = &passkeys,
        .webhooks_private = config->webhooks_private,
        .push_key = srv_push_web_key(serve->push),
        .push_kinds = srv_push_kinds(serve->push),
        .push_hosts = config->push_hosts,
        .dev = config->dev,
        .https = strncmp(config->public_url, "https://", 8) == 0,
        .dev_seed = seeded ? dev_seed : NULL,
        .log_reads = config->log_reads,
        .traces = serve->traces,
        .log_lines = config->log_lines,
        .rate_limits = config->rate_limits,
        .connections_max = (unsigned)config->http_max,
        .ports = {.ctx = serve,
                  .table_changed = port_table_changed,
                  .table_rematch = port_table_rematch,
                  .table_cancel = port_table_cancel,
                  .prove_ledger = port_prove_ledger,
                  .table_snapshot = port_table_snapshot,
                  .table_params = port_table_params,
                  .variant_known = port_variant_known,
                  .variants_write = port_variants_write,
                  .draining = port_draining,
                  .lease_held = port_lease_held,
                  .clock_ok = port_clock_ok},
    };
    serve->http = srv_http_start(&http, error);
    sodium_memzero(&keys, sizeof(keys));
    if (!serve->http)
        (void)srv_fail(SRV_EXIT_FAILED, "%s", error);
    return serve->http != NULL;
}

static bool start_news(struct serve *serve)
{
    char error[SRV_ERROR_MAX];
    struct srv_news *news = srv_news_start(&serve->config, serve->hub, serve->http, serve->revoked, error);
    atomic_store(&serve->news, news);
    if (!news)
        (void)srv_fail(SRV_EXIT_FAILED, "%s", error);
    return news != NULL;
}

/* Starts the poller for orders without news. If no provider is configured, it still finds orders that wait
 * for one. */
static bool start_shop(struct serve *serve)
{
    const struct srv_config *config = &serve->config;
    if (config->pay_poll_s == 0)
        return true;
    serve->shop = srv_order_poll_start(config->db, &serve->pay, config->pay_poll_s);
    if (!serve->shop)
        (void)srv_fail(SRV_EXIT_FAILED, "shop: cannot start its thread");
    return serve->shop != NULL;
}

static bool thread_started(const void *thread, const char *of)
{
    if (!thread)
        (void)srv_fail(SRV_EXIT_FAILED, "%s: cannot start the thread", of);
    return thread != NULL;
}

static bool start_threads(struct serve *serve)
{
    const struct srv_config *config = &serve->config;
    serve->seal = srv_ledger_seal_start(config->db);
    serve->mailer = srv_mailer_start(config, &serve->draining);
    serve->outbox = srv_outbox_start(config, serve->push, &serve->draining);
    serve->tournaments = srv_tournaments_start(config, atomic_load(&serve->news));
    return thread_started(serve->seal, "ledger") && thread_started(serve->mailer, "mail") &&
           thread_started(serve->outbox, "webhooks") && thread_started(serve->tournaments, "tournaments");
}

static bool start_traces(struct serve *serve)
{
    const struct srv_config *config = &serve->config;
    if (config->otlp_endpoint[0] == '\0')
        return true;
    serve->traces = srv_traces_start(config->otlp_endpoint, config->node);
    if (!serve->traces)
        (void)srv_fail(SRV_EXIT_FAILED, "otlp_endpoint: cannot start its thread");
    return serve->traces != NULL;
}

/* ---- The lease's ports ---- */
static void port_wake(void *ctx)
{
    struct serve *serve = ctx;
    srv_hub_wake(serve->hub);
}

static void port_adopted(void *ctx, int64_t table_id)
{
    struct serve *serve = ctx;
    srv_hub_adopted(serve->hub, table_id);
}

static void port_hand_over(void *ctx, int64_t n, bool to_lighter)
{
    struct serve *serve = ctx;
    srv_hub_hand_over_some(serve->hub, n, to_lighter);
}

/* If other nodes are running, players whom they direct here must be able to connect. */
static bool check_reachable(const struct serve *serve)
{
    char error[SRV_ERROR_MAX];
    if (!serve->config.ws_url_check || !srv_lease_has_peers(serve->lease) ||
        srv_selfcheck_at_startup(&serve->config, error))
        return true;
    (void)srv_fail(SRV_EXIT_FAILED, "%s", error);
    return false;
}

/* Call when everything is running. From then on, tables can be opened here. */
static bool open_node(struct serve *serve)
{
    srv_lease_attach(serve->lease, &(struct srv_lease_ports){.ctx = serve,
                                                             .wake = port_wake,
                                                             .adopted = port_adopted,
                                                             .hand_over = port_hand_over});
    srv_lease_set_state(serve->lease, SRV_NODE_READY);
    atomic_store(&serve->open, true);
    serve->selfcheck = srv_selfcheck_start(&serve->config, serve->lease);
    return true;
}

static bool start_all(struct serve *serve)
{
    char error[SRV_ERROR_MAX] = "";
    const struct srv_config *config = &serve->config;
    struct db_conn *conn = wait_for_database(config);
    if (!conn)
        return false;
    bool ok = srv_database_fits(config, conn) && read_revoked(serve, conn) && reseal_all(config, conn);
    db_close(conn);
    if (!ok)
        return false;
    size_t queue_max = (size_t)config->table_max + QUEUE_SPARE;
    serve->journal =
        srv_journal_open(config->db, config->node, queue_max, config->journal, error, sizeof(error));
    if (serve->journal)
        serve->lease = srv_lease_open(config, srv_journal_epoch(serve->journal), error);
    if (serve->lease)
        serve->hub =
            srv_hub_start(config, serve->journal, serve->lease, serve->revoked, error, sizeof(error));
    if (!serve->hub) {
        (void)srv_fail(SRV_EXIT_FAILED, "%s", error);
        return false;
    }
    return start_traces(serve) && start_http(serve) && start_news(serve) && start_shop(serve) &&
           start_threads(serve) && check_reachable(serve) && open_node(serve);
}

/* ---- Shutdown ---- */
/* Stops new seats first, then hands the tables over to other nodes, if any, and then makes all writes
 * durable. */
static void stop_all(struct serve *serve)
{
    atomic_store(&serve->draining, true);
    srv_selfcheck_stop(serve->selfcheck);
    if (serve->lease)
        srv_lease_set_state(serve->lease, SRV_NODE_DRAINING);
    if (serve->hub &&
        srv_lease_has_peers(
            serve->lease)) /* REST keeps running, because players query which node has their table */
        srv_hub_hand_over_all(serve->hub, HANDOVER_MS);
    srv_tournaments_stop(serve->tournaments);
    srv_order_poll_stop(serve->shop);
    srv_ledger_seal_stop(serve->seal);
    srv_mailer_stop(serve->mailer);
    srv_outbox_stop(serve->outbox);
    if (serve->hub)
        srv_hub_drain(serve->hub, DRAIN_MS);
    srv_news_stop(atomic_load(&serve->news));
    if (serve->http)
        srv_http_stop(serve->http);
    srv_traces_stop(serve->traces);
    if (serve->journal)
        srv_journal_stop(serve->journal, JOURNAL_STOP_MS);
    srv_lease_stop(serve->lease);
    srv_hub_stop(serve->hub);
    srv_news_free(atomic_load(&serve->news));
    srv_lease_free(serve->lease);
    srv_journal_free(serve->journal);
    api_revoked_free(serve->revoked);
    srv_shop_unload(&serve->pay);
    oidc_free(&serve->oidc);
    srv_push_free(serve->push);
}

/* Threads inherit the mask, so that only the main thread gets the signals. */
static void block_signals(sigset_t *set)
{
    (void)sigemptyset(set);
    (void)sigaddset(set, SIGTERM);
    (void)sigaddset(set, SIGINT);
    (void)sigaddset(set, SIGHUP);
    (void)pthread_sigmask(SIG_BLOCK, set, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
}

static enum log_level level_named(const char *name)
{
    return strcmp(name, "debug") == 0  ? LOG_DEBUG
           : strcmp(name, "info") == 0 ? LOG_INFO
           : strcmp(name, "warn") == 0 ? LOG_WARN
                                       : LOG_ERROR;
}

/* Reads the configuration and everything that its keys name: secrets, folders, and providers. make: create
 * missing folders. */
static enum srv_config_result configure(struct serve *serve, int args_n, char *const *args, bool make,
                                        char error[SRV_ERROR_MAX])
{
    size_t words_n;
    enum srv_config_result read =
        srv_config_read(&serve->config, args_n, args, environ, NULL, 0, &words_n, error);
    if (read != SRV_CONFIG_OK)
        return read;
    serve->pay.net.stop = serve->oidc.net.stop = &serve->draining;
    bool ok = srv_config_paths(&serve->config, make, error);
    if (!make)
        serve->config.state_dir[0] = '\0'; /* so that --dev does not keep a secret there */
    ok = ok && srv_config_secret(&serve->config, error) == SRV_CONFIG_OK &&
         srv_shop_load(&serve->config, &serve->pay, error) &&
         srv_oidc_load(&serve->config, &serve->oidc, error) &&
         (serve->push = srv_push_load(&serve->config, error));
    return ok ? SRV_CONFIG_OK : SRV_CONFIG_FAILED;
}

static int refuse(enum srv_config_result read, const char *error)
{
    return srv_fail(read == SRV_CONFIG_USAGE ? SRV_EXIT_USAGE : SRV_EXIT_FAILED, "%s", error);
}

int srv_cmd_check_config(int args_n, char *const *args)
{
    static struct serve serve;
    char error[SRV_ERROR_MAX];
    log_level_set(LOG_WARN);
    enum srv_config_result read = configure(&serve, args_n, args, false, error);
    if (read != SRV_CONFIG_OK)
        return refuse(read, error);
    if (!srv_descriptors_take(&serve.config, error))
        return refuse(SRV_CONFIG_FAILED, error);
    (void)printf("the configuration is valid\n");
    return SRV_EXIT_OK;
}

int srv_cmd_serve(int args_n, char *const *args)
{
    static struct serve serve;
    char error[SRV_ERROR_MAX];
    enum srv_config_result read = configure(&serve, args_n, args, true, error);
    if (read != SRV_CONFIG_OK)
        return refuse(read, error);
    log_level_set(level_named(serve.config.log_level));
    srv_security_log_bound(serve.config.log_lines);
    sigset_t signals;
    if (!srv_descriptors_take(&serve.config, error))
        return srv_fail(SRV_EXIT_FAILED, "%s", error);
    block_signals(&signals);
    json_object_seed(0);
    if (!net_start())
        return srv_fail(SRV_EXIT_FAILED, "libcurl cannot be set up");
    if (!start_all(&serve)) {
        stop_all(&serve);
        return SRV_EXIT_FAILED;
    }
    srv_metric_set(METRIC_STARTED, clock_unix_ms() / 1000);
    log_info("serving", LOG_TEXT("version", srv_version), LOG_TEXT("http", serve.config.http_addr),
             LOG_NUM("http_port", serve.config.http_port), LOG_TEXT("ws", serve.config.ws_url),
             LOG_TEXT("node", serve.config.node));
    int signal_no = 0;
    while (sigwait(&signals, &signal_no) != 0 || signal_no == SIGHUP)
        continue;
    log_info("stopping", LOG_NUM("signal", signal_no));
    stop_all(&serve);
    log_info("stopped");
    return SRV_EXIT_OK;
}
