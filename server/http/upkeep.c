/* Periodic database upkeep on the first REST loop: deletes expired rows, keeps leaderboards fast, reads bans
 * and ended sessions, checks for overdue jobs and open cases, and builds personal data exports. Several
 * servers may do it at once. Loop's thread. */
#include "server/http/upkeep.h"

#include "api/ops/overdue.h"
#include "api/signin/revoked.h"
#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "server/http/loop.h"
#include "server/operations/metrics.h"

#include <string.h>

/* Deletes expired rows (keys, failures, tokens, tickets) in small batches, so that no statement takes
 * long. */
static const struct db_stmt do_purge = {"do_purge", "SELECT do_purge(1000) AS rows_n", 0};
static const struct db_stmt do_fold_boards = {"do_fold_boards", "SELECT do_fold_boards(16) AS boards_n", 0};
/* Counts invitations whose player has reached the level, and achievements at the end of a season. */
static const struct db_stmt do_counts_due = {"do_counts_due", "SELECT do_counts_due(500) AS counts_n", 0};
/* Commitments to the daily deals of the coming days. */
static const struct db_stmt do_daily_days = {"do_daily_days", "SELECT do_daily_days() AS days_n", 0};
/* The puzzles of today and tomorrow. */
static const struct db_stmt do_puzzle_days = {"do_puzzle_days", "SELECT do_puzzle_days() AS days_n", 0};
/* Notifications for the past week. */
static const struct db_stmt do_week_notices = {"do_week_notices", "SELECT do_week_notices(5000) AS n", 0};
/* Overdue jobs, and cases that wait for an operator. */
static const struct db_stmt overdue_jobs_and_open_cases = {
    "overdue_jobs_and_open_cases",
    "SELECT count(*) AS jobs_n, coalesce(json_agg(job ORDER BY job), '[]')::text AS names, "
    "(SELECT count(*) FROM reports WHERE state = 'open') AS reports_n, "
    "(SELECT count(*) FROM shop_flags WHERE settled_at IS NULL) AS flags_n, "
    "(SELECT count(*) FROM lost_tables WHERE ended_at IS NULL) AS lost_n "
    "FROM q_jobs(now()) WHERE overdue",
    0};

static const struct db_stmt jobs_done = {
    "jobs_done", "SELECT job, coalesce(extract(epoch FROM done_at)::bigint, 0) FROM q_jobs(now())", 0};
/* Background work and how far it is behind. */
static const struct db_stmt backlog = {
    "backlog",
    "SELECT q.mails_n, q.oldest_s, "
    "coalesce((SELECT extract(epoch FROM now() - at)::bigint FROM transfers "
    "WHERE id > (SELECT transfer_id FROM ledger_seal) ORDER BY id LIMIT 1), 0) AS unsealed_s, "
    "coalesce((SELECT extract(epoch FROM ends_at)::bigint FROM seasons "
    "WHERE state IN ('opening', 'open', 'closing')), 0) AS season_ends_at, "
    "d.waiting_n, d.late_s, d.off_n FROM q_mail_queue() q, q_delivery_queue() d",
    0};

/* Advances a requested personal data export by a few rows. */
static const struct db_stmt do_export_step = {"do_export_step", "SELECT do_export_step() AS files_n", 0};

static void on_purged(void *arg, const struct db_reply *reply)
{
    (void)arg;
    if (reply->outcome == DB_OK)
        log_debug("purged", LOG_NUM("rows", db_i64(reply->rows, 0, 0)));
    else
        log_warn("purge_failed", LOG_TEXT("error", reply->err->text));
}

static void on_kept(void *arg, const struct db_reply *reply)
{
    (void)arg;
    if (reply->outcome != DB_OK)
        log_warn("upkeep_failed", LOG_TEXT("error", reply->err->text));
}

static void take_revoked(struct srv_http_loop *loop, enum api_revoked_kind kind, const struct db_reply *reply)
{
    ASSERT(loop->revoked_reading > 0);
    loop->revoked_reading--;
    if (reply->outcome == DB_OK)
        api_revoked_replace(loop->http->env.revoked, kind, reply->rows, loop->revoked_seen[kind]);
    srv_http_read_revoked(loop);
}

static void on_banned(void *arg, const struct db_reply *reply)
{
    take_revoked(arg, API_BANNED_PLAYERS, reply);
}

static void on_ended(void *arg, const struct db_reply *reply)
{
    take_revoked(arg, API_ENDED_SESSIONS, reply);
}

/* Reads the list again, because other nodes also ban players and end sessions. */
static void read_list(struct srv_http_loop *loop, enum api_revoked_kind kind, db_pipe_fn *then)
{
    char mem[32];
    struct db_args args;
    db_args_init(&args, mem, sizeof(mem));
    db_args_int(&args, API_REVOKED_MAX);
    loop->revoked_seen[kind] = api_revoked_changes(loop->http->env.revoked, kind);
    loop->revoked_reading += db_pipe_read(loop->pipe, api_revoked_stmt(kind), &args, then, loop);
}

/* Only one read runs at a time, no matter how often other threads request it. */
void srv_http_read_revoked(struct srv_http_loop *loop)
{
    if (loop->stopping || loop->revoked_reading > 0 || !loop->pipe ||
        !atomic_exchange(&loop->revoked_asked, false))
        return;
    read_list(loop, API_BANNED_PLAYERS, on_banned);
    read_list(loop, API_ENDED_SESSIONS, on_ended);
}

void srv_http_on_revoked(struct ev_loop *ev, ev_timer *timer, int events)
{
    (void)ev;
    (void)events;
    struct srv_http_loop *loop = timer->data;
    atomic_store(&loop->revoked_asked, true);
    srv_http_read_revoked(loop);
}

static void on_waits(void *arg, const struct db_reply *reply)
{
    struct srv_http_loop *loop = arg;
    if (reply->outcome != DB_OK)
        return;
    int64_t n = db_i64(reply->rows, 0, 0);
    const char *names = db_text(reply->rows, 0, 1);
    if (n > srv_metric_get(METRIC_JOBS_OVERDUE))
        log_warn("jobs_overdue", LOG_TEXT("jobs", names));
    srv_metric_set(METRIC_JOBS_OVERDUE, n);
    srv_metric_set(METRIC_REPORTS_OPEN, db_i64(reply->rows, 0, 2));
    srv_metric_set(METRIC_FLAGS_OPEN, db_i64(reply->rows, 0, 3));
    srv_metric_set(METRIC_LOST_OPEN, db_i64(reply->rows, 0, 4));
    api_overdue_set(loop->http->env.overdue, names, db_i64(reply->rows, 0, 4));
}

/* The rows of db/data/09-jobs.sql; jobs that an operator adds have no metric. */
static void on_jobs_done(void *arg, const struct db_reply *reply)
{
    static const struct {
        const char *job;
        enum srv_metric m;
    } known[] = {
        {"daily_bonus", METRIC_JOB_DAILY_BONUS},
        {"erase_players", METRIC_JOB_ERASE_PLAYERS},
        {"monthly_prizes", METRIC_JOB_MONTHLY_PRIZES},
        {"partition_upkeep", METRIC_JOB_PARTITION_UPKEEP},
        {"season_rollover", METRIC_JOB_SEASON_ROLLOVER},
        {"stale_tables", METRIC_JOB_STALE_TABLES},
        {"upkeep", METRIC_JOB_UPKEEP},
    };
    (void)arg;
    for (int row = 0; reply->outcome == DB_OK && row < PQntuples(reply->rows); row++)
        for (size_t i = 0; i < ARRAY_LEN(known); i++)
            if (strcmp(known[i].job, db_text(reply->rows, row, 0)) == 0)
                srv_metric_set(known[i].m, db_i64(reply->rows, row, 1));
}

static void on_backlog(void *arg, const struct db_reply *reply)
{
    (void)arg;
    if (reply->outcome != DB_OK)
        return;
    srv_metric_set(METRIC_MAILS_WAITING, db_i64(reply->rows, 0, 0));
    srv_metric_set(METRIC_MAILS_OLDEST_AGE, db_i64(reply->rows, 0, 1));
    srv_metric_set(METRIC_LEDGER_UNSEALED_AGE, db_i64(reply->rows, 0, 2));
    srv_metric_set(METRIC_SEASON_ENDS_AT, db_i64(reply->rows, 0, 3));
    srv_metric_set(METRIC_DELIVERIES_WAITING, db_i64(reply->rows, 0, 4));
    srv_metric_set(METRIC_DELIVERIES_LATE, db_i64(reply->rows, 0, 5));
    srv_metric_set(METRIC_WEBHOOKS_OFF, db_i64(reply->rows, 0, 6));
}

static void make_export_step(struct srv_http_loop *loop);

/* While there is work, each step is followed by a pause of the same length. Large exports therefore use at
 * most half of one connection, and small ones do not wait for the next run. */
static void on_exported(void *arg, const struct db_reply *reply)
{
    struct srv_http_loop *loop = arg;
    ASSERT(loop->exporting);
    if (reply->outcome != DB_OK)
        log_warn("export_failed", LOG_TEXT("error", reply->err->text));
    loop->exporting = reply->outcome == DB_OK && db_i64(reply->rows, 0, 0) > 0 && !loop->stopping;
    if (!loop->exporting)
        return;
    double took_s = (double)(clock_mono_ns() - loop->export_began_ns) / 1e9;
    loop->export_rest.repeat = took_s < HTTP_EXPORT_REST_S_MIN   ? HTTP_EXPORT_REST_S_MIN
                               : took_s > HTTP_EXPORT_REST_S_MAX ? HTTP_EXPORT_REST_S_MAX
                                                                 : took_s;
    ev_timer_again(loop->ev, &loop->export_rest);
}

static void make_export_step(struct srv_http_loop *loop)
{
    loop->export_began_ns = clock_mono_ns();
    loop->exporting = loop->pipe && db_pipe_write(loop->pipe, &do_export_step, NULL, on_exported, loop);
}

void srv_http_export_rested(struct ev_loop *ev, ev_timer *timer, int events)
{
    (void)events;
    struct srv_http_loop *loop = timer->data;
    ev_timer_stop(ev, timer);
    make_export_step(loop);
}

void srv_http_upkeep(struct ev_loop *ev, ev_timer *timer, int events)
{
    (void)ev;
    (void)events;
    struct srv_http_loop *loop = timer->data;
    /* while the database is unreachable or busy, statements are rejected; the next run repeats them */
    if (!loop->pipe)
        return;
    /* A server in a restart loop must not spend its time on deletions. */
    if (loop->settled)
        (void)db_pipe_write(loop->pipe, &do_purge, NULL, on_purged, NULL);
    loop->settled = true;
    (void)db_pipe_write(loop->pipe, &do_counts_due, NULL, on_kept, NULL);
    (void)db_pipe_write(loop->pipe, &do_daily_days, NULL, on_kept, NULL);
    (void)db_pipe_write(loop->pipe, &do_puzzle_days, NULL, on_kept, NULL);
    (void)db_pipe_write(loop->pipe, &do_week_notices, NULL, on_kept, NULL);
    (void)db_pipe_read(loop->pipe, &overdue_jobs_and_open_cases, NULL, on_waits, loop);
    (void)db_pipe_read(loop->pipe, &jobs_done, NULL, on_jobs_done, NULL);
    (void)db_pipe_read(loop->pipe, &backlog, NULL, on_backlog, NULL);
}

void srv_http_follow(struct ev_loop *ev, ev_timer *timer, int events)
{
    (void)ev;
    (void)events;
    struct srv_http_loop *loop = timer->data;
    if (!loop->pipe)
        return;
    (void)db_pipe_write(loop->pipe, &do_fold_boards, NULL, on_kept, NULL);
    if (!loop->exporting)
        make_export_step(loop);
}
