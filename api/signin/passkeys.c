/* /v1/me/passkeys: add, list, rename, and remove a player's passkeys. Players with a password must enter it
 * again before adding or removing a passkey; players without one must sign in again (reauth.h). Login with
 * a passkey: passkey_login.c. REST loops; passwords are compared on workers. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/signin/oidc.h"
#include "api/signin/reauth.h"
#include "api/signin/webauthn_body.h"
#include "base/bug.h"

#include <sodium.h>
#include <string.h>

/* --- POST /v1/me/passkey/begin --- */

static const struct db_stmt do_passkey_begin = {
    "do_passkey_begin", "SELECT * FROM do_passkey_begin($1, $2, $3, $4, $5, $6, $7)", 7};

static void write_user(struct buf *out, const PGresult *rows)
{
    json_key(out, "user");
    json_open(out, '{');
    json_kv_text(out, "id", api_row_get(rows, 0, "handle"));
    json_kv_text(out, "name", api_row_get(rows, 0, "name"));
    json_kv_text(out, "displayName", api_row_get(rows, 0, "nickname"));
    json_close(out, '}');
}

static void write_algorithms(struct buf *out)
{
    json_key(out, "pubKeyCredParams");
    json_open(out, '[');
    for (size_t i = 0; api_webauthn_algorithm(i); i++) {
        json_open(out, '{');
        json_kv_text(out, "type", "public-key");
        json_kv_num(out, "alg", api_webauthn_algorithm_number(i));
        json_close(out, '}');
    }
    json_close(out, ']');
}

/* Replies with PublicKeyCredentialCreationOptionsJSON (WebAuthn, 5.1.8). The passkey must be discoverable
 * without a username (residentKey) and counts as two factors (userVerification). */
static enum api_next reply_options(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    struct buf *out = api_reply_open(request, 200);
    json_key(out, "public_key");
    json_open(out, '{');
    json_kv_text(out, "challenge", request->challenge);
    json_key(out, "rp");
    json_open(out, '{');
    json_kv_text(out, "id", request->env->passkeys->id);
    json_kv_text(out, "name", request->env->passkeys->name);
    json_close(out, '}');
    write_user(out, rows);
    write_algorithms(out);
    json_kv_num(out, "timeout", API_WEBAUTHN_TIMEOUT_MS);
    json_key(out, "excludeCredentials");
    json_raw(out, api_row_get(rows, 0, "known"));
    json_key(out, "authenticatorSelection");
    json_open(out, '{');
    json_kv_text(out, "residentKey", "required");
    json_kv_bool(out, "requireResidentKey", true);
    json_kv_text(out, "userVerification", "required");
    json_close(out, '}');
    json_kv_text(out, "attestation", "none");
    json_close(out, '}');
    json_close(out, '}');
    return API_DONE;
}

static enum api_next give_challenge(struct api_request *request, const PGresult *none)
{
    uint8_t handle[API_WEBAUTHN_HANDLE_LEN];
    (void)none;
    randombytes_buf(handle, sizeof(handle));
    api_reauth_bind_account(request);
    api_webauthn_bind_challenge(request);
    db_args_bytes(&request->args, handle, sizeof(handle));
    return api_query(request, &do_passkey_begin, true, reply_options);
}

static enum api_next prove_and_begin(struct api_request *request, const PGresult *rows)
{
    return api_reauth_account(request, rows, give_challenge);
}

static enum api_next begin_passkey(struct api_request *request)
{
    if (request->env->passkeys->id[0] == '\0')
        return api_refuse(request, API_PASSKEYS_OFF);
    return api_bind_player(request);
}

/* --- POST /v1/me/passkeys --- */

static const struct db_stmt do_passkey_add = {
    "do_passkey_add", "SELECT * FROM do_passkey_add($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)", 11};

static enum api_next bind_added(struct api_request *request, const char *challenge,
                                const struct api_webauthn_passkey *passkey)
{
    uint8_t hash[32];
    const char *transports =
        request->body[PASSKEY_NEW_TRANSPORTS].set ? request->body[PASSKEY_NEW_TRANSPORTS].text : "";
    api_token_hash(challenge, hash);
    db_args_int(&request->args, request->player_id);
    db_args_int(&request->args, request->session_id);
    db_args_bytes(&request->args, hash, sizeof(hash));
    db_args_bytes(&request->args, passkey->credential_id, passkey->credential_len);
    db_args_text(&request->args, passkey->algorithm);
    db_args_bytes(&request->args, passkey->key, passkey->key_len);
    db_args_int(&request->args, passkey->state.sign_count);
    db_args_bool(&request->args, passkey->state.backup_eligible);
    db_args_bool(&request->args, passkey->state.backed_up);
    db_args_text(&request->args, transports);
    db_args_text(&request->args, request->body[PASSKEY_NEW_NAME].text);
    return API_QUERY;
}

static enum api_next begin_add(struct api_request *request)
{
    const struct api_webauthn_site *site = request->env->passkeys;
    uint8_t client_mem[API_WEBAUTHN_CLIENT_MAX], object_mem[API_WEBAUTHN_OBJECT_MAX];
    struct api_webauthn_bytes client, object;
    char challenge[API_TOKEN_RANDOM_MAX];
    struct api_webauthn_passkey passkey;
    if (site->id[0] == '\0')
        return api_refuse(request, API_PASSKEYS_OFF);
    if (!api_webauthn_body(request, PASSKEY_NEW_CLIENT_DATA, client_mem, sizeof(client_mem), &client) ||
        !api_webauthn_body(request, PASSKEY_NEW_ATTESTATION_OBJECT, object_mem, sizeof(object_mem), &object))
        return API_DONE;
    enum api_code code = api_webauthn_client(site, "webauthn.create", client, challenge);
    if (code == API_OK)
        code = api_webauthn_attested(site, object, client, &passkey);
    return code == API_OK ? bind_added(request, challenge, &passkey) : api_refuse(request, code);
}

/* --- POST /v1/me/passkeys/{passkey}/remove --- */

static const struct db_stmt do_passkey_remove = {
    "do_passkey_remove", "SELECT code FROM do_passkey_remove($1, $2, $3, $4, $5, $6, $7)", 7};

static enum api_next remove_passkey(struct api_request *request, const PGresult *none)
{
    (void)none;
    api_reauth_bind_account(request);
    if (api_bind_id(request) != API_QUERY)
        return API_DONE;
    api_oidc_bind_issuers(request);
    return api_query(request, &do_passkey_remove, true, api_row_reply_code);
}

static enum api_next prove_and_remove(struct api_request *request, const PGresult *rows)
{
    return api_reauth_account(request, rows, remove_passkey);
}

static enum api_next begin_remove(struct api_request *request)
{
    int64_t id;
    return api_param_id(request, 0, &id) ? api_bind_player(request)
                                         : API_DONE; /* check the id before counting a password attempt */
}

API_OPERATION(beginPasskey) = {
    .computes = true, .stmt = &api_reauth_account_stmt, .begin = begin_passkey, .reply = prove_and_begin};
API_OPERATION(addPasskey) = {
    .stmt = &do_passkey_add, .writes = true, .begin = begin_add, .reply = api_json_reply};
API_OPERATION(removePasskey) = {
    .computes = true, .stmt = &api_reauth_account_stmt, .begin = begin_remove, .reply = prove_and_remove};
