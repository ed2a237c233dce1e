/* POST /v1/auth/login. It is counted in the database before its password is compared on a worker, so that any
 * number of them at once is compared no more often than the locks allow. REST loops. */
#include "api/known_device.h"
#include "api/password_rules.h"
#include "api/resources.h"
#include "api/rows.h"
#include "api/session_reply.h"
#include "api/validators.h"
#include "base/bug.h"

#include <stdio.h>
#include <string.h>

#define BODY_MAX 4096

enum { EMAIL, PASSWORD, DEVICE }; /* places in request->body */

static const struct api_spec_member login_members[] = {API_EMAIL_MEMBER, API_PASSWORD_MEMBER("password"),
                                                       API_DEVICE_TOKEN_MEMBER};
static const struct api_spec login_spec = {login_members, ARRAY_LEN(login_members), BODY_MAX, false};

static const struct db_stmt do_login_begin = {"do_login_begin", "SELECT * FROM do_login_begin($1, $2, $3)",
                                              3};
static const struct db_stmt do_login_failed = {"do_login_failed", "SELECT do_login_failed($1)", 1};
static const struct db_stmt do_enter_login = {
    "do_enter_login", "SELECT * FROM do_enter_login($1, $2, $3, $4, $5, $6, $7, $8)", 8};

static enum api_next bind_login(struct api_request *request)
{
    char source[ADDR_TEXT_MAX];
    addr_bucket_text(request->address, source);
    db_args_text(&request->args, request->body[EMAIL].text);
    db_args_text(&request->args, source);
    api_known_device_bind(request, &request->body[DEVICE]);
    return API_QUERY;
}

static void compare_password(struct api_request *request)
{
    request->password_ok = api_password_fits(request->body[PASSWORD].text, request->password_hash);
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
    ASSERT(request->login_attempt > 0); /* it was counted */
    db_args_int(&request->args, request->login_attempt);
    if (!request->password_ok)
        return api_query(request, &do_login_failed, true, reply_login_failed);
    ASSERT(request->player_id > 0 &&
           request->password_hash[0] != '\0'); /* a password that fits is somebody's */
    db_args_int(&request->args, request->player_id);
    api_known_device_bind_next(request, &request->body[DEVICE]);
    api_session_bind(request);
    return api_query(request, &do_enter_login, true, reply_session);
}

static enum api_next after_begin(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    if (strcmp(code, "ok") != 0) {
        request->data.retry_s = api_row_get_int(rows, 0, "retry_s");
        return api_refuse_sql(request, code);
    }
    const char *hash =
        api_row_get(rows, 0, "password_hash"); /* NULL: no such account; compared all the same */
    (void)snprintf(request->password_hash, sizeof(request->password_hash), "%s", hash ? hash : "");
    request->login_attempt = api_row_get_int(rows, 0, "attempt");
    request->player_id = api_row_get_int(rows, 0, "player_id");
    return api_work(request, compare_password, after_comparison);
}

const struct api_route api_login_routes[] = {
    {.method = "POST",
     .path = "/v1/auth/login",
     .id = "login",
     .rate = API_RATE_AUTH,
     .computes = true,
     .body = &login_spec,
     .stmt = &do_login_begin,
     .writes = true,
     .begin = bind_login,
     .reply = after_begin},
};
const size_t api_login_routes_n = ARRAY_LEN(api_login_routes);
