/* POST /v1/auth/login, and /v1/auth/login/factor, the second step for an account with a second factor. Each
 * attempt is counted in the database before a password or code is compared, so that even concurrent
 * attempts cannot exceed the limits of the locks. REST loops; passwords are compared on a worker. */
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/signin/factor_code.h"
#include "api/signin/known_device.h"
#include "api/signin/password_rules.h"
#include "api/signin/reauth.h"
#include "api/signin/session_reply.h"
#include "base/bug.h"

#include <stdio.h>
#include <string.h>

static const struct db_stmt do_login_begin = {"do_login_begin", "SELECT * FROM do_login_begin($1, $2, $3)",
                                              3};
static const struct db_stmt do_enter_login = {
    "do_enter_login", "SELECT * FROM do_enter_login($1, $2, $3, $4, $5, $6, $7, $8)", 8};

static void bind_source_and_device(struct api_request *request)
{
    char source[ADDR_TEXT_MAX];
    addr_bucket_text(request->address, source);
    db_args_text(&request->args, source);
    api_known_device_bind(request, &request->body[LOGIN_REQUEST_DEVICE_TOKEN]);
}

static enum api_next bind_login(struct api_request *request)
{
    db_args_text(&request->args, request->body[LOGIN_REQUEST_EMAIL].text);
    bind_source_and_device(request);
    return API_QUERY;
}

static void compare_password(struct api_request *request)
{
    request->password_ok =
        api_password_fits(request->body[LOGIN_REQUEST_PASSWORD].text, request->password_hash);
}

static enum api_next reply_login_failed(struct api_request *request, const PGresult *none)
{
    (void)none;
    return api_refuse(request, API_BAD_CREDENTIALS);
}

static enum api_next reply_session(struct api_request *request, const PGresult *rows)
{
    return api_session_reply(request, rows, 200);
}

static enum api_next after_comparison(struct api_request *request, const PGresult *none)
{
    (void)none;
    ASSERT(request->login_attempt > 0); /* the attempt was counted */
    db_args_int(&request->args, request->login_attempt);
    if (!request->password_ok)
        return api_query(request, &api_login_failed_stmt, true, reply_login_failed);
    ASSERT(request->player_id > 0 &&
           request->password_hash[0] != '\0'); /* only an existing account's password can match */
    db_args_int(&request->args, request->player_id);
    api_known_device_bind_next(request, &request->body[LOGIN_REQUEST_DEVICE_TOKEN]);
    api_session_bind(request);
    return api_query(request, &do_enter_login, true, reply_session);
}

/* Copies the attempt's number and the player from the database. false: the request is rejected. */
static bool login_begun(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    if (strcmp(code, "ok") != 0) {
        request->data.retry_s = api_row_get_int(rows, 0, "retry_s");
        (void)api_refuse_sql(request, code);
        return false;
    }
    request->login_attempt = api_row_get_int(rows, 0, "attempt");
    request->player_id = api_row_get_int(rows, 0, "player_id");
    return true;
}

static enum api_next after_begin(struct api_request *request, const PGresult *rows)
{
    if (!login_begun(request, rows))
        return API_DONE;
    const char *hash = api_row_get(rows, 0, "password_hash"); /* NULL: no such account; compare anyway */
    (void)snprintf(request->password_hash, sizeof(request->password_hash), "%s", hash ? hash : "");
    return api_work(request, compare_password, after_comparison);
}

/* --- POST /v1/auth/login/factor --- */

static const struct db_stmt do_factor_begin = {"do_factor_begin", "SELECT * FROM do_factor_begin($1, $2, $3)",
                                               3};
static const struct db_stmt do_enter_factor = {
    "do_enter_factor", "SELECT * FROM do_enter_factor($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)", 11};

static void bind_challenge(struct api_request *request)
{
    uint8_t hash[32];
    api_token_hash(request->body[FACTOR_LOGIN_REQUEST_CHALLENGE].text, hash);
    db_args_bytes(&request->args, hash, sizeof(hash));
}

static enum api_next bind_factor(struct api_request *request)
{
    bind_challenge(request);
    bind_source_and_device(request);
    return API_QUERY;
}

static enum api_next after_factor(struct api_request *request, const PGresult *rows)
{
    if (!login_begun(request, rows))
        return API_DONE;
    ASSERT(request->player_id > 0);
    api_factor_compare(request, rows, &request->body[FACTOR_LOGIN_REQUEST_FACTOR_CODE]);
    db_args_int(&request->args, request->login_attempt);
    db_args_int(&request->args, request->player_id);
    api_factor_bind(request, &request->body[FACTOR_LOGIN_REQUEST_FACTOR_CODE]);
    bind_challenge(request);
    api_known_device_bind_next(request, &request->body[FACTOR_LOGIN_REQUEST_DEVICE_TOKEN]);
    api_session_bind(request);
    return api_query(request, &do_enter_factor, true, reply_session);
}

API_OPERATION(login) = {
    .computes = true, .stmt = &do_login_begin, .writes = true, .begin = bind_login, .reply = after_begin};
API_OPERATION(loginFactor) = {
    .stmt = &do_factor_begin, .writes = true, .begin = bind_factor, .reply = after_factor};
