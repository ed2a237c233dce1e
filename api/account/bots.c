/* Tokens of bot accounts (/v1/me/bots/{bot}/tokens), and POST /v1/auth/token, where a program exchanges a
 * token for access tokens. The database stores only a token's hash. The token is derived from the request,
 * so that repeating a request without a response returns the same token. REST loops. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/core/scopes.h"
#include "api/signin/device.h"
#include "base/bug.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define TOKEN_PREFIX "rbt_"
#define TOKEN_SHOWN 10 /* number of characters stored to identify it */

enum { TOKEN_LEN = sizeof(TOKEN_PREFIX) - 1 + API_TOKEN_RANDOM_MAX - 1 };
_Static_assert((int)TOKEN_ENTRY_TOKEN_MAX == TOKEN_LEN && (int)BOT_TOKEN_REQUEST_SCOPES_MAX == API_SCOPES_N,
               "values fit");

/* --- their tokens --- */

static const struct db_stmt do_bot_token_make = {
    "do_bot_token_make",
    "SELECT code, body, " API_REPEATED " FROM do_bot_token_make($1, $2, $3, $4, $5, $6, $7, $8, $9)", 9};

/* Derives the token from the player, the bot, and the Idempotency-Key, so that a repeat gets the same one. */
static void new_token(const struct api_request *request, char out[TOKEN_LEN + 1])
{
    char of[API_PARAM_MAX + 128], random[API_TOKEN_RANDOM_MAX];
    (void)snprintf(of, sizeof(of), "%lld %s %s", (long long)request->player_id, request->params[0],
                   request->idempotency_key);
    api_token_next(&request->env->keys, "bot token", of, random);
    (void)snprintf(out, TOKEN_LEN + 1, "%s%s", TOKEN_PREFIX, random);
    sodium_memzero(random, sizeof(random));
}

static void bind_scopes(struct api_request *request)
{
    struct db_slice words[API_SCOPES_N];
    const json_t *list = request->body[BOT_TOKEN_REQUEST_SCOPES].object;
    size_t n = json_array_size(list);
    ASSERT(n <= ARRAY_LEN(words));
    for (size_t i = 0; i < n; i++) {
        const char *word = json_string_value(json_array_get(list, i));
        words[i] = (struct db_slice){word, strlen(word)};
    }
    db_args_text_array(&request->args, words, n);
}

static enum api_next bind_token(struct api_request *request)
{
    char token[TOKEN_LEN + 1];
    uint8_t hash[32];
    if (api_bind_player_and_id(request) == API_DONE)
        return API_DONE;
    api_bind_idempotency(request);
    db_args_text(&request->args, request->body[BOT_TOKEN_REQUEST_NAME].text);
    bind_scopes(request);
    db_args_int(&request->args, request->body[BOT_TOKEN_REQUEST_EXPIRES_IN_DAYS].number);
    new_token(request, token);
    api_token_hash(token, hash);
    db_args_bytes(&request->args, hash, sizeof(hash));
    db_args_text_n(&request->args, token, TOKEN_SHOWN);
    sodium_memzero(token, sizeof(token));
    return API_QUERY;
}

/* Replies with the token's row and its text. The text is null if the server's secret changed before a
 * repeat, because then the derived value differs. */
static enum api_next reply_token(struct api_request *request, const PGresult *rows)
{
    if (strcmp(api_row_get(rows, 0, "code"), "ok") != 0)
        return api_json_reply(request, rows);
    char token[TOKEN_LEN + 1], path[64 + API_PARAM_MAX];
    json_t *body = json_loads(api_row_get(rows, 0, "body"), 0, NULL);
    const char *prefix = json_string_value(json_object_get(body, "prefix"));
    const char *id = json_string_value(json_object_get(body, "id"));
    if (!prefix || !id) {
        json_decref(body);
        return api_refuse(request, API_INTERNAL);
    }
    new_token(request, token);
    bool same = strncmp(prefix, token, TOKEN_SHOWN) == 0;
    (void)snprintf(path, sizeof(path), "/v1/me/bots/%s/tokens/", request->params[0]);
    api_reply_location(request, path, id);
    struct buf *out = api_reply_open(request, 201);
    json_key(out, "secret");
    if (same)
        json_text(out, token);
    else
        json_nil(out);
    json_key(out, "token");
    json_raw(out, api_row_get(rows, 0, "body"));
    json_close(out, '}');
    sodium_memzero(token, sizeof(token));
    json_decref(body);
    return API_DONE;
}

/* --- POST /v1/auth/token --- */

static const struct db_stmt do_enter_bot = {
    "do_enter_bot",
    "SELECT code, player_id, session_id, scopes, expires_s, body FROM do_enter_bot($1, $2, $3, $4)", 4};

static enum api_next bind_enter(struct api_request *request)
{
    uint8_t hash[32];
    struct api_device device;
    api_token_hash(request->body[TOKEN_ENTRY_TOKEN].text, hash);
    api_device_read(request->env->ports.header(request, "User-Agent"), &device);
    db_args_bytes(&request->args, hash, sizeof(hash));
    db_args_text(&request->args, device.app[0] ? device.app : NULL);
    db_args_text(&request->args, device.system[0] ? device.system : NULL);
    db_args_text(&request->args, request->address);
    return API_QUERY;
}

static void write_scopes(struct buf *out, uint8_t scopes)
{
    json_key(out, "scopes");
    json_open(out, '[');
    for (size_t i = 0; api_scope_words[i]; i++)
        if (scopes & api_scopes_of(api_scope_words[i]))
            json_text(out, api_scope_words[i]);
    json_close(out, ']');
}

static enum api_next reply_enter(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    char token[API_TOKEN_MAX];
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    int64_t left_s = api_row_get_int(rows, 0, "expires_s");
    struct api_token_claims claims = {
        .player_id = api_row_get_int(rows, 0, "player_id"),
        .session_id = api_row_get_int(rows, 0, "session_id"),
        .exp_s = request->now_ms / 1000 + (left_s < API_TOKEN_TTL_S ? left_s : API_TOKEN_TTL_S),
        .scopes = api_scopes_of(api_row_get(rows, 0, "scopes")),
    };
    ASSERT(claims.scopes != 0 && !(claims.scopes & API_SCOPE_ACCOUNT));
    request->player_id = claims.player_id; /* for the log */
    if (!api_token_make_as(&request->env->keys, &claims, request->now_ms / 1000, token))
        return api_refuse(request, API_INTERNAL);
    struct buf *out = api_reply_open(request, 200);
    json_kv_text(out, "access_token", token);
    json_kv_text(out, "token_type", "Bearer");
    json_kv_num(out, "expires_in", claims.exp_s - request->now_ms / 1000);
    write_scopes(out, claims.scopes);
    json_key(out, "player");
    json_raw(out, api_row_get(rows, 0, "body"));
    json_close(out, '}');
    return API_DONE;
}

API_OPERATION(enterWithToken) = {
    .stmt = &do_enter_bot, .writes = true, .begin = bind_enter, .reply = reply_enter};
API_OPERATION(makeBotToken) = {
    .stmt = &do_bot_token_make, .writes = true, .begin = bind_token, .reply = reply_token};
