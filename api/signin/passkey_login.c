/* /v1/auth/passkey: login with a passkey, without a username. The passkey identifies the player, and its
 * signature authenticates them. REST loops; signatures are verified on workers. */
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/signin/known_device.h"
#include "api/signin/session_reply.h"
#include "api/signin/webauthn_body.h"
#include "base/bug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- POST /v1/auth/passkey/begin --- */

static const struct db_stmt do_passkey_login_begin = {"do_passkey_login_begin",
                                                      "SELECT do_passkey_login_begin($1)", 1};

static enum api_next bind_begin(struct api_request *request)
{
    if (request->env->passkeys->id[0] == '\0')
        return api_refuse(request, API_PASSKEYS_OFF);
    api_webauthn_bind_challenge(request);
    return API_QUERY;
}

/* PublicKeyCredentialRequestOptionsJSON (WebAuthn, 5.1.9). */
static enum api_next reply_begin(struct api_request *request, const PGresult *none)
{
    (void)none;
    struct buf *out = api_reply_open(request, 200);
    json_key(out, "public_key");
    json_open(out, '{');
    json_kv_text(out, "challenge", request->challenge);
    json_kv_text(out, "rpId", request->env->passkeys->id);
    json_kv_num(out, "timeout", API_WEBAUTHN_TIMEOUT_MS);
    json_kv_text(out, "userVerification", "required");
    json_close(out, '}');
    json_close(out, '}');
    return API_DONE;
}

/* --- POST /v1/auth/passkey --- */

/* The decoded request, kept until the database has returned the key for verification. */
struct proof {
    uint8_t client_mem[API_WEBAUTHN_CLIENT_MAX], data_mem[API_WEBAUTHN_DATA_MAX],
        signature_mem[API_WEBAUTHN_SIGNATURE_MAX];
    struct api_webauthn_bytes client, data, signature;
    struct api_webauthn_state state;
    /* From the database. */
    int64_t passkey_id;
    char algorithm[16];
    uint8_t key_mem[API_WEBAUTHN_KEY_MAX];
    struct api_webauthn_bytes key;
    bool is_signed;
};

static const struct db_stmt do_passkey_take = {"do_passkey_take", "SELECT * FROM do_passkey_take($1, $2, $3)",
                                               3};
static const struct db_stmt do_enter_passkey = {
    "do_enter_passkey", "SELECT * FROM do_enter_passkey($1, $2, $3, $4, $5, $6, $7, $8, $9)", 9};

static enum api_next reply_session(struct api_request *request, const PGresult *rows)
{
    return api_session_reply(request, rows, 200);
}

static void verify(struct api_request *request)
{
    struct proof *proof = request->own;
    proof->is_signed = api_webauthn_signed(request->env->passkeys, proof->algorithm, proof->key, proof->data,
                                           proof->client, proof->signature);
}

static enum api_next enter(struct api_request *request, const PGresult *none)
{
    const struct proof *proof = request->own;
    (void)none;
    if (!proof->is_signed)
        return api_refuse(request, API_PASSKEY_UNKNOWN);
    db_args_int(&request->args, proof->passkey_id);
    db_args_int(&request->args, proof->state.sign_count);
    db_args_bool(&request->args, proof->state.backed_up);
    api_known_device_bind_next(request, &request->body[PASSKEY_LOGIN_DEVICE_TOKEN]);
    api_session_bind(request);
    return api_query(request, &do_enter_passkey, true, reply_session);
}

static enum api_next after_take(struct api_request *request, const PGresult *rows)
{
    struct proof *proof = request->own;
    const char *code = api_row_get(rows, 0, "code");
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    request->player_id = api_row_get_int(rows, 0, "player_id"); /* the claimed player, for the log */
    /* The backup eligibility of a passkey never changes. */
    if (db_bool(rows, 0, db_col(rows, "backup_eligible")) != proof->state.backup_eligible)
        return api_refuse(request, API_PASSKEY_UNKNOWN);
    const int len = db_bytes(rows, 0, db_col(rows, "public_key"), proof->key_mem, sizeof(proof->key_mem));
    ASSERT(len > 0);
    proof->key = (struct api_webauthn_bytes){proof->key_mem, (size_t)len};
    proof->passkey_id = api_row_get_int(rows, 0, "passkey_id");
    (void)snprintf(proof->algorithm, sizeof(proof->algorithm), "%s", api_row_get(rows, 0, "algorithm"));
    return api_work(request, verify, enter);
}

static enum api_next begin_login(struct api_request *request)
{
    const struct api_webauthn_site *site = request->env->passkeys;
    uint8_t credential_mem[API_WEBAUTHN_CREDENTIAL_MAX], handle_mem[64], hash[32];
    struct api_webauthn_bytes credential, handle;
    char challenge[API_TOKEN_RANDOM_MAX];
    if (site->id[0] == '\0')
        return api_refuse(request, API_PASSKEYS_OFF);
    struct proof *proof = request->own = calloc(1, sizeof(struct proof));
    if (!proof)
        return api_refuse(request, API_BUSY);
    if (!api_webauthn_body(request, PASSKEY_LOGIN_CREDENTIAL_ID, credential_mem, sizeof(credential_mem),
                           &credential) ||
        !api_webauthn_body(request, PASSKEY_LOGIN_CLIENT_DATA, proof->client_mem, sizeof(proof->client_mem),
                           &proof->client) ||
        !api_webauthn_body(request, PASSKEY_LOGIN_AUTHENTICATOR_DATA, proof->data_mem,
                           sizeof(proof->data_mem), &proof->data) ||
        !api_webauthn_body(request, PASSKEY_LOGIN_SIGNATURE, proof->signature_mem,
                           sizeof(proof->signature_mem), &proof->signature) ||
        !api_webauthn_body(request, PASSKEY_LOGIN_USER_HANDLE, handle_mem, sizeof(handle_mem), &handle))
        return API_DONE;
    enum api_code code = api_webauthn_client(site, "webauthn.get", proof->client, challenge);
    if (code == API_OK)
        code = api_webauthn_state_read(site, proof->data, &proof->state);
    if (code != API_OK)
        return api_refuse(request, code);
    api_token_hash(challenge, hash);
    db_args_bytes(&request->args, hash, sizeof(hash));
    db_args_bytes(&request->args, credential.at, credential.len);
    db_args_bytes(&request->args, handle.at, handle.len);
    return API_QUERY;
}

API_OPERATION(beginPasskeyLogin) = {
    .stmt = &do_passkey_login_begin, .writes = true, .begin = bind_begin, .reply = reply_begin};
API_OPERATION(loginWithPasskey) = {
    .computes = true, .stmt = &do_passkey_take, .writes = true, .begin = begin_login, .reply = after_take};
