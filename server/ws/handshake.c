/* Peeks at the handshake in the kernel's buffer; see handshake.h. Bytes that arrive between the peek and
 * the library's read do not matter, because the checked head comes first and a connection has only one. */
#include "server/ws/handshake.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/bug.h"
#include "server/edge/answer.h"
#include "server/edge/head.h"
#include "server/operations/metrics.h"
#include "server/operations/security_log.h"
#include "server/ws/request.h"

/* false: the handshake is invalid; *why has the reason. */
static bool fits(const struct srv_head *head, enum srv_head_state state, struct srv_refusal *why)
{
    if (state == SRV_HEAD_BAD)
        *why = head->refusal;
    else if (!head->upgrades)
        why->code = API_NOT_FOUND;
    else if (!head->is_version_13)
        why->code = API_UPGRADE_REQUIRED;
    else if (!srv_head_is_handshake(head))
        why->code = API_BAD_REQUEST;
    return why->code == API_OK;
}

/* logged: the code of the fault in the head; NULL: the head is valid but does not request a socket. */
static void refuse(int fd, const struct srv_refusal *why, const char *logged)
{
    srv_metric_add(METRIC_WS_MALFORMED, 1);
    srv_security_log(&(struct srv_security){.what = API_SECURITY_HANDSHAKE_REFUSED, .code = logged});
    srv_answer_refusal(fd, why, NULL);
}

/* Makes the descriptor readable only once it has this many bytes. */
static void wake_after(int fd, size_t bytes)
{
    int n = (int)bytes;
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVLOWAT, &n, sizeof(n));
}

/* Whether this is a health check, by which nodes check their reachability; proxies can use it, too. */
static bool is_health(const struct srv_head *head, const char *bytes)
{
    static const char line[] = "GET /ws/healthz ";
    return !head->upgrades && head->len > sizeof(line) && memcmp(bytes, line, sizeof(line) - 1) == 0;
}

static bool is_stream(const struct srv_head *head, const char *bytes)
{
    return head->is_get && !head->is_1_0 && !head->upgrades && head->body == SRV_BODY_NONE &&
           srv_ws_request_has_path(bytes, head->len, SRV_WS_EVENTS_PATH);
}

enum srv_ws_handshake_state srv_ws_handshake_peek(int fd, size_t *seen, const char **whole)
{
    static char bytes[SRV_HEAD_MAX];
    struct srv_head head;
    ssize_t n = recv(fd, bytes, sizeof(bytes), MSG_PEEK);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
        return WS_HANDSHAKE_PARTIAL;
    if (n <= 0 || (size_t)n <= *seen)
        return WS_HANDSHAKE_CLOSED;
    srv_head_begin(&head);
    enum srv_head_state state = srv_head_read(&head, bytes, (size_t)n);
    if (state == SRV_HEAD_MORE) {
        *seen = (size_t)n;
        wake_after(fd, *seen + 1);
        return WS_HANDSHAKE_PARTIAL;
    }
    if (state == SRV_HEAD_WHOLE && is_stream(&head, bytes)) {
        if (recv(fd, bytes, head.len, 0) != (ssize_t)head.len)
            return WS_HANDSHAKE_CLOSED;
        wake_after(fd, 1);
        *seen = head.len;
        *whole = bytes;
        return WS_HANDSHAKE_STREAM;
    }
    if (state == SRV_HEAD_WHOLE && is_health(&head, bytes)) {
        srv_answer_ok(fd);
        return WS_HANDSHAKE_ANSWERED;
    }
    struct srv_refusal why = {0};
    if (!fits(&head, state, &why)) {
        refuse(fd, &why, state == SRV_HEAD_BAD ? api_code_name(head.refusal.code) : NULL);
        return WS_HANDSHAKE_ANSWERED;
    }
    if (*seen > 0)
        wake_after(fd, 1);
    *seen = head.len;
    *whole = bytes;
    return WS_HANDSHAKE_VALID;
}
