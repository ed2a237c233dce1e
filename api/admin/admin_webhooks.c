/* /v1/admin/webhooks: endpoints of operators' programs that receive events. SQL puts events into the outbox
 * (webhook_put), and server/outbound/outbox.c sends them. REST loops. */
#include "api/admin/admin.h"
#include "api/admin/webhook_secret.h"
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "base/bug.h"
#include "net/outbound.h"

#include <sodium.h>
#include <string.h>

/* --- URLs and events --- */

/* Whether the member is a valid webhook URL or missing. */
static bool check_url(struct api_request *request, const struct api_spec_value *url)
{
    static const enum api_fault_code faults[] = {
        [NET_OUTBOUND_GOOD] = API_FAULT_NONE,
        [NET_OUTBOUND_NO_URL] = API_FAULT_NOT_A_URL,
        [NET_OUTBOUND_NO_HTTPS] = API_FAULT_NOT_HTTPS,
        [NET_OUTBOUND_NO_PUBLIC] = API_FAULT_NOT_PUBLIC,
    };
    if (!url->set)
        return true;
    struct api_fault fault = {.code = faults[net_outbound_judge(url->text, request->env->webhooks_private)]};
    if (fault.code == API_FAULT_NONE)
        return true;
    api_fault_name(&fault, "url", strlen("url"));
    (void)api_fail_fault(request, &fault);
    return false;
}

static void bind_events(struct api_request *request, const struct api_spec_value *value)
{
    struct db_slice words[WEBHOOK_REQUEST_EVENTS_MAX];
    if (!value->set) {
        db_args_null(&request->args);
        return;
    }
    size_t n = json_array_size(value->object);
    ASSERT(n <= ARRAY_LEN(words));
    for (size_t i = 0; i < n; i++) {
        const char *word = json_string_value(json_array_get(value->object, i));
        words[i] = (struct db_slice){word, strlen(word)};
    }
    db_args_text_array(&request->args, words, n);
}

/* --- secrets --- */

static void bind_new_secret(struct api_request *request)
{
    uint8_t sealed[API_WEBHOOK_SEALED_LEN];
    api_webhook_secret_make(&request->env->keys, sealed);
    db_args_bytes(&request->args, sealed, sizeof(sealed));
    db_args_text(&request->args, request->env->keys.key[0].kid);
}

/* Adds the secret to the response. Later responses never contain it. */
static enum api_next show_secret(struct api_request *request, const PGresult *rows)
{
    uint8_t secret[API_WEBHOOK_SECRET_LEN];
    char text[API_WEBHOOK_SECRET_MAX];
    struct buf *out = request->out;
    if (request->code != API_OK)
        return API_DONE;
    if (!api_webhook_secret_open(&request->env->keys, api_row_get(rows, 0, "kid"),
                                 api_row_get(rows, 0, "sealed"), secret))
        return api_refuse(request, API_INTERNAL); /* a repeat after the token secret changed */
    api_webhook_secret_text(secret, text);
    ASSERT(out->len > 2 && out->data[out->len - 1] == '}');
    out->len--;
    json_kv_text(out, "secret", text);
    json_close(out, '}');
    sodium_memzero(secret, sizeof(secret));
    sodium_memzero(text, sizeof(text));
    return API_DONE;
}

/* --- endpoints --- */

static const struct db_stmt do_webhook = {
    "do_admin_webhook",
    "SELECT code, body, sealed, kid, " API_REPEATED " FROM do_admin_webhook($1, $2, $3, $4, $5, $6, $7)", 7};

static enum api_next begin_make(struct api_request *request)
{
    if (!check_url(request, &request->body[WEBHOOK_REQUEST_URL]))
        return API_DONE;
    (void)api_admin_bind_key(request);
    api_bind_idempotency(request);
    db_args_text(&request->args, request->body[WEBHOOK_REQUEST_URL].text);
    bind_events(request, &request->body[WEBHOOK_REQUEST_EVENTS]);
    bind_new_secret(request);
    return API_QUERY;
}

static enum api_next reply_made(struct api_request *request, const PGresult *rows)
{
    (void)api_json_reply(request, rows);
    return show_secret(request, rows);
}

static const struct db_stmt do_change = {
    "do_admin_webhook_change", "SELECT code, body FROM do_admin_webhook_change($1, $2, $3, $4, $5)", 5};

static enum api_next begin_change(struct api_request *request)
{
    if (!check_url(request, &request->body[WEBHOOK_CHANGE_URL]) || api_admin_bind_id(request) == API_DONE)
        return API_DONE;
    if (request->body[WEBHOOK_CHANGE_URL].set)
        db_args_text(&request->args, request->body[WEBHOOK_CHANGE_URL].text);
    else
        db_args_null(&request->args);
    if (request->body[WEBHOOK_CHANGE_ACTIVE].set)
        db_args_bool(&request->args, request->body[WEBHOOK_CHANGE_ACTIVE].flag);
    else
        db_args_null(&request->args);
    bind_events(request, &request->body[WEBHOOK_CHANGE_EVENTS]);
    return API_QUERY;
}

static const struct db_stmt do_secret = {"do_admin_webhook_secret",
                                         "SELECT code, body, sealed, kid, " API_REPEATED
                                         " FROM do_admin_webhook_secret($1, $2, $3, $4, $5, $6)",
                                         6};

static enum api_next begin_secret(struct api_request *request)
{
    if (api_admin_bind_action_on(request) == API_DONE)
        return API_DONE;
    bind_new_secret(request);
    return API_QUERY;
}

static enum api_next reply_secret(struct api_request *request, const PGresult *rows)
{
    (void)api_json_reply(request, rows);
    return show_secret(request, rows);
}

API_OPERATION(makeWebhook) = {.stmt = &do_webhook, .writes = true, .begin = begin_make, .reply = reply_made};
API_OPERATION(changeWebhook) = {
    .stmt = &do_change, .writes = true, .begin = begin_change, .reply = api_json_reply};
API_OPERATION(renewWebhookSecret) = {
    .stmt = &do_secret, .writes = true, .begin = begin_secret, .reply = reply_secret};
