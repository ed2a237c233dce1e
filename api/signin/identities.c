/* /v1/auth/oidc: list of identity providers, and signing in with one. /v1/me/identities, /v1/me/oidc: the
 * player's linked identities, unlinking and linking. REST loops. */
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/names/nickname.h"
#include "api/names/profile.h"
#include "api/signin/known_device.h"
#include "api/signin/oidc.h"
#include "api/signin/session_reply.h"
#include "base/bug.h"
#include "mail/template.h"

#include <string.h>

/* --- GET /v1/auth/oidc --- */

static enum api_next list_providers(struct api_request *request)
{
    const struct oidc_client *oidc = request->env->oidc;
    struct buf *out = api_reply_open(request, 200);
    json_key(out, "items");
    json_open(out, '[');
    for (size_t i = 0; i < oidc->providers_n; i++) {
        json_open(out, '{');
        json_kv_text(out, "id", oidc->provider[i].id);
        json_kv_text(out, "name", oidc->provider[i].name);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_close(out, '}');
    return API_DONE;
}

/* --- POST /v1/auth/oidc/{provider}/finish --- */

static const struct db_stmt do_enter_identity = {
    "do_enter_identity",
    "SELECT created, (answer).* FROM do_enter_identity($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    12};

static enum api_next reply_entered(struct api_request *request, const PGresult *rows)
{
    return api_session_reply(request, rows, strcmp(api_row_get(rows, 0, "created"), "t") == 0 ? 201 : 200);
}

static enum api_next enter(struct api_request *request, const PGresult *none)
{
    (void)none;
    api_oidc_bind_person(request);
    api_nickname_bind_new(request, NULL);
    db_args_text(&request->args, mail_language_of(request->env->ports.header(request, "Accept-Language")));
    api_known_device_bind_next(request, api_oidc_device(request));
    api_session_bind(request);
    const struct api_oidc *own = request->own;
    db_args_text(&request->args, own->provider->name);
    return api_query(request, &do_enter_identity, true, reply_entered);
}

static enum api_next finish_sign_in(struct api_request *request)
{
    return api_oidc_finish(request, enter);
}

/* --- GET /v1/me/identities --- */

static const struct db_stmt q_identities = {"q_identities", "SELECT * FROM q_identities($1)", 1};

/* If a provider is no longer configured, only its issuer is known. */
static const char *name_of(const struct oidc_provider *provider, const char *issuer)
{
    return provider ? provider->name : issuer;
}

static enum api_next reply_identities(struct api_request *request, const PGresult *rows)
{
    struct buf *out = api_reply_open(request, 200);
    json_key(out, "items");
    json_open(out, '[');
    for (int i = 0; i < PQntuples(rows); i++) {
        const char *issuer = api_row_get(rows, i, "issuer");
        const struct oidc_provider *provider = oidc_find_issuer(request->env->oidc, issuer);
        json_open(out, '{');
        api_row_id(out, rows, i, "id");
        json_kv_text(out, "provider", provider ? provider->id : NULL);
        json_kv_text(out, "name", name_of(provider, issuer));
        api_row_text(out, rows, i, "email");
        api_row_time(out, rows, i, "created_at");
        api_row_time(out, rows, i, "used_at");
        json_close(out, '}');
    }
    json_close(out, ']');
    json_close(out, '}');
    return API_DONE;
}

/* --- POST /v1/me/oidc/{provider}/finish --- */

static const struct db_stmt do_link_identity = {
    "do_link_identity", "SELECT * FROM do_link_identity($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    12};

static enum api_next reply_linked(struct api_request *request, const PGresult *rows)
{
    return api_session_reply(request, rows, 200);
}

static enum api_next link(struct api_request *request, const PGresult *none)
{
    (void)none;
    const struct api_oidc *own = request->own;
    ASSERT(request->player_id > 0 && request->session_id > 0);
    db_args_int(&request->args, request->player_id);
    db_args_int(&request->args, request->session_id);
    api_oidc_bind_person(request);
    db_args_text(&request->args, own->provider->name);
    api_known_device_bind_next(request, api_oidc_device(request));
    api_session_bind(request);
    return api_query(request, &do_link_identity, true, reply_linked);
}

static enum api_next finish_link(struct api_request *request)
{
    return api_oidc_finish(request, link);
}

/* --- DELETE /v1/me/identities/{identity} --- */

static const struct db_stmt do_unlink_identity = {"do_unlink_identity",
                                                  "SELECT do_unlink_identity($1, $2, $3, $4, $5) AS code", 5};

/* Unlinks an identity. The email about it names the provider. */
static enum api_next unlink_identity(struct api_request *request, const PGresult *rows)
{
    int64_t id;
    if (!api_param_id(request, 0, &id))
        return API_DONE;
    for (int i = 0; i < PQntuples(rows); i++) {
        if (api_row_get_int(rows, i, "id") != id)
            continue;
        const char *issuer = api_row_get(rows, i, "issuer");
        db_args_int(&request->args, request->player_id);
        db_args_int(&request->args, request->session_id);
        db_args_int(&request->args, id);
        db_args_text(&request->args, name_of(oidc_find_issuer(request->env->oidc, issuer), issuer));
        api_oidc_bind_issuers(request);
        return api_query(request, &do_unlink_identity, true, api_row_reply_code);
    }
    return api_refuse(request, API_IDENTITY_UNKNOWN);
}

static enum api_next begin_unlink(struct api_request *request)
{
    int64_t id;
    return api_param_id(request, 0, &id) ? api_bind_player(request) : API_DONE;
}

API_OPERATION(listProviders) = {.begin = list_providers};
API_OPERATION(beginSignIn) = {.begin = api_oidc_begin};
API_OPERATION(finishSignIn) = {.begin = finish_sign_in};
API_OPERATION(listIdentities) = {.stmt = &q_identities, .begin = api_bind_player, .reply = reply_identities};
API_OPERATION(beginLink) = {.begin = api_oidc_begin};
API_OPERATION(finishLink) = {.begin = finish_link};
API_OPERATION(unlinkIdentity) = {.stmt = &q_identities, .begin = begin_unlink, .reply = unlink_identity};
