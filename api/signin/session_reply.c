/* Sessions, shared by endpoints; see session_reply.h. */
#include "api/signin/session_reply.h"

#include "api/core/rows.h"
#include "api/names/nickname.h"
#include "api/names/profile.h"
#include "api/signin/device.h"
#include "api/signin/revoked.h"
#include "base/bug.h"

#include <string.h>

static const char *text_or_null(const char *text)
{
    return text[0] == '\0' ? NULL : text;
}

void api_session_bind(struct api_request *request)
{
    uint8_t hash[32];
    struct api_device device;
    api_token_random(request->refresh_token);
    ASSERT(strlen(request->refresh_token) == API_TOKEN_RANDOM_MAX - 1);
    api_token_hash(request->refresh_token, hash);
    api_device_read(request->env->ports.header(request, "User-Agent"), &device);
    db_args_bytes(&request->args, hash, sizeof(hash));
    db_args_text(&request->args, text_or_null(device.app));
    db_args_text(&request->args, text_or_null(device.system));
    db_args_text(&request->args, request->address);
}

void api_session_end_rows(const struct api_request *request, const PGresult *rows)
{
    const char *at = api_row_get(rows, 0, "ended");
    for (int64_t id; (id = api_row_next_id(&at)) > 0;)
        api_revoked_add(request->env->revoked, API_ENDED_SESSIONS, id);
}

enum api_next api_session_reply(struct api_request *request, const PGresult *rows, int status)
{
    const char *code = api_row_get(rows, 0, "code");
    char token[API_TOKEN_MAX];
    api_session_end_rows(request, rows);
    if (strcmp(code, "second_factor_needed") == 0)
        request->data.challenge = request->refresh_token;
    if (api_nickname_refused(request, code, api_row_get_int(rows, 0, "nickname_changes_at")))
        return API_DONE;
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    ASSERT(request->refresh_token[0] != '\0');
    request->player_id = api_row_get_int(rows, 0, "id"); /* for the log */
    if (!api_token_make(&request->env->keys, request->player_id, api_row_get_int(rows, 0, "session_id"),
                        request->now_ms / 1000, token))
        return api_refuse(request, API_INTERNAL);
    if (status == 201)
        api_reply_location(request, "/v1/me", "");
    struct buf *out = api_reply_open(request, status);
    json_kv_text(out, "access_token", token);
    json_kv_text(out, "token_type", "Bearer");
    json_kv_num(out, "expires_in", API_TOKEN_TTL_S);
    json_kv_text(out, "refresh_token", request->refresh_token);
    if (request->device_token[0] != '\0')
        json_kv_text(out, "device_token", request->device_token);
    if (request->device_secret[0] != '\0')
        json_kv_text(out, "device_secret", request->device_secret);
    json_key(out, "player");
    json_open(out, '{');
    api_profile_write(out, rows);
    json_close(out, '}');
    json_close(out, '}');
    return API_DONE;
}

enum api_next api_session_reply_ended(struct api_request *request, const PGresult *rows)
{
    api_session_end_rows(request, rows);
    return api_row_reply_code(request, rows);
}
