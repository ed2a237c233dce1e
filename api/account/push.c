/* /v1/push, /v1/me/devices, /v1/me/notification-settings: devices that receive push notifications while a
 * player is away, and the kinds that they receive. SQL puts notifications into the outbox
 * (push_notifications), and server/outbound/outbox.c sends them. REST loops. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/route.h"
#include "base/bug.h"
#include "base/text.h"
#include "net/outbound.h"
#include "net/webpush.h"

#include <stdio.h>
#include <string.h>

/* --- GET /v1/push --- */

enum { KIND_MAX = 32 };

static bool is_on(const struct api_env *env, const char *kind)
{
    return strstr(env->push_kinds, kind) != NULL;
}

static enum api_next tell_key(struct api_request *request)
{
    struct buf *out = api_reply_open(request, 200);
    const char *key = request->env->push_key;
    char kind[KIND_MAX];
    json_kv_text(out, "webpush_key", key[0] ? key : NULL);
    json_key(out, "kinds");
    json_open(out, '[');
    for (const char *at = request->env->push_kinds; *at; at += strlen(kind) + 1) {
        (void)snprintf(kind, sizeof(kind), "%.*s", (int)strcspn(at, " "), at);
        json_text(out, kind);
    }
    json_close(out, ']');
    json_close(out, '}');
    return API_DONE;
}

/* --- /v1/me/devices --- */

static const struct db_stmt do_device = {"do_push_device",
                                         "SELECT code, body FROM do_push_device($1, $2, $3, $4, $5, $6)", 6};

static void fail_member(struct api_request *request, int member, enum api_fault_code code)
{
    struct api_fault fault = {.code = code};
    const char *name = request->route->body->members[member].name;
    api_fault_name(&fault, name, strlen(name));
    (void)api_fail_fault(request, &fault);
}

/* A browser has an endpoint and two keys, an app has a token. Reports missing and unexpected members. */
static bool check_members(struct api_request *request, bool web)
{
    bool ok = true;
    for (int i = DEVICE_REQUEST_ENDPOINT; i <= DEVICE_REQUEST_TOKEN; i++) {
        bool wanted = web == (i != DEVICE_REQUEST_TOKEN);
        if (request->body[i].set == wanted)
            continue;
        fail_member(request, i, wanted ? API_FAULT_MISSING : API_FAULT_UNKNOWN);
        ok = false;
    }
    return ok;
}

static void bind_keys(struct api_request *request, bool web)
{
    uint8_t point[NET_WEBPUSH_POINT], auth[NET_WEBPUSH_AUTH];
    if (!web) {
        db_args_null(&request->args);
        db_args_null(&request->args);
        return;
    }
    const char *point_text = request->body[DEVICE_REQUEST_P256DH].text;
    const char *auth_text = request->body[DEVICE_REQUEST_AUTH].text;
    int point_len = text_unb64url(point, sizeof(point), point_text, strlen(point_text));
    int auth_len = text_unb64url(auth, sizeof(auth), auth_text, strlen(auth_text));
    ASSERT(point_len == sizeof(point) && auth_len == sizeof(auth)); /* the spec has checked the lengths */
    db_args_bytes(&request->args, point, sizeof(point));
    db_args_bytes(&request->args, auth, sizeof(auth));
}

static enum api_next begin_add(struct api_request *request)
{
    const struct api_env *env = request->env;
    const char *kind = request->body[DEVICE_REQUEST_KIND].text;
    bool web = strcmp(kind, "webpush") == 0;
    if (!check_members(request, web))
        return API_DONE;
    if (!is_on(env, kind))
        return api_refuse(request, API_PUSH_OFF);
    const char *address = request->body[web ? DEVICE_REQUEST_ENDPOINT : DEVICE_REQUEST_TOKEN].text;
    if (web && (net_outbound_judge(address, env->push_plain) != NET_OUTBOUND_GOOD ||
                !net_outbound_host_listed(address, env->push_hosts))) {
        fail_member(request, DEVICE_REQUEST_ENDPOINT, API_FAULT_NOT_A_PUSH_SERVICE);
        return API_DONE;
    }
    db_args_int(&request->args, request->player_id);
    db_args_int(&request->args, request->session_id);
    db_args_text(&request->args, kind);
    db_args_text(&request->args, address);
    bind_keys(request, web);
    return API_QUERY;
}

/* --- /v1/me/notification-settings --- */

static const struct db_stmt do_settings = {"do_push_settings",
                                           "SELECT code, body FROM do_push_settings($1, $2, $3)", 3};

/* Binds the names of the settings to turn on or off. */
static void bind_settings(struct api_request *request, bool wanted)
{
    struct db_slice names[API_SPEC_MEMBERS_MAX];
    const struct api_spec *spec = request->route->body;
    size_t n = 0;
    for (size_t i = 0; i < spec->members_n; i++) {
        const char *name = spec->members[i].name;
        if (request->body[i].set && request->body[i].flag == wanted)
            names[n++] = (struct db_slice){name, strlen(name)};
    }
    db_args_text_array(&request->args, names, n);
}

static enum api_next begin_settings(struct api_request *request)
{
    db_args_int(&request->args, request->player_id);
    bind_settings(request, true);
    bind_settings(request, false);
    return API_QUERY;
}

API_OPERATION(getPush) = {.begin = tell_key};
API_OPERATION(addDevice) = {.stmt = &do_device, .writes = true, .begin = begin_add, .reply = api_json_reply};
API_OPERATION(changeNotificationSettings) = {
    .stmt = &do_settings, .writes = true, .begin = begin_settings, .reply = api_json_reply};
