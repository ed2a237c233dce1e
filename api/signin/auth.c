/* /v1/auth: sessions for guests and new accounts, refresh, logout, and the upgrade of a guest to an
 * account. REST loops; passwords are hashed on workers. Login: login.c. */
#include "api/core/operations.h"
#include "api/core/origin.h"
#include "api/core/rows.h"
#include "api/names/nickname.h"
#include "api/names/profile.h"
#include "api/signin/known_device.h"
#include "api/signin/password_rules.h"
#include "api/signin/session_reply.h"
#include "base/bug.h"
#include "mail/template.h"

#define AVATAR_NONE ""

static enum api_next reply_session(struct api_request *request, const PGresult *rows)
{
    return api_session_reply(request, rows, 200);
}

/* --- POST /v1/auth/guest --- */

static const struct db_stmt do_enter_guest = {
    "do_enter_guest", "SELECT * FROM do_enter_guest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)", 10};

/* Only the server chooses the secret, because a value made up by a device, or shared by all devices of a
 * model, does not identify a player. */
static void bind_device(struct api_request *request)
{
    uint8_t hash[32];
    const struct api_spec_value *secret = &request->body[GUEST_REQUEST_DEVICE_SECRET];
    if (secret->set) {
        api_token_hash(secret->text, hash);
        db_args_bytes(&request->args, hash, sizeof(hash));
        api_token_next(&request->env->keys, "device", secret->text, request->device_secret);
    } else {
        db_args_null(&request->args);
        api_token_random(request->device_secret);
    }
    api_token_hash(request->device_secret, hash);
    db_args_bytes(&request->args, hash, sizeof(hash));
}

/* Binds the language of emails and notifications to a new player. */
static void bind_language(struct api_request *request)
{
    db_args_text(&request->args, mail_language_of(request->env->ports.header(request, "Accept-Language")));
}

static enum api_next bind_guest(struct api_request *request)
{
    bind_device(request);
    api_nickname_bind_new(request, request->body[GUEST_REQUEST_NICKNAME].text);
    db_args_text(&request->args, AVATAR_NONE);
    api_session_bind(request);
    bind_language(request);
    api_origin_bind(request);
    return API_QUERY;
}

/* --- POST /v1/auth/register --- */

/* Both bodies have these members. */
enum {
    EMAIL = REGISTER_REQUEST_EMAIL,
    PASSWORD = REGISTER_REQUEST_PASSWORD,
    NICKNAME = REGISTER_REQUEST_NICKNAME,
    INVITE = REGISTER_REQUEST_INVITE_CODE,
    DEVICE = REGISTER_REQUEST_DEVICE_TOKEN
};
_Static_assert((int)EMAIL == (int)UPGRADE_REQUEST_EMAIL && (int)PASSWORD == (int)UPGRADE_REQUEST_PASSWORD &&
                   (int)NICKNAME == (int)UPGRADE_REQUEST_NICKNAME &&
                   (int)INVITE == (int)UPGRADE_REQUEST_INVITE_CODE &&
                   (int)DEVICE == (int)UPGRADE_REQUEST_DEVICE_TOKEN,
               "the same places");

static const struct db_stmt do_enter_registered = {
    "do_enter_registered",
    "SELECT * FROM do_enter_registered($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)", 13};

static bool admit_password(struct api_request *request, const char *nickname)
{
    const char *password = request->body[PASSWORD].text;
    return api_password_admit(request, "password",
                              api_password_judge(password, request->body[EMAIL].text, nickname));
}

static void hash_password(struct api_request *request)
{
    ASSERT(request->body[PASSWORD].set);
    request->password_ok = api_password_hash(request->body[PASSWORD].text, request->password_hash);
}

static enum api_next reply_registered(struct api_request *request, const PGresult *rows)
{
    return api_session_reply(request, rows, 201);
}

static enum api_next bind_registered(struct api_request *request, const PGresult *none)
{
    (void)none;
    if (!request->password_ok)
        return api_refuse(request, API_BUSY); /* no memory for argon2 */
    ASSERT(request->password_hash[0] == '$'); /* the stored value is never the password itself */
    db_args_text(&request->args, request->body[EMAIL].text);
    db_args_text(&request->args, request->password_hash);
    api_nickname_bind_new(request, request->body[NICKNAME].text);
    db_args_text(&request->args, AVATAR_NONE);
    db_args_text(&request->args, request->body[INVITE].text);
    api_known_device_bind_next(request, &request->body[DEVICE]);
    api_session_bind(request);
    bind_language(request);
    api_origin_bind(request);
    return api_query(request, &do_enter_registered, true, reply_registered);
}

static enum api_next begin_register(struct api_request *request)
{
    if (!admit_password(request, request->body[NICKNAME].text))
        return API_DONE;
    return api_work(request, hash_password, bind_registered);
}

/* --- POST /v1/auth/upgrade: a guest becomes an account --- */

static const struct db_stmt do_enter_upgraded = {
    "do_enter_upgraded", "SELECT * FROM do_enter_upgraded($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)", 11};

/* The guest's current nickname. */
static const struct db_stmt nickname_of_guest = {"nickname_of_guest",
                                                 "SELECT nickname FROM players WHERE id = $1", 1};

static enum api_next bind_upgraded(struct api_request *request, const PGresult *none)
{
    (void)none;
    if (!request->password_ok)
        return api_refuse(request, API_BUSY);
    ASSERT(request->player_id > 0 && request->password_hash[0] == '$');
    db_args_int(&request->args, request->player_id);
    db_args_text(&request->args, request->body[EMAIL].text);
    db_args_text(&request->args, request->password_hash);
    api_nickname_bind(request, request->body[NICKNAME].text);
    db_args_text(&request->args, request->body[INVITE].text);
    api_known_device_bind_next(request, &request->body[DEVICE]);
    api_session_bind(request);
    return api_query(request, &do_enter_upgraded, true, reply_session);
}

static enum api_next hash_upgraded(struct api_request *request, const char *nickname)
{
    if (!admit_password(request, nickname))
        return API_DONE;
    return api_work(request, hash_password, bind_upgraded);
}

static enum api_next after_nickname(struct api_request *request, const PGresult *rows)
{
    return hash_upgraded(request, PQntuples(rows) > 0 ? api_row_get(rows, 0, "nickname") : NULL);
}

static enum api_next begin_upgrade(struct api_request *request)
{
    if (request->body[NICKNAME].set)
        return hash_upgraded(request, request->body[NICKNAME].text);
    db_args_int(&request->args, request->player_id);
    return api_query(request, &nickname_of_guest, false, after_nickname);
}

/* --- POST /v1/auth/refresh --- */

static const struct db_stmt do_enter_refresh = {"do_enter_refresh",
                                                "SELECT * FROM do_enter_refresh($1, $2, $3)", 3};
static enum api_next bind_refresh(struct api_request *request)
{
    uint8_t hash[32];
    api_token_hash(request->body[REFRESH_REQUEST_REFRESH_TOKEN].text, hash);
    db_args_bytes(&request->args, hash, sizeof(hash));
    api_token_next(&request->env->keys, "refresh", request->body[REFRESH_REQUEST_REFRESH_TOKEN].text,
                   request->refresh_token);
    api_token_hash(request->refresh_token, hash);
    db_args_bytes(&request->args, hash, sizeof(hash));
    db_args_text(&request->args, request->address);
    return API_QUERY;
}

API_OPERATION(enterAsGuest) = {
    .stmt = &do_enter_guest, .writes = true, .begin = bind_guest, .reply = reply_session};
API_OPERATION(register) = {.computes = true, .begin = begin_register};
API_OPERATION(upgrade) = {.computes = true, .begin = begin_upgrade};
API_OPERATION(refresh) = {
    .stmt = &do_enter_refresh, .writes = true, .begin = bind_refresh, .reply = reply_session};
