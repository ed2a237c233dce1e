/* Sends the deliveries of the outbox; see outbox.h. Everything except start and stop runs on its thread. */
#include "server/outbound/outbox.h"

#include "api/admin/webhook_secret.h"
#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/ticker.h"
#include "db/pg.h"
#include "net/outbound.h"
#include "server/operations/metrics.h"

#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    POLL_MS = 250,
    WAIT_MS = 200,  /* wait for responses before the next check for due deliveries */
    STOP_MS = 2000, /* wait for pending deliveries when the server stops */
    SECRETS_MAX = 2,
    ARGS_MAX = 1024,
    HEADER_MAX = 256,
};

/* A delivery being sent. Its index is its tag. */
struct sending {
    int64_t id; /* 0: free */
    int64_t try;
    bool push;      /* to a device, not to an endpoint */
    size_t service; /* the device's push service */
};

struct srv_outbox {
    const struct srv_config *config;
    const atomic_bool *stop;
    struct api_token_keys keys;
    struct srv_push *push; /* borrowed */
    struct net_outbound *net;
    struct db_conn *conn; /* NULL: not connected yet */
    struct ticker *ticker;
    struct sending sending[NET_OUTBOUND_SLOTS_MAX];
    struct net_outbound_answer answer;
};

static const struct db_stmt do_claim = {"do_delivery_claim",
                                        "SELECT id, try, kind, token, url, event, body, secrets, language, "
                                        "topic, ttl_s, urgent FROM do_delivery_claim($1)",
                                        1};
static const struct db_stmt do_delivery_result = {"do_delivery_result",
                                                  "SELECT do_delivery_result($1, $2, $3, $4, $5, $6)", 6};

static bool connected(struct srv_outbox *outbox, struct db_error *err)
{
    return db_keep_up(&outbox->conn, outbox->config->db, DB_WORK_ANSWER_MS_MAX, err);
}

/* --- results --- */

struct verdict {
    const char *outcome; /* sent, again, refused, gone */
    long status;
    int64_t wait_s;
    const char *why;
};

/* false: the result was not stored, so the delivery will be sent again. */
static bool note(struct srv_outbox *outbox, const struct sending *sent, const struct verdict *verdict)
{
    static const enum srv_metric metrics[2][3] = {
        {METRIC_DELIVERIES_SENT, METRIC_DELIVERIES_AGAIN, METRIC_DELIVERIES_GIVEN_UP},
        {METRIC_PUSHES_SENT, METRIC_PUSHES_AGAIN, METRIC_PUSHES_GIVEN_UP}};
    char mem[ARGS_MAX];
    struct db_args args;
    struct db_error err;
    db_args_init(&args, mem, sizeof(mem));
    db_args_int(&args, sent->id);
    db_args_int(&args, sent->try);
    db_args_text(&args, verdict->outcome);
    db_args_int(&args, verdict->status);
    db_args_int(&args, verdict->wait_s);
    db_args_text(&args, verdict->why);
    DB_AUTO PGresult *rows = db_run(outbox->conn, &do_delivery_result, &args, &err);
    if (!rows) {
        log_warn("delivery_not_noted", LOG_NUM("delivery", sent->id), LOG_TEXT("error", err.text));
        return false;
    }
    const char *now = db_text(rows, 0, 0);
    bool ok = strcmp(now, "sent") == 0, again = strcmp(now, "again") == 0, off = strcmp(now, "off") == 0;
    LOG_AT(ok ? LOG_INFO : LOG_WARN, "delivery", LOG_NUM("delivery", sent->id), LOG_NUM("try", sent->try),
           LOG_TEXT("state", now), LOG_NUM("status", verdict->status), LOG_TEXT("why", verdict->why));
    if (off)
        log_error("webhook_switched_off", LOG_NUM("delivery", sent->id));
    if (strcmp(now, "over") != 0)
        srv_metric_add(metrics[sent->push][ok ? 0 : again ? 1 : 2], 1);
    return true;
}

static bool note_answer(struct srv_outbox *outbox, const struct net_outbound_answer *answer)
{
    ASSERT(answer->tag >= 0 && answer->tag < NET_OUTBOUND_SLOTS_MAX);
    struct sending sent = outbox->sending[answer->tag];
    outbox->sending[answer->tag] = (struct sending){0};
    ASSERT(sent.id != 0);
    const char *outcome = sent.push                   ? srv_push_outcome(outbox->push, sent.service, answer)
                          : answer->status / 100 == 2 ? "sent"
                          : answer->status == 410     ? "gone"
                          : answer->forbidden         ? "refused"
                                                      : "again";
    const struct verdict verdict = {
        .outcome = outcome, .status = answer->status, .wait_s = answer->retry_s, .why = answer->why};
    return note(outbox, &sent, &verdict);
}

/* --- sending --- */

/* Writes the signatures with all active secrets of the endpoint, separated by spaces. false: no secret can
 * be read. */
static bool sign(const struct srv_outbox *outbox, const char *secrets, const char *id, int64_t time_s,
                 const char *body, struct buf *out)
{
    json_t *list = json_loads(secrets ? secrets : "[]", 0, NULL);
    size_t i, n = 0;
    json_t *one;
    json_array_foreach(list, i, one)
    {
        uint8_t secret[API_WEBHOOK_SECRET_LEN];
        char text[API_WEBHOOK_SIGNATURE_MAX];
        const char *sealed = json_string_value(json_array_get(one, 0));
        const char *kid = json_string_value(json_array_get(one, 1));
        if (n == SECRETS_MAX || !sealed || !kid ||
            !api_webhook_secret_open(&outbox->keys, kid, sealed, secret))
            continue;
        api_webhook_sign(secret, sizeof(secret), id, time_s, body, text);
        sodium_memzero(secret, sizeof(secret));
        buf_fmt(out, "%s%s", n++ > 0 ? " " : "", text);
    }
    json_decref(list);
    return n > 0 && !out->full;
}

static void message_id(const char *uuid, char out[64])
{
    size_t n = (size_t)snprintf(out, 64, "msg_");
    for (; *uuid && n < 63; uuid++)
        if (*uuid != '-')
            out[n++] = *uuid;
    out[n] = '\0';
}

/* false: the delivery cannot be sent; *why has the reason. */
static bool send_webhook(struct srv_outbox *outbox, const PGresult *rows, int row, int64_t tag,
                         const char **why)
{
    char id[64], id_header[96], time_header[64], mem[HEADER_MAX];
    int64_t now_s = clock_unix_ms() / 1000;
    const char *body = db_text(rows, row, 6);
    struct buf signature = buf_on(mem, sizeof(mem) - 1);
    message_id(db_text(rows, row, 3), id);
    (void)snprintf(id_header, sizeof(id_header), "webhook-id: %s", id);
    (void)snprintf(time_header, sizeof(time_header), "webhook-timestamp: %lld", (long long)now_s);
    buf_str(&signature, "webhook-signature: ");
    if (!sign(outbox, db_text(rows, row, 7), id, now_s, body, &signature)) {
        *why = "no secret of the endpoint can be read";
        return false;
    }
    signature.data[signature.len] = '\0';
    const char *const headers[] = {"Content-Type: application/json", id_header, time_header, signature.data,
                                   NULL};
    const struct net_outbound_post post = {.tag = tag,
                                           .url = db_text(rows, row, 4),
                                           .headers = headers,
                                           .body = body,
                                           .len = strlen(body),
                                           .private_ok = outbox->config->webhooks_private};
    *why = "out of memory";
    return net_outbound_send(outbox->net, &post);
}

static int64_t free_place(const struct srv_outbox *outbox)
{
    int64_t tag = 0;
    while (tag < NET_OUTBOUND_SLOTS_MAX && outbox->sending[tag].id != 0)
        tag++;
    ASSERT(tag < NET_OUTBOUND_SLOTS_MAX);
    return tag;
}

/* Claims and sends as many due deliveries as there are free slots. false: the database is unreachable. */
static bool send_due(struct srv_outbox *outbox)
{
    char mem[64];
    struct db_args args;
    struct db_error err;
    int n = net_outbound_free(outbox->net);
    if (n == 0)
        return true;
    db_args_init(&args, mem, sizeof(mem));
    db_args_int(&args, n);
    DB_AUTO PGresult *rows = db_run(outbox->conn, &do_claim, &args, &err);
    if (!rows) {
        log_warn("deliveries_not_looked_at", LOG_TEXT("error", err.text));
        return false;
    }
    ASSERT(PQntuples(rows) <= n);
    for (int row = 0; row < PQntuples(rows); row++) {
        const char *why = "";
        int64_t tag = free_place(outbox);
        struct sending *sending = &outbox->sending[tag];
        *sending = (struct sending){db_i64(rows, row, 0), db_i64(rows, row, 1),
                                    strcmp(db_text(rows, row, 2), "webhook") != 0, 0};
        if (sending->push)
            sending->service = srv_push_service_of(rows, row);
        if (sending->push ? srv_push_send(outbox->push, outbox->net, rows, row, tag, &why)
                          : send_webhook(outbox, rows, row, tag, &why))
            continue;
        const struct verdict verdict = {.outcome = "again", .why = why};
        (void)note(outbox, sending, &verdict);
        *sending = (struct sending){0};
    }
    return true;
}

static bool is_stopping(struct ticker *ticker, const struct srv_outbox *outbox)
{
    return ticker_stopping(ticker) || atomic_load(outbox->stop);
}

static bool is_idle(const struct srv_outbox *outbox)
{
    return net_outbound_free(outbox->net) == NET_OUTBOUND_SLOTS_MAX;
}

/* Sends deliveries until none is due or pending, or until the server stops. */
static void send_all(struct ticker *ticker, void *arg)
{
    struct srv_outbox *outbox = arg;
    struct db_error err;
    if (!connected(outbox, &err)) {
        log_debug("deliveries_not_looked_at",
                  LOG_TEXT("error", err.text)); /* other threads log that the database is unreachable */
        return;
    }
    while (!is_stopping(ticker, outbox) && send_due(outbox) && !is_idle(outbox))
        for (int wait_ms = WAIT_MS; net_outbound_next(outbox->net, wait_ms, &outbox->answer); wait_ms = 0)
            (void)note_answer(outbox, &outbox->answer);
    int64_t until = clock_mono_ms() + STOP_MS;
    while (is_stopping(ticker, outbox) && !is_idle(outbox) && clock_mono_ms() < until)
        if (net_outbound_next(outbox->net, WAIT_MS, &outbox->answer))
            (void)note_answer(outbox, &outbox->answer);
}

static void free_outbox(struct srv_outbox *outbox)
{
    db_close(outbox->conn);
    net_outbound_close(outbox->net);
    sodium_memzero(&outbox->keys, sizeof(outbox->keys));
    free(outbox);
}

struct srv_outbox *srv_outbox_start(const struct srv_config *config, struct srv_push *push,
                                    const atomic_bool *stop)
{
    struct srv_outbox *outbox = calloc(1, sizeof(*outbox));
    if (!outbox)
        return NULL;
    outbox->config = config;
    outbox->stop = stop;
    outbox->push = push;
    srv_config_keys(config, &outbox->keys);
    outbox->net = net_outbound_open(config->webhook_timeout_ms);
    outbox->ticker = outbox->net ? ticker_start("outbox", POLL_MS, send_all, outbox) : NULL;
    if (!outbox->ticker) {
        free_outbox(outbox);
        return NULL;
    }
    return outbox;
}

void srv_outbox_stop(struct srv_outbox *outbox)
{
    if (!outbox)
        return;
    ticker_stop(outbox->ticker);
    free_outbox(outbox);
}
