/* /v1/push, /v1/me/devices, /v1/me/notification-settings: where a player is told what happens while they are
 * away, and what. What is pushed is put into the outbox by SQL (push_notifications) and sent by
 * server/outbox.c. REST loops. */
#include "api/json_reply.h"
#include "api/resources.h"
#include "api/rows.h"
#include "base/bug.h"
#include "net/outward.h"
#include "net/webpush.h"

#include <sodium.h>
#include <string.h>

/* --- GET /v1/push --- */

static enum api_next tell_key(struct api_request *request)
{
    struct buf *out = api_reply_open(request, 200);
    const char *key = request->env->push_key;
    json_kv_text(out, "webpush_key", key[0] ? key : NULL);
    json_close(out, '}');
    return API_DONE;
}

/* --- /v1/me/devices --- */

static const char *const kinds[] = {"webpush", NULL};

/* Exactly so many bytes in base64url. */
static bool read_bytes(const char *text, uint8_t *out, size_t len)
{
    size_t n = 0;
    return sodium_base642bin(out, len, text, strlen(text), NULL, &n, NULL,
                             sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
           n == len;
}

static bool valid_point(const char *text)
{
    uint8_t point[NET_WEBPUSH_POINT];
    return read_bytes(text, point, sizeof(point)) && net_webpush_point_ok(point);
}

static bool valid_auth(const char *text)
{
    uint8_t auth[NET_WEBPUSH_AUTH];
    return read_bytes(text, auth, sizeof(auth));
}

static const struct api_spec_member device_members[] = {
    {.name = "kind", .type = API_SPEC_TEXT, .required = true, .min = 1, .max = 16, .choices = kinds},
    {.name = "endpoint", .type = API_SPEC_TEXT, .required = true, .min = 10, .max = NET_OUTWARD_URL_MAX},
    {.name = "p256dh",
     .type = API_SPEC_TEXT,
     .required = true,
     .min = 87,
     .max = 87,
     .valid = valid_point,
     .fault = API_FAULT_NOT_A_POINT},
    {.name = "auth",
     .type = API_SPEC_TEXT,
     .required = true,
     .min = 22,
     .max = 22,
     .valid = valid_auth,
     .fault = API_FAULT_NOT_AN_AUTH_SECRET},
};
static const struct api_spec device_spec = {
    .members = device_members, .members_n = ARRAY_LEN(device_members), .bytes_max = 2048};
static const struct db_stmt do_device = {"do_push_device",
                                         "SELECT code, body FROM do_push_device($1, $2, $3, $4, $5, $6)", 6};

static enum api_next begin_add(struct api_request *request)
{
    const struct api_env *env = request->env;
    const char *url = request->body[1].text;
    uint8_t point[NET_WEBPUSH_POINT], auth[NET_WEBPUSH_AUTH];
    if (!env->push_key[0])
        return api_refuse(request, API_PUSH_OFF);
    if (net_outward_judge(url, env->push_plain) != NET_OUTWARD_GOOD ||
        !net_outward_host_listed(url, env->push_hosts)) {
        struct api_fault fault = {.code = API_FAULT_NOT_A_PUSH_SERVICE};
        api_fault_name(&fault, "endpoint", strlen("endpoint"));
        return api_fail_fault(request, &fault);
    }
    bool read = read_bytes(request->body[2].text, point, sizeof(point)) &&
                read_bytes(request->body[3].text, auth, sizeof(auth));
    ASSERT(read); /* the spec has looked */
    db_args_int(&request->args, request->player_id);
    db_args_int(&request->args, request->session_id);
    db_args_text(&request->args, request->body[0].text);
    db_args_text(&request->args, url);
    db_args_bytes(&request->args, point, sizeof(point));
    db_args_bytes(&request->args, auth, sizeof(auth));
    return API_QUERY;
}

static enum api_next reply_added(struct api_request *request, const PGresult *rows)
{
    return api_json_reply_created(request, rows, "/v1/me/devices/");
}

static const struct db_stmt q_devices = {"q_push_devices", "SELECT code, body FROM q_push_devices($1, $2)",
                                         2};

static enum api_next begin_list(struct api_request *request)
{
    db_args_int(&request->args, request->player_id);
    db_args_int(&request->args, request->session_id);
    return API_QUERY;
}

static const struct db_stmt do_remove = {"do_push_device_remove",
                                         "SELECT code FROM do_push_device_remove($1, $2)", 2};

static enum api_next reply_removed(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    return strcmp(code, "ok") == 0 ? api_reply_empty(request) : api_refuse_sql(request, code);
}

/* --- /v1/me/notification-settings --- */

static const struct api_spec_member settings_members[] = {
    {.name = "push_friend", .type = API_SPEC_BOOL},
    {.name = "push_season", .type = API_SPEC_BOOL},
};
static const struct api_spec settings_spec = {
    .members = settings_members, .members_n = ARRAY_LEN(settings_members), .bytes_max = 512};
static const struct db_stmt q_settings = {"q_push_settings", "SELECT code, body FROM q_push_settings($1)", 1};
static const struct db_stmt do_settings = {"do_push_settings",
                                           "SELECT code, body FROM do_push_settings($1, $2, $3)", 3};

static enum api_next begin_settings(struct api_request *request)
{
    db_args_int(&request->args, request->player_id);
    for (size_t i = 0; i < ARRAY_LEN(settings_members); i++) {
        if (request->body[i].set)
            db_args_bool(&request->args, request->body[i].flag);
        else
            db_args_null(&request->args);
    }
    return API_QUERY;
}

const struct api_route api_push_routes[] = {
    {.method = "GET",
     .path = "/v1/push",
     .id = "getPush",
     .role = API_ANYONE,
     .rate = API_RATE_READ,
     .begin = tell_key},
    {.method = "POST",
     .path = "/v1/me/devices",
     .id = "addDevice",
     .role = API_PLAYER,
     .rate = API_RATE_WRITE,
     .body = &device_spec,
     .stmt = &do_device,
     .writes = true,
     .begin = begin_add,
     .reply = reply_added},
    {.method = "GET",
     .path = "/v1/me/devices",
     .id = "listDevices",
     .role = API_PLAYER,
     .rate = API_RATE_READ,
     .stmt = &q_devices,
     .begin = begin_list,
     .reply = api_json_reply},
    {.method = "DELETE",
     .path = "/v1/me/devices/{device}",
     .id = "removeDevice",
     .role = API_PLAYER,
     .rate = API_RATE_WRITE,
     .stmt = &do_remove,
     .writes = true,
     .begin = api_bind_player_and_id,
     .reply = reply_removed},
    {.method = "GET",
     .path = "/v1/me/notification-settings",
     .id = "getNotificationSettings",
     .role = API_PLAYER,
     .rate = API_RATE_READ,
     .stmt = &q_settings,
     .begin = api_bind_player,
     .reply = api_json_reply},
    {.method = "PATCH",
     .path = "/v1/me/notification-settings",
     .id = "changeNotificationSettings",
     .role = API_PLAYER,
     .rate = API_RATE_WRITE,
     .body = &settings_spec,
     .stmt = &do_settings,
     .writes = true,
     .begin = begin_settings,
     .reply = api_json_reply},
};
const size_t api_push_routes_n = ARRAY_LEN(api_push_routes);
