/* /v1/auth: entering as guest or with an account, staying, leaving, a guest's way to an account. REST loops;
 * passwords are hashed and compared on workers. */
#include "api/profile.h"
#include "api/resources.h"
#include "api/rows.h"
#include "api/validators.h"
#include "base/bug.h"
#include "base/text.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define BODY_MAX 2048
#define AVATAR_NONE ""

/* --- what the sessions share --- */

/* Makes a refresh token, kept in the request for the answer, and binds its hash. */
static void bind_refresh_token(struct api_request *request)
{
    uint8_t hash[32];
    api_token_random(request->refresh_token);
    ASSERT(strlen(request->refresh_token) == API_TOKEN_RANDOM_MAX - 1);
    api_token_hash(request->refresh_token, hash);
    db_args_bytes(&request->args, hash, sizeof(hash));
}

static void bind_family(struct api_request *request)
{
    uint8_t family[16];
    randombytes_buf(family, sizeof(family));
    db_args_uuid(&request->args, family);
}

static enum api_next write_session(struct api_request *request, const PGresult *rows, int status)
{
    const char *code = api_row_get(rows, 0, "code");
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    char token[API_TOKEN_MAX];
    ASSERT(request->refresh_token[0] != '\0');
    if (!api_token_make(&request->env->keys, api_row_get_int(rows, 0, "id"), request->now_ms / 1000, token))
        return api_refuse(request, API_INTERNAL);
    struct buf *out = api_reply_open(request, status);
    json_kv_text(out, "access_token", token);
    json_kv_text(out, "token_type", "Bearer");
    json_kv_num(out, "expires_in", API_TOKEN_TTL_S);
    json_kv_text(out, "refresh_token", request->refresh_token);
    json_key(out, "player");
    json_open(out, '{');
    api_profile_write(out, rows);
    json_close(out, '}');
    json_close(out, '}');
    return API_DONE;
}

static enum api_next reply_session(struct api_request *request, const PGresult *rows)
{
    return write_session(request, rows, 200);
}

static enum api_next query(struct api_request *request, const struct db_stmt *stmt, bool writes,
                           enum api_next (*then)(struct api_request *, const PGresult *))
{
    ASSERT(stmt && then && (stmt->n_params == request->args.n || !db_args_ok(&request->args)));
    request->stmt = stmt;
    request->writes = writes;
    request->then = then;
    return API_QUERY;
}

static enum api_next work(struct api_request *request, void (*job)(struct api_request *),
                          enum api_next (*then)(struct api_request *, const PGresult *))
{
    ASSERT(job && then);
    request->work = job;
    request->then = then;
    return API_WORK;
}

/* --- POST /v1/auth/guest --- */

static const struct api_spec_member guest_members[] = {
    {.name = "device_id",
     .type = API_SPEC_TEXT,
     .required = true,
     .min = 16,
     .max = 64,
     .valid = api_valid_token,
     .fault = API_FAULT_BAD_TOKEN},
    API_NICKNAME_MEMBER(false),
};
static const struct api_spec guest_spec = {guest_members, ARRAY_LEN(guest_members), BODY_MAX, false};

static const struct db_stmt do_enter_guest = {"do_enter_guest",
                                              "SELECT * FROM do_enter_guest($1, $2, $3, $4, $5)", 5};

static enum api_next bind_guest(struct api_request *request)
{
    uint8_t hash[32];
    char nickname[32];
    api_token_hash(request->body[0].text, hash);
    (void)snprintf(nickname, sizeof(nickname), "Guest %04u", randombytes_uniform(10000));
    db_args_bytes(&request->args, hash, sizeof(hash));
    db_args_text(&request->args, request->body[1].set ? request->body[1].text : nickname);
    db_args_text(&request->args, AVATAR_NONE);
    bind_refresh_token(request);
    bind_family(request);
    return API_QUERY;
}

/* --- POST /v1/auth/register --- */

#define MEMBER_EMAIL                                                                                         \
    INIT(.name = "email", .type = API_SPEC_TEXT, .required = true, .min = 3, .max = 254,                     \
         .valid = text_email_ok, .fault = API_FAULT_NOT_AN_EMAIL)
#define MEMBER_PASSWORD                                                                                      \
    INIT(.name = "password", .type = API_SPEC_TEXT, .required = true, .min = 8, .max = 128)

enum { EMAIL, PASSWORD, NICKNAME, INVITE }; /* places in request->body */

static const struct api_spec_member register_members[] = {
    MEMBER_EMAIL, MEMBER_PASSWORD, API_NICKNAME_MEMBER(true), API_INVITE_CODE_MEMBER("invite_code", false)};
static const struct api_spec register_spec = {register_members, ARRAY_LEN(register_members), BODY_MAX, false};

static const struct db_stmt do_enter_registered = {
    "do_enter_registered", "SELECT * FROM do_enter_registered($1, $2, $3, $4, $5, $6, $7)", 7};

static void hash_password(struct api_request *request)
{
    ASSERT(request->body[PASSWORD].set);
    request->password_ok = api_password_hash(request->body[PASSWORD].text, request->password_hash);
}

static enum api_next reply_registered(struct api_request *request, const PGresult *rows)
{
    return write_session(request, rows, 201);
}

static enum api_next bind_registered(struct api_request *request, const PGresult *none)
{
    (void)none;
    if (!request->password_ok)
        return api_refuse(request, API_BUSY); /* no memory for argon2 */
    ASSERT(request->password_hash[0] == '$'); /* what is stored is never the password itself */
    db_args_text(&request->args, request->body[EMAIL].text);
    db_args_text(&request->args, request->password_hash);
    db_args_text(&request->args, request->body[NICKNAME].text);
    db_args_text(&request->args, AVATAR_NONE);
    bind_refresh_token(request);
    bind_family(request);
    db_args_text(&request->args, request->body[INVITE].text);
    return query(request, &do_enter_registered, true, reply_registered);
}

static enum api_next begin_register(struct api_request *request)
{
    return work(request, hash_password, bind_registered);
}

/* --- POST /v1/auth/upgrade: a guest becomes an account --- */

static const struct api_spec_member upgrade_members[] = {
    MEMBER_EMAIL, MEMBER_PASSWORD, API_NICKNAME_MEMBER(false), API_INVITE_CODE_MEMBER("invite_code", false)};
static const struct api_spec upgrade_spec = {upgrade_members, ARRAY_LEN(upgrade_members), BODY_MAX, false};

static const struct db_stmt do_enter_upgraded = {
    "do_enter_upgraded", "SELECT * FROM do_enter_upgraded($1, $2, $3, $4, $5, $6, $7)", 7};

static enum api_next bind_upgraded(struct api_request *request, const PGresult *none)
{
    (void)none;
    if (!request->password_ok)
        return api_refuse(request, API_BUSY);
    ASSERT(request->player_id > 0 && request->password_hash[0] == '$');
    db_args_int(&request->args, request->player_id);
    db_args_text(&request->args, request->body[EMAIL].text);
    db_args_text(&request->args, request->password_hash);
    db_args_text(&request->args, request->body[NICKNAME].text);
    bind_refresh_token(request);
    bind_family(request);
    db_args_text(&request->args, request->body[INVITE].text);
    return query(request, &do_enter_upgraded, true, reply_session);
}

static enum api_next begin_upgrade(struct api_request *request)
{
    return work(request, hash_password, bind_upgraded);
}

/* --- POST /v1/auth/login --- */

static const struct api_spec_member login_members[] = {MEMBER_EMAIL, MEMBER_PASSWORD};
static const struct api_spec login_spec = {login_members, ARRAY_LEN(login_members), BODY_MAX, false};

static const struct db_stmt q_login = {"q_login", "SELECT * FROM q_login($1, $2)", 2};
static const struct db_stmt do_login_failed = {"do_login_failed", "SELECT do_login_failed($1, $2)", 2};
static const struct db_stmt do_enter_login = {"do_enter_login",
                                              "SELECT * FROM do_enter_login($1, $2, $3, $4)", 4};

static enum api_next bind_login(struct api_request *request)
{
    db_args_text(&request->args, request->body[EMAIL].text);
    db_args_text(&request->args, request->address);
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

static enum api_next after_comparison(struct api_request *request, const PGresult *none)
{
    (void)none;
    if (!request->password_ok) {
        db_args_text(&request->args, request->body[EMAIL].text);
        db_args_text(&request->args, request->address);
        return query(request, &do_login_failed, true, reply_login_failed);
    }
    if (request->banned) /* said only to who knows the password */
        return api_refuse(request, API_ACCOUNT_BANNED);
    ASSERT(request->player_id > 0 &&
           request->password_hash[0] != '\0'); /* a password that fits is somebody's */
    db_args_text(&request->args, request->body[EMAIL].text);
    db_args_int(&request->args, request->player_id);
    bind_refresh_token(request);
    bind_family(request);
    return query(request, &do_enter_login, true, reply_session);
}

static enum api_next after_login_row(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    if (strcmp(code, "account_locked") == 0 || strcmp(code, "address_locked") == 0) {
        request->data.retry_s = api_row_get_int(rows, 0, "retry_s");
        return api_refuse_sql(request, code);
    }
    const char *hash =
        api_row_get(rows, 0, "password_hash"); /* NULL: no such account; compared all the same */
    (void)snprintf(request->password_hash, sizeof(request->password_hash), "%s", hash ? hash : "");
    request->banned = strcmp(code, "banned") == 0;
    request->player_id = api_row_get_int(rows, 0, "player_id");
    return work(request, compare_password, after_comparison);
}

/* --- POST /v1/auth/refresh, /v1/auth/logout --- */

static const struct api_spec_member refresh_members[] = {
    {.name = "refresh_token", .type = API_SPEC_TEXT, .required = true, .min = 20, .max = 128},
};
static const struct api_spec refresh_spec = {refresh_members, ARRAY_LEN(refresh_members), BODY_MAX, false};

static const struct db_stmt do_enter_refresh = {"do_enter_refresh", "SELECT * FROM do_enter_refresh($1, $2)",
                                                2};
static const struct db_stmt do_refresh_revoke = {"do_refresh_revoke", "SELECT * FROM do_refresh_revoke($1)",
                                                 1};

static enum api_next bind_logout(struct api_request *request)
{
    uint8_t hash[32];
    api_token_hash(request->body[0].text, hash);
    db_args_bytes(&request->args, hash, sizeof(hash));
    return API_QUERY;
}

static enum api_next bind_refresh(struct api_request *request)
{
    (void)bind_logout(request);
    bind_refresh_token(request);
    return API_QUERY;
}

static enum api_next reply_logout(struct api_request *request, const PGresult *rows)
{
    (void)rows; /* whether the token was known is not told */
    return api_reply_empty(request);
}

const struct api_route api_auth_routes[] = {
    {.method = "POST",
     .path = "/v1/auth/guest",
     .id = "enterAsGuest",
     .rate = API_RATE_AUTH,
     .body = &guest_spec,
     .stmt = &do_enter_guest,
     .writes = true,
     .begin = bind_guest,
     .reply = reply_session},
    {.method = "POST",
     .path = "/v1/auth/register",
     .id = "register",
     .rate = API_RATE_AUTH,
     .body = &register_spec,
     .begin = begin_register},
    {.method = "POST",
     .path = "/v1/auth/upgrade",
     .id = "upgrade",
     .role = API_PLAYER,
     .rate = API_RATE_AUTH,
     .body = &upgrade_spec,
     .begin = begin_upgrade},
    {.method = "POST",
     .path = "/v1/auth/login",
     .id = "login",
     .rate = API_RATE_AUTH,
     .body = &login_spec,
     .stmt = &q_login,
     .begin = bind_login,
     .reply = after_login_row},
    {.method = "POST",
     .path = "/v1/auth/refresh",
     .id = "refresh",
     .rate = API_RATE_AUTH,
     .body = &refresh_spec,
     .stmt = &do_enter_refresh,
     .writes = true,
     .begin = bind_refresh,
     .reply = reply_session},
    {.method = "POST",
     .path = "/v1/auth/logout",
     .id = "logout",
     .rate = API_RATE_AUTH,
     .body = &refresh_spec,
     .stmt = &do_refresh_revoke,
     .writes = true,
     .begin = bind_logout,
     .reply = reply_logout},
};
const size_t api_auth_routes_n = ARRAY_LEN(api_auth_routes);
