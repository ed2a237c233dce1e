/* /v1/me/account, /v1/me/password, /v1/me/email: credentials of an account, and changes to them, which
 * require the password again (reauth.h). REST loops; passwords are compared and hashed on workers. */
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/signin/password_rules.h"
#include "api/signin/reauth.h"
#include "api/signin/session_reply.h"
#include "base/bug.h"

#include <string.h>

enum { MAIL_RETRY_S = 3600 };

static enum api_next reply_code(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    if (strcmp(code, "ok") == 0)
        return api_reply_empty(request);
    request->data.retry_s = strcmp(code, "too_many_mails") == 0 ? MAIL_RETRY_S : 0;
    return api_refuse_sql(request, code);
}

/* --- GET /v1/me/account --- */

static enum api_next reply_account(struct api_request *request, const PGresult *rows)
{
    struct buf *out = api_reply_open(request, 200);
    json_kv_bool(out, "has_password", api_reauth_has_password(rows));
    api_row_text(out, rows, 0, "proof");
    json_close(out, '}');
    return API_DONE;
}

/* --- POST /v1/me/password --- */

static const struct db_stmt do_change_password = {
    "do_change_password", "SELECT code, ended FROM do_change_password($1, $2, $3, $4, $5, $6)", 6};

/* Compares the old password and, if it is correct, hashes the new one. */
static void change_password(struct api_request *request)
{
    api_reauth_compare(request);
    if (request->password_ok &&
        !api_password_hash(request->body[PASSWORD_CHANGE_PASSWORD].text, request->password_hash))
        request->password_hash[0] = '\0';
}

static enum api_next store_password(struct api_request *request, const PGresult *none)
{
    (void)none;
    if (!request->password_ok)
        return api_reauth_wrong(request);
    if (request->password_hash[0] == '\0')
        return api_refuse(request, API_BUSY); /* no memory for argon2 */
    ASSERT(request->password_hash[0] == '$');
    api_reauth_bind_proof(request);
    db_args_int(&request->args, request->session_id);
    db_args_text(&request->args, request->password_hash);
    return api_query(request, &do_change_password, true, api_session_reply_ended);
}

static enum api_next after_begin_password(struct api_request *request, const PGresult *rows)
{
    if (!api_reauth_begun(request, rows))
        return API_DONE;
    return api_work(request, change_password, store_password);
}

/* Checks the new password before counting an attempt, because a new password that is too common must not
 * count as a wrong old one. */
static enum api_next after_account(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    enum api_fault_code fault =
        api_password_judge(request->body[PASSWORD_CHANGE_PASSWORD].text, api_row_get(rows, 0, "email"),
                           api_row_get(rows, 0, "nickname"));
    if (!api_password_admit(request, "password", fault))
        return API_DONE;
    (void)api_reauth_bind(request);
    return api_query(request, &api_reauth_stmt, true, after_begin_password);
}

/* --- POST /v1/me/email --- */

static const struct db_stmt do_change_email = {"do_change_email",
                                               "SELECT do_change_email($1, $2, $3, $4, $5) AS code", 5};

static enum api_next change_email(struct api_request *request, const PGresult *none)
{
    (void)none;
    if (!request->password_ok)
        return api_reauth_wrong(request);
    api_reauth_bind_proof(request);
    db_args_text(&request->args, request->body[EMAIL_CHANGE_EMAIL].text);
    return api_query(request, &do_change_email, true, reply_code);
}

static enum api_next after_begin_email(struct api_request *request, const PGresult *rows)
{
    if (!api_reauth_begun(request, rows))
        return API_DONE;
    return api_work(request, api_reauth_compare, change_email);
}

/* --- POST /v1/me/email/verification --- */

static const struct db_stmt do_send_verification = {"do_send_verification",
                                                    "SELECT do_send_verification($1) AS code", 1};

API_OPERATION(getAccount) = {
    .stmt = &api_reauth_account_stmt, .begin = api_bind_player, .reply = reply_account};
API_OPERATION(changePassword) = {
    .computes = true, .stmt = &api_reauth_account_stmt, .begin = api_bind_player, .reply = after_account};
API_OPERATION(changeEmail) = {.computes = true,
                              .stmt = &api_reauth_stmt,
                              .writes = true,
                              .begin = api_reauth_bind,
                              .reply = after_begin_email};
API_OPERATION(sendVerification) = {
    .stmt = &do_send_verification, .writes = true, .begin = api_bind_player, .reply = reply_code};
