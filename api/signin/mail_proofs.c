/* Endpoints behind links in emails: /v1/auth/verify-email, /undo-email, /unlock, /reset, /reset/ways;
 * /v1/me/email/confirmation, which is verify-email for a signed-in player; and /v1/auth/forgot, which
 * requests a link. The link proves access to the address's mailbox. REST loops; passwords are hashed on
 * workers. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/signin/password_rules.h"
#include "api/signin/session_reply.h"
#include "base/bug.h"

#include <string.h>

_Static_assert((int)MAIL_LINK_REQUEST_TOKEN == (int)RESET_REQUEST_TOKEN, "bind_token binds both");

static enum api_next bind_token(struct api_request *request)
{
    uint8_t hash[32];
    api_token_hash(request->body[MAIL_LINK_REQUEST_TOKEN].text, hash);
    db_args_bytes(&request->args, hash, sizeof(hash));
    return API_QUERY;
}

/* --- POST /v1/auth/verify-email, /v1/auth/undo-email, /v1/auth/unlock --- */

static const struct db_stmt do_confirm_email = {"do_confirm_email", "SELECT do_confirm_email($1, $2) AS code",
                                                2};
static const struct db_stmt do_undo_email = {"do_undo_email", "SELECT code, ended FROM do_undo_email($1)", 1};
static const struct db_stmt do_unlock_login = {"do_unlock_login", "SELECT do_unlock_login($1) AS code", 1};

/* The player may be signed in or not: the first confirmation of an address then keeps or removes what was
 * added before (do_confirm_email). */
static enum api_next bind_confirm(struct api_request *request)
{
    (void)bind_token(request);
    if (request->player_id > 0)
        db_args_int(&request->args, request->player_id);
    else
        db_args_null(&request->args);
    return API_QUERY;
}

/* --- POST /v1/auth/forgot --- */

static const struct db_stmt do_forgot_password = {"do_forgot_password", "SELECT do_forgot_password($1)", 1};

static enum api_next bind_forgot(struct api_request *request)
{
    db_args_text(&request->args, request->body[FORGOT_REQUEST_EMAIL].text);
    return API_QUERY;
}

static enum api_next reply_forgot(struct api_request *request, const PGresult *rows)
{
    (void)rows; /* the response must not reveal whether such an account exists */
    return api_reply_empty(request);
}

/* --- POST /v1/auth/reset, /v1/auth/reset/ways --- */

static const struct db_stmt q_reset_ways = {"q_reset_ways", "SELECT code, body FROM q_reset_ways($1)", 1};

static const struct db_stmt q_reset_link = {"q_reset_link", "SELECT * FROM q_reset_link($1)", 1};
static const struct db_stmt do_reset_password = {"do_reset_password",
                                                 "SELECT code, ended FROM do_reset_password($1, $2, $3)", 3};

static void hash_password(struct api_request *request)
{
    request->password_ok =
        api_password_hash(request->body[RESET_REQUEST_PASSWORD].text, request->password_hash);
}

static enum api_next store_password(struct api_request *request, const PGresult *none)
{
    (void)none;
    if (!request->password_ok)
        return api_refuse(request, API_BUSY); /* no memory for argon2 */
    ASSERT(request->password_hash[0] == '$');
    (void)bind_token(request);
    db_args_text(&request->args, request->password_hash);
    const struct api_spec_value *clean_up = &request->body[RESET_REQUEST_CLEAN_UP];
    db_args_bool(&request->args, clean_up->set && !clean_up->flag); /* whether to keep */
    return api_query(request, &do_reset_password, true, api_session_reply_ended);
}

static enum api_next after_link(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    if (!api_password_admit(request, "password",
                            api_password_judge(request->body[RESET_REQUEST_PASSWORD].text,
                                               api_row_get(rows, 0, "email"),
                                               api_row_get(rows, 0, "nickname"))))
        return API_DONE;
    return api_work(request, hash_password, store_password);
}

API_OPERATION(verifyEmail) = {
    .stmt = &do_confirm_email, .writes = true, .begin = bind_confirm, .reply = api_row_reply_code};
API_OPERATION(confirmEmail) = {
    .stmt = &do_confirm_email, .writes = true, .begin = bind_confirm, .reply = api_row_reply_code};
API_OPERATION(undoEmail) = {
    .stmt = &do_undo_email, .writes = true, .begin = bind_token, .reply = api_session_reply_ended};
API_OPERATION(unlockAccount) = {
    .stmt = &do_unlock_login, .writes = true, .begin = bind_token, .reply = api_row_reply_code};
API_OPERATION(forgotPassword) = {
    .stmt = &do_forgot_password, .writes = true, .begin = bind_forgot, .reply = reply_forgot};
API_OPERATION(resetPassword) = {
    .computes = true, .stmt = &q_reset_link, .begin = bind_token, .reply = after_link};
API_OPERATION(getResetWays) = {.stmt = &q_reset_ways, .begin = bind_token, .reply = api_json_reply};
