/* Confirmation with password and second factor; see reauth.h. */
#include "api/signin/reauth.h"

#include "api/bodies.h"
#include "api/core/rows.h"
#include "base/bug.h"

#include <stdio.h>
#include <string.h>

#define SAME_PLACES(BODY, PASSWORD)                                                                          \
    _Static_assert((int)BODY##_##PASSWORD == API_REAUTH_PASSWORD &&                                          \
                       (int)BODY##_DEVICE_TOKEN == API_REAUTH_DEVICE &&                                      \
                       (int)BODY##_FACTOR_CODE == API_REAUTH_CODE,                                           \
                   "begins with these members")
SAME_PLACES(DELETION_REQUEST, PASSWORD);
SAME_PLACES(EMAIL_CHANGE, PASSWORD);
SAME_PLACES(EXPORT_REQUEST, PASSWORD);
SAME_PLACES(FACTOR_PROOF, PASSWORD);
SAME_PLACES(PASSKEY_PROOF, PASSWORD);
SAME_PLACES(PASSWORD_CHANGE, OLD_PASSWORD);
_Static_assert((int)FACTOR_SETUP_REQUEST_PASSWORD == API_REAUTH_PASSWORD &&
                   (int)FACTOR_SETUP_REQUEST_DEVICE_TOKEN == API_REAUTH_DEVICE,
               "begins with these members");

const struct db_stmt api_reauth_stmt = {"do_reauth_begin", "SELECT * FROM do_reauth_begin($1, $2, $3, $4)",
                                        4};
const struct db_stmt api_login_failed_stmt = {"do_login_failed", "SELECT do_login_failed($1)", 1};

static void bind_login(struct api_request *request)
{
    char source[ADDR_TEXT_MAX];
    addr_bucket_text(request->address, source);
    db_args_int(&request->args, request->player_id);
    db_args_text(&request->args, source);
    api_known_device_bind(request, &request->body[API_REAUTH_DEVICE]);
}

enum api_next api_reauth_bind(struct api_request *request)
{
    bind_login(request);
    db_args_bool(&request->args, request->body[API_REAUTH_CODE].set);
    return API_QUERY;
}

enum api_next api_reauth_bind_password(struct api_request *request)
{
    bind_login(request);
    db_args_null(&request->args);
    return API_QUERY;
}

bool api_reauth_begun(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    if (strcmp(code, "ok") != 0) {
        request->data.retry_s = api_row_get_int(rows, 0, "retry_s");
        (void)api_refuse_sql(request, code);
        return false;
    }
    (void)snprintf(request->password_hash, sizeof(request->password_hash), "%s",
                   api_row_get(rows, 0, "password_hash"));
    request->login_attempt = api_row_get_int(rows, 0, "attempt");
    api_factor_compare(request, rows, &request->body[API_REAUTH_CODE]);
    return true;
}

void api_reauth_compare(struct api_request *request)
{
    request->password_ok = api_password_fits(request->body[API_REAUTH_PASSWORD].text, request->password_hash);
}

static enum api_next reply_wrong_password(struct api_request *request, const PGresult *none)
{
    (void)none;
    return api_refuse(request, API_WRONG_PASSWORD);
}

enum api_next api_reauth_wrong(struct api_request *request)
{
    ASSERT(!request->password_ok && request->login_attempt > 0);
    db_args_int(&request->args, request->login_attempt);
    return api_query(request, &api_login_failed_stmt, true, reply_wrong_password);
}

void api_reauth_bind_proof(struct api_request *request)
{
    ASSERT(request->password_ok && request->login_attempt > 0);
    db_args_int(&request->args, request->login_attempt);
    db_args_int(&request->args, request->player_id);
    api_factor_bind(request, &request->body[API_REAUTH_CODE]);
}

/* --- for players with or without a password --- */

const struct db_stmt api_reauth_account_stmt = {"q_my_account", "SELECT * FROM q_my_account($1)", 1};

bool api_reauth_has_password(const PGresult *rows)
{
    return strcmp(api_row_get(rows, 0, "proof"), "password") == 0;
}

static enum api_next after_comparison(struct api_request *request, const PGresult *none)
{
    return request->password_ok ? request->after_reauth(request, none) : api_reauth_wrong(request);
}

static enum api_next after_begin(struct api_request *request, const PGresult *rows)
{
    if (!api_reauth_begun(request, rows))
        return API_DONE;
    ASSERT(request->login_attempt > 0);
    return api_work(request, api_reauth_compare, after_comparison);
}

enum api_next api_reauth_account(struct api_request *request, const PGresult *rows,
                                 enum api_next (*then)(struct api_request *, const PGresult *))
{
    const char *code = api_row_get(rows, 0, "code");
    if (strcmp(code, "not_registered") != 0 && strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    if (!api_reauth_has_password(rows))
        return then(request, NULL);
    if (!request->body[API_REAUTH_PASSWORD].set) {
        struct api_fault fault = {.code = API_FAULT_MISSING, .place = API_FAULT_MEMBER};
        api_fault_name(&fault, "password", strlen("password"));
        return api_fail_fault(request, &fault);
    }
    request->after_reauth = then;
    (void)api_reauth_bind(request);
    return api_query(request, &api_reauth_stmt, true, after_begin);
}

void api_reauth_bind_account(struct api_request *request)
{
    if (request->login_attempt > 0) {
        api_reauth_bind_proof(request);
    } else {
        db_args_null(&request->args);
        db_args_int(&request->args, request->player_id);
        db_args_null(&request->args);
        db_args_null(&request->args);
    }
    db_args_int(&request->args, request->session_id);
}
