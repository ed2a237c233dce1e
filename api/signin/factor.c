/* /v1/me/factor: the second factor of an account. Setup requires the password and is completed with a first
 * code, which returns recovery codes; replacing those or turning the factor off requires the password and a
 * code. REST loops; passwords are compared on workers. For login with a second factor see login.c. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/signin/reauth.h"
#include "base/bug.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* --- POST /v1/me/factor --- */

static const struct db_stmt do_factor_setup = {"do_factor_setup",
                                               "SELECT code, email FROM do_factor_setup($1, $2, $3, $4)", 4};

static enum api_next reply_setup(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code"), *text = request->own;
    char uri[API_TOTP_URI_MAX];
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    api_totp_uri(text, api_row_get(rows, 0, "email"), uri);
    struct buf *out = api_reply_open(request, 200);
    json_kv_text(out, "secret", text);
    json_kv_text(out, "uri", uri);
    json_close(out, '}');
    return API_DONE;
}

static enum api_next store_secret(struct api_request *request, const PGresult *none)
{
    uint8_t secret[API_TOTP_SECRET_LEN], sealed[API_TOTP_SECRET_LEN + API_TOKEN_SEAL_MORE];
    char bound[API_FACTOR_BOUND_MAX];
    (void)none;
    if (!request->password_ok)
        return api_reauth_wrong(request);
    request->own = calloc(1, API_TOTP_TEXT_MAX);
    if (!request->own)
        return api_refuse(request, API_BUSY);
    randombytes_buf(secret, sizeof(secret));
    api_totp_text(secret, request->own);
    api_factor_bound(request->player_id, bound);
    api_token_seal(&request->env->keys, bound, secret, sizeof(secret), sealed);
    sodium_memzero(secret, sizeof(secret));
    db_args_int(&request->args, request->login_attempt);
    db_args_int(&request->args, request->player_id);
    db_args_bytes(&request->args, sealed, sizeof(sealed));
    db_args_text(&request->args, request->env->keys.key[0].kid);
    return api_query(request, &do_factor_setup, true, reply_setup);
}

static enum api_next after_begin_setup(struct api_request *request, const PGresult *rows)
{
    if (!api_reauth_begun(request, rows))
        return API_DONE;
    return api_work(request, api_reauth_compare, store_secret);
}

/* --- recovery codes --- */

struct codes {
    char text[API_RECOVERY_CODES_N][API_RECOVERY_TEXT_MAX];
};

/* Generates recovery codes, keeps them for the response, and binds their hashes. false: out of memory; the
 * request is rejected. */
static bool bind_codes(struct api_request *request)
{
    uint8_t hashes[API_RECOVERY_CODES_N][32];
    struct db_slice slices[API_RECOVERY_CODES_N];
    struct codes *codes = request->own = calloc(1, sizeof(*codes));
    if (!codes) {
        (void)api_refuse(request, API_BUSY);
        return false;
    }
    for (size_t i = 0; i < API_RECOVERY_CODES_N; i++) {
        api_recovery_make(codes->text[i], hashes[i]);
        slices[i] = (struct db_slice){hashes[i], sizeof(hashes[i])};
    }
    db_args_bytes_array(&request->args, slices, API_RECOVERY_CODES_N);
    return true;
}

static enum api_next reply_codes(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    const struct codes *codes = request->own;
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    struct buf *out = api_reply_open(request, 200);
    json_key(out, "recovery_codes");
    json_open(out, '[');
    for (size_t i = 0; i < API_RECOVERY_CODES_N; i++)
        json_text(out, codes->text[i]);
    json_close(out, ']');
    json_close(out, '}');
    return API_DONE;
}

/* --- POST /v1/me/factor/confirm --- */

static const struct db_stmt do_factor_confirm_begin = {"do_factor_confirm_begin",
                                                       "SELECT * FROM do_factor_confirm_begin($1)", 1};
static const struct db_stmt do_factor_confirm = {"do_factor_confirm",
                                                 "SELECT do_factor_confirm($1, $2, $3, $4) AS code", 4};

static enum api_next after_begin_confirm(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    uint8_t sealed[API_TOTP_SECRET_LEN + API_TOKEN_SEAL_MORE];
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    api_factor_compare(request, rows, &request->body[FACTOR_CONFIRM_REQUEST_FACTOR_CODE]);
    if (request->factor_step == 0)
        return api_refuse(request, API_FACTOR_CODE_WRONG);
    int len = db_bytes(rows, 0, db_col(rows, "sealed"), sealed, sizeof(sealed));
    ASSERT(len == (int)sizeof(sealed)); /* it has been decrypted already */
    db_args_int(&request->args, request->player_id);
    db_args_bytes(&request->args, sealed, sizeof(sealed));
    db_args_int(&request->args, request->factor_step);
    if (!bind_codes(request))
        return API_DONE;
    return api_query(request, &do_factor_confirm, true, reply_codes);
}

/* --- POST /v1/me/factor/recovery-codes, /v1/me/factor/off --- */

static const struct db_stmt do_factor_codes = {"do_factor_codes",
                                               "SELECT do_factor_codes($1, $2, $3, $4, $5) AS code", 5};
static const struct db_stmt do_factor_off = {"do_factor_off", "SELECT do_factor_off($1, $2, $3, $4) AS code",
                                             4};

static enum api_next store_codes(struct api_request *request, const PGresult *none)
{
    (void)none;
    if (!request->password_ok)
        return api_reauth_wrong(request);
    api_reauth_bind_proof(request);
    if (!bind_codes(request))
        return API_DONE;
    return api_query(request, &do_factor_codes, true, reply_codes);
}

static enum api_next after_begin_codes(struct api_request *request, const PGresult *rows)
{
    if (!api_reauth_begun(request, rows))
        return API_DONE;
    return api_work(request, api_reauth_compare, store_codes);
}

static enum api_next switch_off(struct api_request *request, const PGresult *none)
{
    (void)none;
    if (!request->password_ok)
        return api_reauth_wrong(request);
    api_reauth_bind_proof(request);
    return api_query(request, &do_factor_off, true, api_row_reply_code);
}

static enum api_next after_begin_off(struct api_request *request, const PGresult *rows)
{
    if (!api_reauth_begun(request, rows))
        return API_DONE;
    return api_work(request, api_reauth_compare, switch_off);
}

API_OPERATION(setUpFactor) = {.computes = true,
                              .stmt = &api_reauth_stmt,
                              .writes = true,
                              .begin = api_reauth_bind_password,
                              .reply = after_begin_setup};
API_OPERATION(confirmFactor) = {
    .stmt = &do_factor_confirm_begin, .writes = true, .begin = api_bind_player, .reply = after_begin_confirm};
API_OPERATION(renewRecoveryCodes) = {.computes = true,
                                     .stmt = &api_reauth_stmt,
                                     .writes = true,
                                     .begin = api_reauth_bind,
                                     .reply = after_begin_codes};
API_OPERATION(switchFactorOff) = {.computes = true,
                                  .stmt = &api_reauth_stmt,
                                  .writes = true,
                                  .begin = api_reauth_bind,
                                  .reply = after_begin_off};
