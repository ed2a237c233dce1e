/* restload: keeps one GET in flight on each of many kept-alive connections and counts the responses. The
 * counterpart of pgbench for the same statement; bench/run compares the two. One thread. */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/text.h"
#include "bench/hist.h"

enum {
    CONNECTIONS_MAX = 1024,
    SECONDS_MAX = 600,
    REQUEST_MAX = 2048,
    REPLY_MAX = 16 * 1024,
    TOKEN_MAX = 1024,
    WAIT_MS = 100,
};

struct conn {
    int fd;
    int64_t sent_ns;
    size_t request_n, reply_n;
    char request[REQUEST_MAX], reply[REPLY_MAX];
};

struct totals {
    struct hist latency;
    uint64_t done, bad;
    bool measuring;
};

static _Noreturn void die(const char *why)
{
    fprintf(stderr, "restload: %s\n", why);
    exit(1);
}

static void send_request(struct conn *c)
{
    c->reply_n = 0;
    c->sent_ns = clock_mono_ns();
    if (send(c->fd, c->request, c->request_n, MSG_NOSIGNAL) != (ssize_t)c->request_n)
        die("the server does not accept a request");
}

static void open_conn(struct conn *c, int port, const char *path, const char *token)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int one = 1;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK); /* only to this machine */
    c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&to, sizeof(to)) != 0)
        die(strerror(errno));
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    int n = snprintf(c->request, sizeof(c->request),
                     "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n\r\n", path, token);
    ASSERT(n > 0 && (size_t)n < sizeof(c->request));
    c->request_n = (size_t)n;
}

/* The total length of the response at the start of the buffer; 0: incomplete. */
static size_t reply_length(struct conn *c)
{
    c->reply[c->reply_n] = '\0';
    const char *end = strstr(c->reply, "\r\n\r\n");
    if (!end)
        return 0;
    const char *length = strcasestr(c->reply, "\r\nContent-Length:");
    if (!length || length > end)
        die("the response has no Content-Length");
    size_t n = (size_t)(end - c->reply) + 4 + strtoul(length + 17, NULL, 10);
    if (n >= REPLY_MAX)
        die("the response is too long");
    return c->reply_n >= n ? n : 0;
}

static void on_readable(struct conn *c, struct totals *t)
{
    ssize_t n = recv(c->fd, c->reply + c->reply_n, REPLY_MAX - 1 - c->reply_n, MSG_DONTWAIT);
    if (n < 0 && errno == EAGAIN)
        return;
    if (n <= 0)
        die("the server closed a connection");
    c->reply_n += (size_t)n;
    if (reply_length(c) == 0)
        return;
    if (strncmp(c->reply, "HTTP/1.1 200", 12) != 0 && t->bad++ == 0)
        fprintf(stderr, "restload: %.300s\n", c->reply);
    if (t->measuring) {
        t->done++;
        hist_add(&t->latency, clock_mono_ns() - c->sent_ns);
    }
    send_request(c);
}

static void spin(int epoll, struct totals *t, int64_t until)
{
    struct epoll_event events[128];
    while (clock_mono_ns() < until) {
        int n = epoll_wait(epoll, events, (int)ARRAY_LEN(events), WAIT_MS);
        for (int i = 0; i < n; i++)
            on_readable(events[i].data.ptr, t);
    }
}

static int number(const char *text, int64_t max)
{
    int64_t value;
    if (!text_i64(text, 1, max, &value))
        die("not a number in its range");
    return (int)value;
}

/* usage: restload PORT PATH TOKENS-FILE CONNECTIONS SECONDS */
int main(int argc, char **argv)
{
    static struct totals totals;
    char token[TOKEN_MAX];
    if (argc != 6) {
        fputs("usage: restload PORT PATH TOKENS-FILE CONNECTIONS SECONDS (a token a line; loopback only)\n",
              stderr);
        return 2;
    }
    int port = number(argv[1], 65535), n = number(argv[4], CONNECTIONS_MAX),
        seconds = number(argv[5], SECONDS_MAX);
    FILE *tokens = fopen(argv[3], "re");
    struct conn *conns = calloc((size_t)n, sizeof(*conns));
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    if (!tokens || !conns || epoll < 0)
        die(strerror(errno));
    for (int i = 0; i < n; i++) {
        if (!fgets(token, sizeof(token), tokens))
            die("fewer tokens than connections");
        token[strcspn(token, "\n")] = '\0';
        open_conn(&conns[i], port, argv[2], token);
        struct epoll_event ev = {.events = EPOLLIN, .data.ptr = &conns[i]};
        if (epoll_ctl(epoll, EPOLL_CTL_ADD, conns[i].fd, &ev) != 0)
            die(strerror(errno));
        send_request(&conns[i]);
    }
    (void)fclose(tokens);
    spin(epoll, &totals, clock_mono_ns() + 1000000000); /* warm-up */
    totals.measuring = true;
    int64_t start = clock_mono_ns();
    spin(epoll, &totals, start + seconds * INT64_C(1000000000));
    double spent = (double)(clock_mono_ns() - start) / 1e9;
    printf("{\"requests_per_second\":%.0f,\"p50_us\":%.0f,\"p99_us\":%.0f,\"bad\":%" PRIu64 "}\n",
           (double)totals.done / spent, (double)hist_at(&totals.latency, 0.5) / 1e3,
           (double)hist_at(&totals.latency, 0.99) / 1e3, totals.bad);
    free(conns);
    return totals.bad ? 1 : 0;
}
