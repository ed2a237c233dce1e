/* Runs an endpoint: checks the token, limits, and body spec, then runs database and worker steps until
 * there is an answer. During a step the connection is suspended. See rest.h. Loop's thread. */
#include "server/http/rest.h"

#include "server/http/standby.h"

#include "api/signin/revoked.h"
#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "server/http/reply.h"
#include "server/http/stream.h"
#include "server/http/suspend.h"
#include "server/http/workers.h"
#include "server/operations/metrics.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define IDEMPOTENCY_KEY_MAX 64

/* --- before the body --- */

static bool refuse(struct srv_http_request *request, enum api_code code)
{
    srv_http_reply_problem(request, code);
    return false;
}

static bool refuse_header(struct srv_http_request *request, enum api_code code, const char *name,
                          enum api_fault_code fault)
{
    srv_http_reply_header(request, code, name, fault);
    return false;
}

static bool admit_player(struct srv_http_request *request)
{
    static const char scheme[] = "Bearer ";
    const char *header = request->headers.authorization;
    if (!header)
        return refuse_header(request, API_TOKEN_MISSING, "Authorization", API_FAULT_MISSING);
    if (strncasecmp(header, scheme, sizeof(scheme) - 1) != 0)
        return refuse_header(request, API_TOKEN_INVALID, "Authorization", API_FAULT_NOT_BEARER);
    struct api_token_claims claims;
    struct srv_http_loop *loop = request->loop;
    enum api_code code =
        api_token_cache_verify(loop->tokens, &loop->http->env.keys, header + sizeof(scheme) - 1,
                               request->api.now_ms / 1000, &claims);
    if (code != API_OK)
        return refuse(request, code);
    /* The token has not expired yet, but is revoked. The client gets the reason when it refreshes the
     * token. */
    struct api_revoked *revoked = loop->http->env.revoked;
    if (api_revoked_has(revoked, API_BANNED_PLAYERS, claims.player_id) ||
        api_revoked_has(revoked, API_ENDED_SESSIONS, claims.session_id))
        return refuse(request, API_TOKEN_INVALID);
    request->api.player_id = claims.player_id;
    request->api.session_id = claims.session_id;
    request->api.scopes = claims.scopes;
    return true;
}

/* Only hashes the key; the route's statement checks it and its scopes. */
static bool admit_api_key(struct srv_http_request *request)
{
    static const char scheme[] = "Bearer ";
    const char *header = request->headers.authorization;
    if (!header)
        return refuse_header(request, API_API_KEY_MISSING, "Authorization", API_FAULT_MISSING);
    if (strncasecmp(header, scheme, sizeof(scheme) - 1) != 0)
        return refuse_header(request, API_API_KEY_INVALID, "Authorization", API_FAULT_NOT_BEARER);
    api_token_hash(header + sizeof(scheme) - 1, request->api.key_hash);
    return true;
}

void srv_rest_rate_limited(struct srv_http_request *request)
{
    struct api_request *api = &request->api;
    ASSERT(request->limit.name);
    api->data = (struct api_problem_data){.limit = request->limit.name, .retry_s = request->limit.wait_s};
    srv_metric_add(METRIC_HTTP_RATE_LIMITED, 1);
    srv_http_reply_problem(request, API_RATE_LIMITED);
}

static bool take_rate(struct srv_http_request *request, enum api_rate rate)
{
    struct api_rate_limits *limits = request->loop->http->limits;
    struct api_request *api = &request->api;
    return !limits ||
           api_rate_limits_take(limits, rate, api->player_id, api->address, clock_mono_ms(), &request->limit);
}

/* A key that the database has not accepted yet may be a guess, so it counts toward the limit of refusals.
 * This limits guesses and does not use up the rate of an operator at the same address. */
static bool admit_rate(struct srv_http_request *request)
{
    const struct api_request *api = &request->api;
    bool unknown = api->route->role == API_KEY && !api_key_cache_has(request->loop->keys, api->key_hash);
    if (take_rate(request, unknown ? API_RATE_REFUSED : api->route->rate))
        return true;
    srv_rest_rate_limited(request);
    return false;
}

/* Called after the route's statement has checked the key. A valid key's first request is counted toward
 * its rate class here, not earlier. It is already done, so an empty bucket rejects only the next one. */
static void note_key(struct srv_http_request *request)
{
    const struct api_request *api = &request->api;
    if (api->code == API_API_KEY_INVALID || api->code == API_API_KEY_EXPIRED)
        api_key_cache_remove(request->loop->keys, api->key_hash);
    else if (api_key_cache_add(request->loop->keys, api->key_hash))
        (void)take_rate(request, api->route->rate);
}

static bool admit_key(struct srv_http_request *request)
{
    const char *key = request->headers.idempotency_key;
    if (!key)
        return refuse_header(request, API_IDEMPOTENCY_KEY_MISSING, "Idempotency-Key", API_FAULT_MISSING);
    size_t len = strlen(key);
    if (len == 0 || len > IDEMPOTENCY_KEY_MAX ||
        strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != len)
        return refuse_header(request, API_IDEMPOTENCY_KEY_BAD, "Idempotency-Key", API_FAULT_BAD_TOKEN);
    /* In the database, a duplicate would wait for the first request. Rejecting it here frees the
     * connection. */
    for (const struct srv_http_request *r = request->loop->waiting; r; r = r->next)
        if (r->api.idempotency_key && r->api.player_id == request->api.player_id &&
            memcmp(r->api.key_hash, request->api.key_hash, sizeof(r->api.key_hash)) == 0 &&
            strcmp(r->api.idempotency_key, key) == 0)
            return refuse(request, API_IDEMPOTENCY_RUNNING);
    ASSERT(!request->api.idempotency_key);
    request->api.idempotency_key = key;
    return true;
}

bool srv_rest_admit(struct srv_http_request *request)
{
    const struct api_route *route = request->api.route;
    const struct api_ports *ports = &request->loop->http->env.ports;
    bool reader = route->role == API_READER && request->headers.authorization;
    if ((route->role == API_PLAYER || reader) && !admit_player(request))
        return false;
    if (route->role == API_KEY && !admit_api_key(request))
        return false;
    if (!admit_rate(request))
        return false;
    if ((route->role == API_PLAYER || reader) && !(request->api.scopes & route->scope)) {
        request->api.data.scope = api_scope_word(route->scope);
        return refuse(request, API_SCOPE_MISSING);
    }
    if (route->idempotent && !admit_key(request))
        return false;
    if (route->takes_seat && ports->draining(ports->ctx))
        return refuse(request, API_DRAINING);
    return true;
}

/* --- steps --- */

/* Reserves a slot in the workers' queue before any other work for the request. */
static bool take_place(struct srv_http_request *request)
{
    request->place = srv_http_workers_place(request->loop->http->workers);
    if (request->place)
        return true;
    request->api.data.retry_s = HTTP_BUSY_RETRY_S;
    return refuse(request, API_BUSY);
}

static void leave_place(struct srv_http_request *request)
{
    if (request->place)
        srv_http_workers_place_free(request->loop->http->workers);
    request->place = false;
}

static struct srv_http_workers *workers_for(const struct srv_http *http, enum api_next next)
{
    return next == API_WORK ? http->workers : next == API_FETCH ? http->fetchers : http->identifiers;
}

/* false: rejected. */
static bool send_to_primary(struct srv_http_request *request)
{
    struct db_pipe *pipe = request->loop->pipe;
    struct api_request *api = &request->api;
    ASSERT(api->stmt && api->then);
    bool sent = pipe && (api->writes ? db_pipe_write(pipe, api->stmt, &api->args, srv_rest_rows, request)
                                     : db_pipe_read(pipe, api->stmt, &api->args, srv_rest_rows, request));
    if (!sent)
        (void)api_refuse(api, pipe && db_pipe_up(pipe) ? API_BUSY : API_UNAVAILABLE);
    return sent;
}

/* Starts the next step. false: rejected; the request holds the problem. */
static bool send_step(struct srv_http_request *request, enum api_next next)
{
    struct srv_http_loop *loop = request->loop;
    struct api_request *api = &request->api;
    ASSERT(request->steps++ < (api->route->operation->job ? HTTP_JOB_STEPS_MAX : HTTP_STEPS_MAX));
    if (next != API_QUERY) {
        if (srv_http_workers_give(workers_for(loop->http, next), request))
            return true;
        ASSERT(!request->place); /* the queue has capacity for reserved slots */
        (void)api_refuse(api, API_BUSY);
        return false;
    }
    if (api->route->standby && !api->writes && loop->standby && srv_standby_read(loop->standby, request))
        return true;
    return send_to_primary(request);
}

void srv_rest_read_primary(struct srv_http_request *request)
{
    ASSERT(request->state == HTTP_WAITING && !request->api.writes);
    if (send_to_primary(request))
        return;
    leave_place(request);
    srv_http_reply_make(request);
    srv_http_resume(request, HTTP_READY);
}

static void advance(struct srv_http_request *request, enum api_next next)
{
    struct api_request *api = &request->api;
    if (next != API_DONE && request->state != HTTP_WAITING)
        srv_http_suspend(request); /* before the worker can finish */
    if (next != API_DONE && send_step(request, next))
        return;
    leave_place(request);
    if (next == API_DONE && api->route->tagged && !api->etag[0] && api->code == API_OK && api->status == 200)
        (void)api_reply_tagged(api);
    srv_http_reply_make(request);
    srv_http_resume(request, HTTP_READY);
}

/* Translates an outcome other than DB_OK into a problem. */
static enum api_next refuse_outcome(struct srv_http_request *request, const struct db_reply *reply)
{
    struct api_request *api = &request->api;
    ASSERT(reply->outcome != DB_OK && reply->err);
    switch (reply->outcome) {
    case DB_NO_ROOM:
        log_warn("database_has_no_room", LOG_TEXT("trace_id", api->trace_id),
                 LOG_TEXT("statement", api->stmt->name), LOG_TEXT("error", reply->err->text));
        return api_refuse(api, API_UNAVAILABLE);
    case DB_DOWN:
        return api_refuse(api, API_UNAVAILABLE);
    case DB_UNKNOWN:
        return api_refuse(api, API_OUTCOME_UNKNOWN);
    case DB_RETRY:
        return api_refuse(api, API_BUSY);
    default:
        if (api_code_of_state(reply->err->sqlstate) != API_OK)
            return api_refuse(api, api_code_of_state(reply->err->sqlstate));
        log_error("statement_failed", LOG_TEXT("trace_id", api->trace_id),
                  LOG_TEXT("statement", api->stmt->name), LOG_TEXT("sqlstate", reply->err->sqlstate),
                  LOG_TEXT("error", reply->err->text));
        return api_refuse(api, API_INTERNAL);
    }
}

/* The rows of a statement with an idempotency key include whether they repeat the first answer
 * (API_REPEATED). */
static void note_repeat(struct srv_http_request *request, const PGresult *rows)
{
    int column = PQfnumber(rows, "repeated");
    if (column >= 0 && PQntuples(rows) > 0 && db_bool(rows, 0, column))
        request->api.repeated = true;
}

void srv_rest_rows(void *arg, const struct db_reply *reply)
{
    struct srv_http_request *request = arg;
    ASSERT(request->state == HTTP_WAITING && thread_is(THREAD_REST));
    srv_http_prepare(request);
    if (reply->outcome == DB_OK && request->api.route->idempotent)
        note_repeat(request, reply->rows);
    enum api_next next = reply->outcome == DB_OK ? request->api.then(&request->api, reply->rows)
                                                 : refuse_outcome(request, reply);
    if (request->api.route->role == API_KEY && reply->outcome == DB_OK && next == API_DONE)
        note_key(request);
    advance(request, next);
}

void srv_rest_returned(struct srv_http_request *request)
{
    ASSERT(request->state == HTTP_WAITING && thread_is(THREAD_REST));
    leave_place(request);
    srv_http_prepare(request);
    advance(request, request->api.then(&request->api, NULL));
}

const char *srv_rest_header(const struct api_request *api, const char *name)
{
    const struct srv_http_request *request =
        (const struct srv_http_request *)((const char *)api - offsetof(struct srv_http_request, api));
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

/* --- the body is complete --- */

static bool read_body(struct srv_http_request *request)
{
    struct api_request *api = &request->api;
    const struct api_spec *spec = api->route->body;
    struct api_spec_error error;
    if (api->route->operation->raw_max > 0) {
        api->raw = request->body ? request->body : "";
        api->raw_len = request->body_len;
        if (request->body_over == 0)
            return true;
        api->data.bytes_max = (int64_t)api->route->operation->raw_max;
        return refuse(request, API_BODY_TOO_LARGE);
    }
    if (!spec)
        return true;
    /* Pass the full length, including discarded bytes, so that the spec reports the maximum. */
    if (api_spec_read(spec, request->body ? request->body : "", request->body_len + request->body_over,
                      &api->json, api->body, &error))
        return true;
    api->data = error.data;
    srv_http_reply_faults(request, error.code, &error.faults);
    return false;
}

static void hash_request(struct srv_http_request *request)
{
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    const char *parts[] = {request->method, "\n", request->uri, "\n"};
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        crypto_hash_sha256_update(&state, (const unsigned char *)parts[i], strlen(parts[i]));
    crypto_hash_sha256_update(&state, (const unsigned char *)request->body, request->body_len);
    crypto_hash_sha256_final(&state, request->api.body_hash);
}

void srv_rest_begin(struct srv_http_request *request)
{
    struct api_request *api = &request->api;
    if (!read_body(request))
        return;
    if (api->route->operation->computes && !take_place(request))
        return;
    if (api->format && strcmp(api->format, "ndjson") == 0 && !srv_http_stream_place(request)) {
        api->data.retry_s = HTTP_BUSY_RETRY_S;
        (void)refuse(request, API_BUSY);
        return;
    }
    if (api->route->idempotent)
        hash_request(request);
    api->database_up = request->loop->pipe && db_pipe_up(request->loop->pipe);
    api->stmt = api->route->operation->stmt;
    api->writes = api->route->operation->writes;
    api->then = api->route->operation->reply;
    srv_http_prepare(request);
    advance(request, api->route->operation->begin ? api->route->operation->begin(api) : API_QUERY);
}
