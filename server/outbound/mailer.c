/* Sends the emails of the outbox; see mailer.h. Everything except start and stop runs on its thread. */
#include "server/outbound/mailer.h"

#include "base/bug.h"
#include "base/log.h"
#include "base/ticker.h"
#include "db/pg.h"
#include "mail/reply.h"
#include "mail/template.h"
#include "mail/transport.h"
#include "mail/url.h"
#include "server/operations/metrics.h"

#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAIL_POLL_MS = 1000, MAIL_ARGS_MAX = 1024, LINKS_MAX = 100 };

struct srv_mailer {
    const struct srv_config *config;
    struct mail_config mail;
    struct mail_transport *transport;
    struct db_conn *conn; /* NULL: not connected yet */
    struct ticker *ticker;
    char text[MAIL_MESSAGE_MAX];
    struct mail_text filled;
    enum mail_phase held_phase; /* the mail server's last refusal of this client, so that it is logged once */
    int held_code;
    bool held;
};

static const struct db_stmt do_mail_claim = {
    "do_mail_claim", "SELECT id, token, address, language, template, data, created_at FROM do_mail_claim()",
    0};
static const struct db_stmt do_links_due = {"do_links_due", "SELECT do_links_due($1)", 1};
static const struct db_stmt do_mail_result = {"do_mail_result", "SELECT do_mail_result($1, $2, $3)", 3};

static bool connected(struct srv_mailer *mailer, struct db_error *err)
{
    return db_keep_up(&mailer->conn, mailer->config->db, DB_WORK_ANSWER_MS_MAX, err);
}

/* Fills the claimed email's template and sends the email. *result: the transport's result, or why the
 * template could not be filled. */
static void send_row(struct srv_mailer *mailer, const PGresult *rows, struct mail_result *result)
{
    const struct mail_message message = {.from = mailer->config->mail_from,
                                         .from_name = mailer->config->mail_name,
                                         .id = db_text(rows, 0, 1),
                                         .to = db_text(rows, 0, 2),
                                         .language = db_text(rows, 0, 3),
                                         .date_ms = db_i64(rows, 0, 6),
                                         .subject = mailer->filled.subject,
                                         .body = mailer->filled.body};
    struct buf out = buf_on(mailer->text, sizeof(mailer->text));
    json_t *values = json_loads(db_text(rows, 0, 5), JSON_REJECT_DUPLICATES, NULL);
    *result = (struct mail_result){.outcome = MAIL_REFUSED};
    bool ok = mail_template_fill(&mailer->filled, message.language, db_text(rows, 0, 4),
                                 mailer->config->public_url, values, result->why) &&
              mail_message_write(&out, &message, result->why);
    json_decref(values);
    if (ok)
        mail_transport_send(mailer->transport, &message, out.data, out.len, result);
    else /* the operator cannot fix this */
        log_error("mail_impossible", LOG_NUM("mail", db_i64(rows, 0, 0)),
                  LOG_TEXT("template", db_text(rows, 0, 4)), LOG_TEXT("why", result->why));
    sodium_memzero(mailer->text, sizeof(mailer->text));
    sodium_memzero(&mailer->filled, sizeof(mailer->filled));
}

/* Logs an error once per reason if the mail server refuses this client, because it will refuse every email
 * until an operator acts. The reply texts up to MAIL FROM cannot contain a recipient. */
static void log_held(struct srv_mailer *mailer, const struct mail_result *result)
{
    char status[16] = "";
    bool held = result->outcome == MAIL_HELD;
    bool news =
        held && !(mailer->held && mailer->held_phase == result->phase && mailer->held_code == result->code);
    if (result->outcome != MAIL_AGAIN)
        mailer->held = held;
    if (!news)
        return;
    mailer->held_phase = result->phase;
    mailer->held_code = result->code;
    if (result->status[0] != 0)
        (void)snprintf(status, sizeof(status), "%d.%d.%d", result->status[0], result->status[1],
                       result->status[2]);
    log_error("mail_server_refuses_us", LOG_TEXT("phase", mail_phase_name(result->phase)),
              LOG_NUM("smtp_code", result->code), LOG_TEXT("smtp_status", status),
              LOG_TEXT("said", result->phase < MAIL_AT_RCPT ? result->why : ""));
}

/* false: the result was not stored, so the email will be sent again. */
static bool note(struct srv_mailer *mailer, const PGresult *mail, const struct mail_result *result)
{
    static const char *const outcomes[] = {
        [MAIL_SENT] = "sent", [MAIL_AGAIN] = "again", [MAIL_HELD] = "held", [MAIL_REFUSED] = "refused"};
    char mem[MAIL_ARGS_MAX];
    struct db_args args;
    struct db_error err;
    db_args_init(&args, mem, sizeof(mem));
    db_args_int(&args, db_i64(mail, 0, 0));
    db_args_text(&args, outcomes[result->outcome]);
    db_args_text(&args, result->why);
    DB_AUTO PGresult *rows = db_run(mailer->conn, &do_mail_result, &args, &err);
    if (!rows) {
        log_warn("mail_not_noted", LOG_NUM("mail", db_i64(mail, 0, 0)), LOG_TEXT("error", err.text));
        return false;
    }
    const char *now = db_text(rows, 0, 0);
    enum log_level level = result->outcome == MAIL_SENT ? LOG_INFO : LOG_WARN;
    LOG_AT(level, "mail", LOG_NUM("mail", db_i64(mail, 0, 0)), LOG_TEXT("template", db_text(mail, 0, 4)),
           LOG_TEXT("state", now), LOG_TEXT("phase", mail_phase_name(result->phase)),
           LOG_NUM("smtp_code", result->code));
    log_held(mailer, result);
    srv_metric_add(strcmp(now, "sent") == 0    ? METRIC_MAILS_SENT
                   : strcmp(now, "again") == 0 ? METRIC_MAILS_AGAIN
                   : strcmp(now, "held") == 0  ? METRIC_MAILS_HELD
                                               : METRIC_MAILS_GIVEN_UP,
                   1);
    return true;
}

/* false: there is nothing more to do for now. */
static bool send_one(struct srv_mailer *mailer)
{
    struct db_error err;
    struct mail_result result;
    DB_AUTO PGresult *rows = db_run(mailer->conn, &do_mail_claim, NULL, &err);
    if (!rows)
        log_warn("mails_not_looked_at", LOG_TEXT("error", err.text));
    if (!rows || PQntuples(rows) == 0)
        return false;
    send_row(mailer, rows, &result);
    /* A server that refuses this client would refuse the other emails too, so wait for the next tick. */
    return note(mailer, rows, &result) && result.outcome != MAIL_HELD &&
           (result.outcome != MAIL_AGAIN || result.code != 0);
}

/* Creates emails for requests to /v1/auth/forgot and for sign-ins stopped by a lock, at most LINKS_MAX at
 * once. */
static void check_links(struct srv_mailer *mailer)
{
    char mem[64];
    struct db_args args;
    struct db_error err;
    db_args_init(&args, mem, sizeof(mem));
    db_args_int(&args, LINKS_MAX);
    DB_AUTO PGresult *rows = db_run(mailer->conn, &do_links_due, &args, &err);
    if (!rows)
        log_warn("links_not_looked_at", LOG_TEXT("error", err.text));
}

static void send_all(struct ticker *ticker, void *arg)
{
    struct srv_mailer *mailer = arg;
    struct db_error err;
    if (!connected(mailer, &err)) {
        log_debug("mails_not_looked_at",
                  LOG_TEXT("error", err.text)); /* other threads log that the database is unreachable */
        return;
    }
    check_links(mailer);
    while (!ticker_stopping(ticker) && !atomic_load(mailer->mail.stop) && send_one(mailer))
        continue;
    mail_transport_rest(mailer->transport);
}

static void free_mailer(struct srv_mailer *mailer)
{
    db_close(mailer->conn);
    mail_transport_close(mailer->transport);
    free(mailer);
}

struct srv_mailer *srv_mailer_start(const struct srv_config *config, const atomic_bool *stop)
{
    struct srv_mailer *mailer = calloc(1, sizeof(*mailer));
    if (!mailer)
        return NULL;
    mailer->config = config;
    mailer->mail = (struct mail_config){.smtp_url = config->smtp_url,
                                        .user = config->smtp_user,
                                        .password = config->smtp_password,
                                        .helo = config->smtp_helo,
                                        .ca_file = config->smtp_ca_file,
                                        .timeout_ms = config->smtp_timeout_ms,
                                        .plain_ok = config->dev || mail_url_is_local(config->smtp_url),
                                        .folder = config->mail_dir,
                                        .stop = stop};
    mailer->transport = mail_transport_open(&mailer->mail);
    mailer->ticker = mailer->transport ? ticker_start("mail", MAIL_POLL_MS, send_all, mailer) : NULL;
    if (!mailer->ticker) {
        free_mailer(mailer);
        return NULL;
    }
    return mailer;
}

void srv_mailer_stop(struct srv_mailer *mailer)
{
    if (!mailer)
        return;
    ticker_stop(mailer->ticker);
    free_mailer(mailer);
}
