/* What links in mails lead to: /v1/auth/verify-email, /undo-email, /reset; and /v1/auth/forgot, which asks
 * for one. Whoever has the link is who gets the mail of the address, signed in or not. REST loops; passwords
 * are hashed on workers. */
#include "api/resources.h"
#include "api/rows.h"
#include "api/validators.h"
#include "base/bug.h"
#include "base/text.h"

#include <string.h>

#define BODY_MAX 2048

#define MEMBER_EMAIL                                                                                         \
    INIT(.name = "email", .type = API_SPEC_TEXT, .required = true, .min = 3, .max = 254,                     \
         .valid = text_email_ok, .fault = API_FAULT_NOT_AN_EMAIL)
#define MEMBER_PASSWORD                                                                                      \
    INIT(.name = "password", .type = API_SPEC_TEXT, .required = true, .min = 8, .max = 128)
/* The token of a link: 32 bytes in hexadecimal. */
#define MEMBER_TOKEN                                                                                         \
    INIT(.name = "token", .type = API_SPEC_TEXT, .required = true, .min = 64, .max = 64,                     \
         .valid = api_valid_token, .fault = API_FAULT_BAD_TOKEN)

enum { TOKEN, PASSWORD }; /* places in request->body */

static const struct api_spec_member token_members[] = {MEMBER_TOKEN};
static const struct api_spec token_spec = {token_members, ARRAY_LEN(token_members), BODY_MAX, false};

static enum api_next bind_token(struct api_request *request)
{
    uint8_t hash[32];
    api_token_hash(request->body[TOKEN].text, hash);
    db_args_bytes(&request->args, hash, sizeof(hash));
    return API_QUERY;
}

static enum api_next reply_code(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    return strcmp(code, "ok") == 0 ? api_reply_empty(request) : api_refuse_sql(request, code);
}

/* --- POST /v1/auth/verify-email, /v1/auth/undo-email --- */

static const struct db_stmt do_confirm_email = {"do_confirm_email", "SELECT do_confirm_email($1) AS code", 1};
static const struct db_stmt do_undo_email = {"do_undo_email", "SELECT do_undo_email($1) AS code", 1};

/* --- POST /v1/auth/forgot --- */

static const struct api_spec_member forgot_members[] = {MEMBER_EMAIL};
static const struct api_spec forgot_spec = {forgot_members, ARRAY_LEN(forgot_members), BODY_MAX, false};

static const struct db_stmt do_forgot_password = {"do_forgot_password", "SELECT do_forgot_password($1)", 1};

static enum api_next bind_forgot(struct api_request *request)
{
    db_args_text(&request->args, request->body[0].text);
    return API_QUERY;
}

static enum api_next reply_forgot(struct api_request *request, const PGresult *rows)
{
    (void)rows; /* whether there is such an account was not even looked for */
    return api_reply_empty(request);
}

/* --- POST /v1/auth/reset --- */

static const struct api_spec_member reset_members[] = {MEMBER_TOKEN, MEMBER_PASSWORD};
static const struct api_spec reset_spec = {reset_members, ARRAY_LEN(reset_members), BODY_MAX, false};

static const struct db_stmt q_reset_link = {"q_reset_link", "SELECT * FROM q_reset_link($1)", 1};
static const struct db_stmt do_reset_password = {"do_reset_password",
                                                 "SELECT do_reset_password($1, $2) AS code", 2};

static void hash_password(struct api_request *request)
{
    request->password_ok = api_password_hash(request->body[PASSWORD].text, request->password_hash);
}

static enum api_next store_password(struct api_request *request, const PGresult *none)
{
    (void)none;
    if (!request->password_ok)
        return api_refuse(request, API_BUSY); /* no memory for argon2 */
    ASSERT(request->password_hash[0] == '$');
    (void)bind_token(request);
    db_args_text(&request->args, request->password_hash);
    request->stmt = &do_reset_password;
    request->writes = true;
    request->then = reply_code;
    return API_QUERY;
}

static enum api_next after_link(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    request->work = hash_password;
    request->then = store_password;
    return API_WORK;
}

const struct api_route api_mail_proofs_routes[] = {
    {.method = "POST",
     .path = "/v1/auth/verify-email",
     .id = "verifyEmail",
     .rate = API_RATE_AUTH,
     .body = &token_spec,
     .stmt = &do_confirm_email,
     .writes = true,
     .begin = bind_token,
     .reply = reply_code},
    {.method = "POST",
     .path = "/v1/auth/undo-email",
     .id = "undoEmail",
     .rate = API_RATE_AUTH,
     .body = &token_spec,
     .stmt = &do_undo_email,
     .writes = true,
     .begin = bind_token,
     .reply = reply_code},
    {.method = "POST",
     .path = "/v1/auth/forgot",
     .id = "forgotPassword",
     .rate = API_RATE_AUTH,
     .body = &forgot_spec,
     .stmt = &do_forgot_password,
     .writes = true,
     .begin = bind_forgot,
     .reply = reply_forgot},
    {.method = "POST",
     .path = "/v1/auth/reset",
     .id = "resetPassword",
     .rate = API_RATE_AUTH,
     .body = &reset_spec,
     .stmt = &q_reset_link,
     .begin = bind_token,
     .reply = after_link},
};
const size_t api_mail_proofs_routes_n = ARRAY_LEN(api_mail_proofs_routes);
