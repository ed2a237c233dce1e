/* Answers written directly to the socket; see answer.h. */
#include "server/edge/answer.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "api/core/problem.h"
#include "base/buf.h"
#include "base/bug.h"

enum { BODY_OUT_MAX = 1024, DRAIN_MAX = 32 };

static const char *reason_of(int status)
{
    static const struct {
        int status;
        const char *reason;
    } known[] = {
        {400, "Bad Request"},         {401, "Unauthorized"},      {403, "Forbidden"},
        {404, "Not Found"},           {408, "Request Timeout"},   {414, "URI Too Long"},
        {426, "Upgrade Required"},    {429, "Too Many Requests"}, {431, "Request Header Fields Too Large"},
        {503, "Service Unavailable"},
    };
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (known[i].status == status)
            return known[i].reason;
    BUG("ws: an answer without a reason");
}

/* A few kilobytes at most, which a socket accepts without blocking. */
static void put(int fd, const char *bytes, size_t n)
{
    char waste[2048];
    (void)send(fd, bytes, n, MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)shutdown(fd, SHUT_WR);
    /* Closing a socket with unread input resets the connection and loses the answer, so read and discard
     * the input. recvfrom bypasses the recv hooks. */
    for (int i = 0; i < DRAIN_MAX && recvfrom(fd, waste, sizeof(waste), MSG_DONTWAIT, NULL, NULL) > 0; i++)
        ;
}

static size_t write_problem(const struct srv_refusal *why, char out[BODY_OUT_MAX])
{
    static const char *const protocols[] = {SRV_WS_PROTOCOL, NULL};
    struct buf body = buf_on(out, BODY_OUT_MAX);
    struct api_faults faults = {.n = 1, .list = {{.code = why->fault, .place = API_FAULT_HEADER}}};
    faults.list[0].allowed = why->fault == API_FAULT_UNKNOWN_CHOICE ? protocols : NULL;
    if (why->fault)
        api_fault_name(&faults.list[0], why->name, strlen(why->name));
    api_problem_write(&body, why->code, NULL, "/", NULL, why->fault ? &faults : NULL);
    ASSERT(!body.full);
    return body.len;
}

size_t srv_answer_write(const struct srv_refusal *why, const char *origin, char out[SRV_ANSWER_MAX])
{
    char body[BODY_OUT_MAX];
    const size_t body_n = write_problem(why, body);
    const int status = api_code_status(why->code);
    const bool later = status == 429 || status == 503, foreign = origin && origin[0];
    int n = snprintf(out, SRV_ANSWER_MAX,
                     "HTTP/1.1 %d %s\r\nConnection: close\r\nCache-Control: no-store\r\n"
                     "X-Content-Type-Options: nosniff\r\nVary: Origin\r\n"
                     "Content-Type: application/problem+json\r\nContent-Length: %zu\r\n%s%s%s%s%s\r\n%.*s",
                     status, reason_of(status), body_n, later ? "Retry-After: 2\r\n" : "",
                     status == 426 ? "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" : "",
                     foreign ? "Access-Control-Allow-Origin: " : "", foreign ? origin : "",
                     foreign ? "\r\n" : "", (int)body_n, body);
    ASSERT(n > 0 && n < SRV_ANSWER_MAX);
    return (size_t)n;
}

void srv_answer_refusal(int fd, const struct srv_refusal *why, const char *origin)
{
    char answer[SRV_ANSWER_MAX];
    put(fd, answer, srv_answer_write(why, origin, answer));
}

void srv_answer_code(int fd, enum api_code code)
{
    srv_answer_refusal(fd, &(struct srv_refusal){.code = code}, NULL);
}

void srv_answer_ok(int fd)
{
    static const char ok[] = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    put(fd, ok, sizeof(ok) - 1);
}
