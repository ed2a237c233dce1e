/* /v1/admin/keys: the API keys of operators and their programs. The database stores only hashes. A new
 * secret is derived from the request, so that a repeat after a lost response returns the same secret. REST
 * loops. */
#include "api/admin/admin.h"

#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "api/core/token.h"
#include "base/bug.h"
#include "base/text.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

_Static_assert(API_KEY_REQUEST_DAYS_MAX == API_KEY_DAYS_MAX, "as rummyd api-key");

enum { SECRET_MAX = sizeof(API_KEY_PREFIX) - 1 + API_TOKEN_RANDOM_MAX };

/* --- new secrets --- */

/* Derives the secret from the caller's key and the Idempotency-Key, so that a repeat gets the same one. */
static void new_secret(const struct api_request *request, char out[SECRET_MAX])
{
    char caller[2 * sizeof(request->key_hash) + 1], of[sizeof(caller) + 128], random[API_TOKEN_RANDOM_MAX];
    text_hex(caller, request->key_hash, sizeof(request->key_hash));
    (void)snprintf(of, sizeof(of), "%s %s", caller, request->idempotency_key);
    api_token_next(&request->env->keys, "api key", of, random);
    (void)snprintf(out, SECRET_MAX, "%s%s", API_KEY_PREFIX, random);
    sodium_memzero(random, sizeof(random));
}

static enum api_next bind_secret(struct api_request *request)
{
    char secret[SECRET_MAX];
    uint8_t hash[32];
    new_secret(request, secret);
    api_token_hash(secret, hash);
    db_args_bytes(&request->args, hash, sizeof(hash));
    db_args_text_n(&request->args, secret, API_KEY_SHOWN);
    sodium_memzero(secret, sizeof(secret));
    return API_QUERY;
}

/* Replies with the key's row and its secret. The secret is null if the server's secret changed before a
 * repeat, because then the derived value differs. */
static enum api_next reply_secret(struct api_request *request, const PGresult *rows, int status)
{
    if (strcmp(api_row_get(rows, 0, "code"), "ok") != 0)
        return api_json_reply(request, rows);
    char secret[SECRET_MAX];
    json_t *body = json_loads(api_row_get(rows, 0, "body"), 0, NULL);
    const char *prefix = json_string_value(json_object_get(body, "prefix"));
    const char *id = json_string_value(json_object_get(body, "id"));
    if (!prefix || !id) {
        json_decref(body);
        return api_refuse(request, API_INTERNAL);
    }
    new_secret(request, secret);
    ASSERT(strlen(prefix) == API_KEY_SHOWN);
    bool same = strncmp(prefix, secret, API_KEY_SHOWN) == 0;
    if (status == 201)
        api_reply_location(request, "/v1/admin/keys/", id);
    struct buf *out = api_reply_open(request, status);
    json_key(out, "secret");
    if (same)
        json_text(out, secret);
    else
        json_nil(out);
    json_key(out, "key");
    json_raw(out, api_row_get(rows, 0, "body"));
    json_close(out, '}');
    sodium_memzero(secret, sizeof(secret));
    json_decref(body);
    return API_DONE;
}

/* --- POST /v1/admin/keys --- */

static const struct db_stmt do_make = {"do_admin_make_key",
                                       "SELECT code, body, " API_REPEATED
                                       " FROM do_admin_make_key($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
                                       10};

static enum api_next bind_make(struct api_request *request)
{
    (void)api_admin_bind_key(request);
    api_bind_idempotency(request);
    api_admin_bind_body(request);
    return bind_secret(request);
}

static enum api_next reply_make(struct api_request *request, const PGresult *rows)
{
    return reply_secret(request, rows, 201);
}

/* --- POST /v1/admin/keys/{api_key}/rotate and /revoke --- */

static const struct db_stmt do_rotate = {
    "do_admin_rotate_key",
    "SELECT code, body, " API_REPEATED " FROM do_admin_rotate_key($1, $2, $3, $4, $5, $6, $7)", 7};

static enum api_next bind_rotate(struct api_request *request)
{
    return api_admin_bind_action(request) == API_DONE ? API_DONE : bind_secret(request);
}

static enum api_next reply_rotate(struct api_request *request, const PGresult *rows)
{
    return reply_secret(request, rows, 200);
}

API_OPERATION(makeKey) = {.stmt = &do_make, .writes = true, .begin = bind_make, .reply = reply_make};
API_OPERATION(rotateKey) = {.stmt = &do_rotate, .writes = true, .begin = bind_rotate, .reply = reply_rotate};
