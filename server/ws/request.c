/* Parses a request; see request.h. */
#include "server/ws/request.h"

#include <stdio.h>
#include <string.h>

#include "base/bug.h"
#include "base/text.h"
#include "server/edge/origin.h"
#include "server/operations/metrics.h"
#include "server/operations/security_log.h"
#include "server/ws/ticket_protocol.h"

enum { NUMBER_MAX = 24 };

static bool refuse(struct srv_refusal *why, enum api_code code, const char *header, enum api_fault_code fault)
{
    *why = (struct srv_refusal){.code = code, .fault = fault};
    (void)snprintf(why->name, sizeof(why->name), "%s", header);
    return false;
}

static bool refuse_code(struct srv_refusal *why, enum api_code code)
{
    return refuse(why, code, "", API_FAULT_NONE);
}

/* ---- The target ---- */
static struct srv_head_text path_of(struct srv_head_text target)
{
    const char *query = memchr(target.text, '?', target.len);
    return (struct srv_head_text){target.text, query ? (size_t)(query - target.text) : target.len};
}

static bool is_text(struct srv_head_text text, const char *wanted)
{
    return text.len == strlen(wanted) && memcmp(text.text, wanted, text.len) == 0;
}

bool srv_ws_request_has_path(const char *head, size_t n, const char *path)
{
    return is_text(path_of(srv_head_target(head, n)), path);
}

/* false: the text does not fit. */
static bool copy(struct srv_head_text text, char *out, size_t cap)
{
    if (text.len >= cap)
        return false;
    memcpy(out, text.text, text.len);
    out[text.len] = '\0';
    return true;
}

/* The table id in a path; 0: the lobby, -1: not found. */
static int64_t place_of(struct srv_head_text path)
{
    static const char prefix[] = "/ws/tables/";
    const size_t n = sizeof(prefix) - 1;
    char number[NUMBER_MAX];
    int64_t table;
    if (is_text(path, "/ws/lobby"))
        return 0;
    bool is_table = path.len > n && memcmp(path.text, prefix, n) == 0 &&
                    copy((struct srv_head_text){path.text + n, path.len - n}, number, sizeof(number)) &&
                    text_i64(number, 1, INT64_MAX, &table);
    return is_table ? table : -1;
}

/* Copies a parameter value. Our values need no percent-encoding. false: the value is encoded or does not
 * fit. */
static bool plain(struct srv_head_text text, char *out, size_t cap)
{
    return copy(text, out, cap) && strcspn(out, "%+") == text.len;
}

/* Finds a parameter by name; *found: whether it is present. false: it occurs twice or is invalid. Other
 * parameters are ignored, because a proxy or a page may have added them. */
static bool parameter(struct srv_head_text target, const char *name, char *out, size_t cap, bool *found)
{
    size_t at = path_of(target).len + 1, name_n = strlen(name);
    *found = false;
    while (at < target.len) {
        const char *text = target.text + at, *end = memchr(text, '&', target.len - at);
        size_t len = end ? (size_t)(end - text) : target.len - at;
        at += len + 1;
        if (len <= name_n || memcmp(text, name, name_n) != 0 || text[name_n] != '=')
            continue;
        if (*found || !plain((struct srv_head_text){text + name_n + 1, len - name_n - 1}, out, cap))
            return false;
        *found = true;
    }
    return true;
}

/* ---- Headers ---- */
static struct srv_head_text header(const char *head, size_t n, const char *name)
{
    struct srv_head_text value = {"", 0};
    size_t at = 0;
    (void)srv_head_value(head, n, name, &at, &value);
    return value;
}

static bool origin_fits(const struct srv_ws *ws, struct srv_ws_request *request, const char *head, size_t n,
                        struct srv_refusal *why)
{
    struct srv_head_text origin = header(head, n, "Origin");
    char text[SRV_WS_ORIGIN_MAX];
    request->origin[0] = '\0';
    if (origin.len == 0)
        return true;
    if (copy(origin, text, sizeof(text)) && srv_origin_allowed(ws->origins, ws->config.dev, text)) {
        memcpy(request->origin, text, origin.len + 1);
        return true;
    }
    srv_security_log(&(struct srv_security){.what = API_SECURITY_ORIGIN_REFUSED, .table = request->table_id});
    return refuse(why, API_ORIGIN_REFUSED, "Origin", API_FAULT_NOT_TAKEN);
}

static void read_lines(const char *head, size_t n, const char *name, struct srv_forwarded_lines *lines)
{
    struct srv_head_text value;
    for (size_t at = 0; srv_head_value(head, n, name, &at, &value);)
        srv_forwarded_add(lines, value.text, value.len);
}

/* Checks the client's address and its limit. */
static bool client_fits(struct srv_ws_pending *pending, const char *head, size_t n, struct srv_refusal *why)
{
    struct srv_forwarded headers = {0};
    const char *wrong = NULL;
    read_lines(head, n, "X-Forwarded-For", &headers.x_forwarded_for);
    read_lines(head, n, "Forwarded", &headers.forwarded);
    enum api_code code = srv_ws_pending_address(pending, &headers, &wrong);
    if (wrong)
        return refuse(why, code, wrong, API_FAULT_NOT_A_CLIENT);
    return code == API_OK || refuse_code(why, code);
}

static bool has_room(const struct srv_ws *ws, struct srv_refusal *why)
{
    if (ws->sockets_n < ws->config.socket_max)
        return true;
    srv_metric_add(METRIC_WS_REFUSED_FULL, 1);
    return refuse_code(why, API_BUSY);
}

/* Reads the ticket from a subprotocol or the URL; "" if there is none. false: there are two different
 * tickets. */
static bool ticket_fits(struct srv_ws_request *request, const char *offered, struct srv_head_text target)
{
    char in_address[sizeof(request->ticket)];
    bool found;
    if (!srv_ws_protocols_ticket(offered, request->ticket, sizeof(request->ticket)) ||
        !parameter(target, "ticket", in_address, sizeof(in_address), &found))
        return false;
    if (request->ticket[0] != '\0')
        return !found || strcmp(in_address, request->ticket) == 0;
    if (found)
        memcpy(request->ticket, in_address, sizeof(in_address));
    return true;
}

bool srv_ws_request_read_socket(struct srv_ws *ws, struct srv_ws_pending *pending, const char *head, size_t n,
                                struct srv_refusal *why)
{
    struct srv_ws_request *request = &pending->request;
    struct srv_head_text target = srv_head_target(head, n);
    char offered[SRV_WS_PROTOCOLS_MAX], since[NUMBER_MAX];
    bool found;
    *request = (struct srv_ws_request){.head_n = n, .since = -1};
    if (target.len > SRV_HEAD_TARGET_MAX)
        return refuse_code(why, API_URI_TOO_LONG);
    if (!has_room(ws, why))
        return false;
    if ((request->table_id = place_of(path_of(target))) < 0)
        return refuse_code(why, API_NOT_FOUND);
    if (!copy(header(head, n, "Sec-WebSocket-Protocol"), offered, sizeof(offered)))
        return refuse(why, API_BAD_REQUEST, "Sec-WebSocket-Protocol", API_FAULT_NOT_TAKEN);
    if (!srv_ws_protocols_have(offered, SRV_WS_PROTOCOL))
        return refuse(why, API_BAD_REQUEST, "Sec-WebSocket-Protocol", API_FAULT_UNKNOWN_CHOICE);
    if (!origin_fits(ws, request, head, n, why))
        return false;
    if (!parameter(target, "v", since, sizeof(since), &found) ||
        (found && !text_i64(since, 0, UINT32_MAX, &request->since)) || !ticket_fits(request, offered, target))
        return refuse_code(why, API_BAD_PARAMETER);
    if (!copy(header(head, n, "Sec-WebSocket-Key"), request->key, sizeof(request->key)))
        return refuse(why, API_BAD_REQUEST, "Sec-WebSocket-Key", API_FAULT_NOT_TAKEN);
    return client_fits(pending, head, n, why);
}

/* Whether the ticket is the only parameter. */
static bool only_ticket(struct srv_ws_request *request, struct srv_head_text target)
{
    static const char before[] = SRV_WS_EVENTS_PATH "?ticket=";
    const size_t n = sizeof(before) - 1;
    return target.len > n && memcmp(target.text, before, n) == 0 && !memchr(target.text, '&', target.len) &&
           plain((struct srv_head_text){target.text + n, target.len - n}, request->ticket,
                 sizeof(request->ticket));
}

bool srv_ws_request_read_stream(struct srv_ws *ws, struct srv_ws_pending *pending, const char *head, size_t n,
                                struct srv_refusal *why)
{
    struct srv_ws_request *request = &pending->request;
    struct srv_head_text target = srv_head_target(head, n);
    *request = (struct srv_ws_request){.head_n = n, .since = -1};
    if (target.len > SRV_HEAD_TARGET_MAX)
        return refuse_code(why, API_URI_TOO_LONG);
    if (!has_room(ws, why) || !origin_fits(ws, request, head, n, why))
        return false;
    if (!only_ticket(request, target))
        return refuse_code(why, API_BAD_PARAMETER);
    return client_fits(pending, head, n, why);
}
