/* POST /v1/auth/reset: a new password by a link in an email, which proves access to the mailbox. REST
 * loops; passwords are hashed on workers. */
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/signin/password_rules.h"
#include "api/signin/session_reply.h"
#include "base/bug.h"

#include <string.h>

static enum api_next bind_token(struct api_request *request)
{
    uint8_t hash[32];
    api_token_hash(request->body[RESET_REQUEST_TOKEN].text, hash);
    db_args_bytes(&request->args, hash, sizeof(hash));
    return API_QUERY;
}

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
    db_args_bool(&request->args,
                 clean_up->set && !clean_up->flag); /* whether to keep the other ways to sign in */
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

API_OPERATION(resetPassword) = {
    .computes = true, .stmt = &q_reset_link, .begin = bind_token, .reply = after_link};
