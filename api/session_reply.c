/* What the endpoints share about sessions; see session_reply.h. */
#include "api/session_reply.h"

#include "api/profile.h"
#include "api/rows.h"
#include "base/bug.h"

#include <sodium.h>
#include <string.h>

void api_session_bind(struct api_request *request)
{
    uint8_t hash[32], family[16];
    api_token_random(request->refresh_token);
    ASSERT(strlen(request->refresh_token) == API_TOKEN_RANDOM_MAX - 1);
    api_token_hash(request->refresh_token, hash);
    randombytes_buf(family, sizeof(family));
    db_args_bytes(&request->args, hash, sizeof(hash));
    db_args_uuid(&request->args, family);
}

enum api_next api_session_reply(struct api_request *request, const PGresult *rows, int status)
{
    const char *code = api_row_get(rows, 0, "code");
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    char token[API_TOKEN_MAX];
    ASSERT(request->refresh_token[0] != '\0');
    request->player_id = api_row_get_int(rows, 0, "id"); /* who it was, for the log */
    if (!api_token_make(&request->env->keys, request->player_id, request->now_ms / 1000, token))
        return api_refuse(request, API_INTERNAL);
    struct buf *out = api_reply_open(request, status);
    json_kv_text(out, "access_token", token);
    json_kv_text(out, "token_type", "Bearer");
    json_kv_num(out, "expires_in", API_TOKEN_TTL_S);
    json_kv_text(out, "refresh_token", request->refresh_token);
    if (request->device_token[0] != '\0')
        json_kv_text(out, "device_token", request->device_token);
    json_key(out, "player");
    json_open(out, '{');
    api_profile_write(out, rows);
    json_close(out, '}');
    json_close(out, '}');
    return API_DONE;
}
