/* Redirects to an identity provider and back; see oidc.h.
 *
 * A client that begins a sign-in gets a secret to keep. State, nonce, and PKCE verifier are derived from it
 * with a server key, so that the database stores only its hash and no other browser can finish the
 * sign-in. */
#include "api/signin/oidc.h"

#include "api/bodies.h"
#include "api/core/route.h"
#include "api/core/rows.h"
#include "api/signin/known_device.h"
#include "base/bug.h"
#include "base/log.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOW_RETRY_S = 5 };
_Static_assert((int)SIGN_IN_REQUEST_REDIRECT_URI_MAX < OIDC_URL_MAX &&
                   (int)SIGN_IN_FINISH_CODE_MAX < OIDC_CODE_MAX,
               "values fit");

/* --- the provider --- */

/* Finds the provider in the path for request->own. false: the request is rejected. */
static bool find_provider(struct api_request *request)
{
    const struct oidc_client *oidc = request->env->oidc;
    struct api_oidc *own = request->own = calloc(1, sizeof(*own));
    if (own)
        own->provider = oidc_find(oidc, request->params[0]);
    if (own && own->provider)
        return true;
    (void)api_refuse(request, own ? API_NO_SUCH_PROVIDER : API_BUSY);
    return false;
}

/* Values sent to the provider and back, derived from one secret. */
struct flow {
    char state[API_TOKEN_RANDOM_MAX], nonce[API_TOKEN_RANDOM_MAX], verifier[API_TOKEN_RANDOM_MAX];
    struct oidc_sent sent;
};

static void make_flow(const struct api_request *request, const char *secret, struct flow *flow)
{
    const struct api_token_keys *keys = &request->env->keys;
    const struct api_oidc *own = request->own;
    api_token_next(keys, "oidc state", secret, flow->state);
    api_token_next(keys, "oidc nonce", secret, flow->nonce);
    api_token_next(keys, "oidc verifier", secret, flow->verifier);
    flow->sent = (struct oidc_sent){own->redirect_uri, flow->state, flow->nonce, flow->verifier};
}

static enum api_next refuse_outcome(struct api_request *request)
{
    const struct api_oidc *own = request->own;
    ASSERT(own->outcome != OIDC_OK);
    bool away = own->outcome == OIDC_UNAVAILABLE;
    log_warn(away ? "sign_in_provider_unavailable" : "sign_in_refused",
             LOG_TEXT("trace_id", request->trace_id), LOG_TEXT("provider", own->provider->id),
             LOG_TEXT("why", own->why));
    request->data.retry_s = away ? FLOW_RETRY_S : 0;
    return api_refuse(request, away ? API_SIGN_IN_UNAVAILABLE : API_SIGN_IN_REFUSED);
}

static void bind_hash(struct api_request *request, const char *secret)
{
    uint8_t hash[32];
    api_token_hash(secret, hash);
    db_args_bytes(&request->args, hash, sizeof(hash));
}

/* Binds the player who links an identity; a sign-in has no player yet. */
static void bind_linker(struct api_request *request)
{
    if (request->player_id > 0)
        db_args_int(&request->args, request->player_id);
    else
        db_args_null(&request->args);
}

/* --- beginning --- */

const struct db_stmt api_oidc_begin_stmt = {"do_identity_begin",
                                            "SELECT do_identity_begin($1, $2, $3, $4, $5, $6) AS code", 6};

static enum api_next reply_begun(struct api_request *request, const PGresult *rows)
{
    const struct api_oidc *own = request->own;
    const char *code = api_row_get(rows, 0, "code");
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    struct flow flow;
    make_flow(request, own->secret, &flow);
    struct buf *out = api_reply_open(request, 200);
    json_kv_text(out, "authorize_url", own->url);
    json_kv_text(out, "state", flow.state);
    json_kv_text(out, "secret", own->secret);
    json_close(out, '}');
    return API_DONE;
}

static void make_authorize_url(struct api_request *request)
{
    struct api_oidc *own = request->own;
    struct flow flow;
    make_flow(request, own->secret, &flow);
    own->outcome = oidc_authorize(request->env->oidc, own->provider, &flow.sent, own->url, own->why);
}

static enum api_next note_flow(struct api_request *request, const PGresult *none)
{
    (void)none;
    const struct api_oidc *own = request->own;
    char source[ADDR_TEXT_MAX];
    if (own->outcome != OIDC_OK)
        return refuse_outcome(request);
    addr_bucket_text(request->address, source);
    bind_hash(request, own->secret);
    db_args_text(&request->args, own->provider->issuer);
    db_args_text(&request->args, own->redirect_uri);
    bind_linker(request);
    if (request->session_id > 0)
        db_args_int(&request->args, request->session_id);
    else
        db_args_null(&request->args);
    db_args_text(&request->args, source);
    return api_query(request, &api_oidc_begin_stmt, true, reply_begun);
}

enum api_next api_oidc_begin(struct api_request *request)
{
    if (!find_provider(request))
        return API_DONE;
    struct api_oidc *own = request->own;
    const struct oidc_client *oidc = request->env->oidc;
    const struct api_spec_value *uri = &request->body[SIGN_IN_REQUEST_REDIRECT_URI];
    ASSERT(oidc->redirects_n > 0); /* loaded at startup */
    (void)snprintf(own->redirect_uri, sizeof(own->redirect_uri), "%s",
                   uri->set ? uri->text : oidc->redirect[0]);
    if (uri->set && !oidc_redirect_ok(oidc, uri->text)) {
        struct api_fault fault = {.code = API_FAULT_BAD_REDIRECT, .place = API_FAULT_MEMBER};
        api_fault_name(&fault, "redirect_uri", strlen("redirect_uri"));
        return api_fail_fault(request, &fault);
    }
    api_token_random(own->secret);
    request->work = make_authorize_url;
    request->then = note_flow;
    return API_IDENTIFY;
}

/* --- finishing --- */

static const struct db_stmt do_identity_take = {
    "do_identity_take", "SELECT code, redirect_uri FROM do_identity_take($1, $2, $3)", 3};

static void fetch_person(struct api_request *request)
{
    struct api_oidc *own = request->own;
    struct flow flow;
    make_flow(request, request->body[SIGN_IN_FINISH_SECRET].text, &flow);
    const struct oidc_back back = {
        request->body[SIGN_IN_FINISH_CODE].text,
        request->body[SIGN_IN_FINISH_ISS].set ? request->body[SIGN_IN_FINISH_ISS].text : NULL};
    own->outcome = oidc_finish(request->env->oidc, own->provider, &flow.sent, &back, &own->person, own->why);
}

static enum api_next after_person(struct api_request *request, const PGresult *none)
{
    const struct api_oidc *own = request->own;
    if (own->outcome != OIDC_OK)
        return refuse_outcome(request);
    ASSERT(own->person.subject[0] != '\0');
    return own->then(request, none);
}

static enum api_next after_take(struct api_request *request, const PGresult *rows)
{
    struct api_oidc *own = request->own;
    const char *code = api_row_get(rows, 0, "code");
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    (void)snprintf(own->redirect_uri, sizeof(own->redirect_uri), "%s", api_row_get(rows, 0, "redirect_uri"));
    request->work = fetch_person;
    request->then = after_person;
    return API_IDENTIFY;
}

enum api_next api_oidc_finish(struct api_request *request,
                              enum api_next (*then)(struct api_request *, const PGresult *))
{
    char state[API_TOKEN_RANDOM_MAX];
    if (!find_provider(request))
        return API_DONE;
    struct api_oidc *own = request->own;
    own->then = then;
    /* The returned state must match this secret. If not, they belong to different sign-ins, and this
     * request must not consume the other one. */
    const char *secret = request->body[SIGN_IN_FINISH_SECRET].text;
    api_token_next(&request->env->keys, "oidc state", secret, state);
    if (!text_equal_ct(state, strlen(state), request->body[SIGN_IN_FINISH_STATE].text,
                       strlen(request->body[SIGN_IN_FINISH_STATE].text)))
        return api_refuse(request, API_FLOW_INVALID);
    bind_hash(request, secret);
    db_args_text(&request->args, own->provider->issuer);
    bind_linker(request);
    return api_query(request, &do_identity_take, true, after_take);
}

void api_oidc_bind_issuers(struct api_request *request)
{
    const struct oidc_client *oidc = request->env->oidc;
    struct db_slice issuers[OIDC_PROVIDERS_MAX];
    for (size_t i = 0; i < oidc->providers_n; i++)
        issuers[i] = (struct db_slice){oidc->provider[i].issuer, strlen(oidc->provider[i].issuer)};
    db_args_text_array(&request->args, issuers, oidc->providers_n);
}

void api_oidc_bind_person(struct api_request *request)
{
    const struct api_oidc *own = request->own;
    db_args_text(&request->args, own->provider->issuer);
    db_args_text(&request->args, own->person.subject);
    db_args_text(&request->args, own->person.email[0] ? own->person.email : NULL);
}

const struct api_spec_value *api_oidc_device(const struct api_request *request)
{
    return &request->body[SIGN_IN_FINISH_DEVICE_TOKEN];
}
