/* /v1/auth: entering as guest or with an account, staying, leaving, a guest's way to an account. REST loops;
 * passwords are hashed and compared on workers. */
#include "api/form.h"
#include "api/profile.h"
#include "api/resources.h"
#include "api/rows.h"
#include "base/bug.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define BODY_MAX 2048
#define AVATAR_NONE ""

/* --- what the sessions share --- */

/* Makes a refresh token, kept in the call for the answer, and binds its hash. */
static void bind_refresh_token(struct api_call *call)
{
    uint8_t hash[32];
    token_random(call->refresh_token);
    token_hash(call->refresh_token, hash);
    db_args_bytes(&call->args, hash, sizeof(hash));
}

static void bind_family(struct api_call *call)
{
    uint8_t family[16];
    randombytes_buf(family, sizeof(family));
    db_args_uuid(&call->args, family);
}

static enum api_next write_session(struct api_call *call, const PGresult *rows, int status)
{
    const char *code = row_get(rows, 0, "code");
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(call, code);
    char token[TOKEN_MAX];
    if (!token_make(&call->env->keys, row_get_int(rows, 0, "id"), call->now_ms / 1000, token))
        return api_refuse(call, API_INTERNAL);
    struct buf *out = api_reply_json(call, status);
    json_kv_text(out, "access_token", token);
    json_kv_text(out, "token_type", "Bearer");
    json_kv_num(out, "expires_in", TOKEN_TTL_S);
    json_kv_text(out, "refresh_token", call->refresh_token);
    json_key(out, "player");
    json_open(out, '{');
    profile_write(out, rows);
    json_close(out, '}');
    json_close(out, '}');
    return API_DONE;
}

static enum api_next reply_session(struct api_call *call, const PGresult *rows)
{
    return write_session(call, rows, 200);
}

static enum api_next query(struct api_call *call, const struct db_stmt *stmt, bool writes,
                           enum api_next (*then)(struct api_call *, const PGresult *))
{
    call->stmt = stmt;
    call->writes = writes;
    call->then = then;
    return API_QUERY;
}

static enum api_next work(struct api_call *call, void (*job)(struct api_call *),
                          enum api_next (*then)(struct api_call *, const PGresult *))
{
    call->work = job;
    call->then = then;
    return API_WORK;
}

/* --- POST /v1/auth/guest --- */

static const struct spec_member guest_members[] = {
    {.name = "device_id",
     .type = SPEC_TEXT,
     .required = true,
     .min = 16,
     .max = 64,
     .form = form_token,
     .form_is = "must be of letters, digits, - and _"},
    PROFILE_NICKNAME(false),
};
static const struct spec guest_spec = {guest_members, ARRAY_LEN(guest_members), BODY_MAX, false};

static const struct db_stmt do_enter_guest = {"do_enter_guest",
                                              "SELECT * FROM do_enter_guest($1, $2, $3, $4, $5)", 5};

static enum api_next bind_guest(struct api_call *call)
{
    uint8_t hash[32];
    char nickname[32];
    token_hash(call->body[0].text, hash);
    (void)snprintf(nickname, sizeof(nickname), "Guest %04u", randombytes_uniform(10000));
    db_args_bytes(&call->args, hash, sizeof(hash));
    db_args_text(&call->args, call->body[1].set ? call->body[1].text : nickname);
    db_args_text(&call->args, AVATAR_NONE);
    bind_refresh_token(call);
    bind_family(call);
    return API_QUERY;
}

/* --- POST /v1/auth/register --- */

#define MEMBER_EMAIL                                                                                         \
    {                                                                                                        \
        .name = "email", .type = SPEC_TEXT, .required = true, .min = 3, .max = 254, .form = form_email,      \
        .form_is = "must be an e-mail address"                                                               \
    }
#define MEMBER_PASSWORD                                                                                      \
    {                                                                                                        \
        .name = "password", .type = SPEC_TEXT, .required = true, .min = 8, .max = 128                        \
    }

enum { EMAIL, PASSWORD, NICKNAME, INVITE }; /* places in call->body */

static const struct spec_member register_members[] = {MEMBER_EMAIL, MEMBER_PASSWORD, PROFILE_NICKNAME(true),
                                                      INVITE_CODE("invite_code", false)};
static const struct spec register_spec = {register_members, ARRAY_LEN(register_members), BODY_MAX, false};

static const struct db_stmt do_enter_registered = {
    "do_enter_registered", "SELECT * FROM do_enter_registered($1, $2, $3, $4, $5, $6, $7)", 7};

static void hash_password(struct api_call *call)
{
    call->password_ok = password_hash(call->body[PASSWORD].text, call->password_hash);
}

static enum api_next reply_registered(struct api_call *call, const PGresult *rows)
{
    return write_session(call, rows, 201);
}

static enum api_next bind_registered(struct api_call *call, const PGresult *none)
{
    (void)none;
    if (!call->password_ok)
        return api_refuse(call, API_BUSY); /* no memory for argon2 */
    db_args_text(&call->args, call->body[EMAIL].text);
    db_args_text(&call->args, call->password_hash);
    db_args_text(&call->args, call->body[NICKNAME].text);
    db_args_text(&call->args, AVATAR_NONE);
    bind_refresh_token(call);
    bind_family(call);
    db_args_text(&call->args, call->body[INVITE].text);
    return query(call, &do_enter_registered, true, reply_registered);
}

static enum api_next begin_register(struct api_call *call)
{
    return work(call, hash_password, bind_registered);
}

/* --- POST /v1/auth/upgrade: a guest becomes an account --- */

static const struct spec_member upgrade_members[] = {MEMBER_EMAIL, MEMBER_PASSWORD, PROFILE_NICKNAME(false),
                                                     INVITE_CODE("invite_code", false)};
static const struct spec upgrade_spec = {upgrade_members, ARRAY_LEN(upgrade_members), BODY_MAX, false};

static const struct db_stmt do_enter_upgraded = {
    "do_enter_upgraded", "SELECT * FROM do_enter_upgraded($1, $2, $3, $4, $5, $6, $7)", 7};

static enum api_next bind_upgraded(struct api_call *call, const PGresult *none)
{
    (void)none;
    if (!call->password_ok)
        return api_refuse(call, API_BUSY);
    db_args_int(&call->args, call->player_id);
    db_args_text(&call->args, call->body[EMAIL].text);
    db_args_text(&call->args, call->password_hash);
    db_args_text(&call->args, call->body[NICKNAME].text);
    bind_refresh_token(call);
    bind_family(call);
    db_args_text(&call->args, call->body[INVITE].text);
    return query(call, &do_enter_upgraded, true, reply_session);
}

static enum api_next begin_upgrade(struct api_call *call)
{
    return work(call, hash_password, bind_upgraded);
}

/* --- POST /v1/auth/login --- */

static const struct spec_member login_members[] = {MEMBER_EMAIL, MEMBER_PASSWORD};
static const struct spec login_spec = {login_members, ARRAY_LEN(login_members), BODY_MAX, false};

static const struct db_stmt q_login = {"q_login", "SELECT * FROM q_login($1, $2)", 2};
static const struct db_stmt do_login_failed = {"do_login_failed", "SELECT do_login_failed($1, $2)", 2};
static const struct db_stmt do_enter_login = {"do_enter_login",
                                              "SELECT * FROM do_enter_login($1, $2, $3, $4)", 4};

static enum api_next bind_login(struct api_call *call)
{
    db_args_text(&call->args, call->body[EMAIL].text);
    db_args_text(&call->args, call->address);
    return API_QUERY;
}

static void compare_password(struct api_call *call)
{
    call->password_ok = password_fits(call->body[PASSWORD].text, call->password_hash);
}

static enum api_next reply_login_failed(struct api_call *call, const PGresult *none)
{
    (void)none;
    return api_refuse(call, API_BAD_CREDENTIALS);
}

static enum api_next after_comparison(struct api_call *call, const PGresult *none)
{
    (void)none;
    if (!call->password_ok) {
        db_args_text(&call->args, call->body[EMAIL].text);
        db_args_text(&call->args, call->address);
        return query(call, &do_login_failed, true, reply_login_failed);
    }
    if (call->banned) /* said only to who knows the password */
        return api_refuse(call, API_ACCOUNT_BANNED);
    db_args_text(&call->args, call->body[EMAIL].text);
    db_args_int(&call->args, call->player_id);
    bind_refresh_token(call);
    bind_family(call);
    return query(call, &do_enter_login, true, reply_session);
}

static enum api_next reply_locked_out(struct api_call *call, const char *code, int64_t retry_s)
{
    call->retry_after_s = retry_s;
    bool account = strcmp(code, "account_locked") == 0;
    return api_fail(call, API_LOCKED_OUT, "Too many failed attempts %s: wait %lld s.",
                    account ? "for this account" : "from this address", (long long)retry_s);
}

static enum api_next after_login_row(struct api_call *call, const PGresult *rows)
{
    const char *code = row_get(rows, 0, "code");
    if (strcmp(code, "account_locked") == 0 || strcmp(code, "address_locked") == 0)
        return reply_locked_out(call, code, row_get_int(rows, 0, "retry_s"));
    const char *hash = row_get(rows, 0, "password_hash"); /* NULL: no such account; compared all the same */
    (void)snprintf(call->password_hash, sizeof(call->password_hash), "%s", hash ? hash : "");
    call->banned = strcmp(code, "banned") == 0;
    call->player_id = row_get_int(rows, 0, "player_id");
    return work(call, compare_password, after_comparison);
}

/* --- POST /v1/auth/refresh, /v1/auth/logout --- */

static const struct spec_member refresh_members[] = {
    {.name = "refresh_token", .type = SPEC_TEXT, .required = true, .min = 20, .max = 128},
};
static const struct spec refresh_spec = {refresh_members, ARRAY_LEN(refresh_members), BODY_MAX, false};

static const struct db_stmt do_enter_refresh = {"do_enter_refresh", "SELECT * FROM do_enter_refresh($1, $2)",
                                                2};
static const struct db_stmt do_refresh_revoke = {"do_refresh_revoke", "SELECT * FROM do_refresh_revoke($1)",
                                                 1};

static enum api_next bind_logout(struct api_call *call)
{
    uint8_t hash[32];
    token_hash(call->body[0].text, hash);
    db_args_bytes(&call->args, hash, sizeof(hash));
    return API_QUERY;
}

static enum api_next bind_refresh(struct api_call *call)
{
    (void)bind_logout(call);
    bind_refresh_token(call);
    return API_QUERY;
}

static enum api_next reply_logout(struct api_call *call, const PGresult *rows)
{
    (void)rows; /* whether the token was known is not told */
    return api_reply_empty(call);
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
