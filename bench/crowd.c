/* crowd: keeps many idle connections to a local port open, 16 per client address, and reopens closed ones.
 * Meanwhile, bench/run measures how the server performs for other clients. One thread. */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/text.h"

enum {
    EACH = 16,            /* per address */
    PER_TICK_MAX = 50,    /* connections opened per tick, */
    TICK_MS = 10,         /* 5,000 per second */
    SPARE = 16,           /* other descriptors of this process */
    HALF_OPEN_MS = 20000, /* retry an unanswered connect after this time */
};

struct line {
    int fd; /* -1: not open */
    bool up;
    int64_t since_ms;
};

struct crowd {
    struct sockaddr_in to;
    struct line *lines;
    int n, epoll, base;
    int up, next;
    uint64_t opened, closed;
    int up_max;
};

static volatile sig_atomic_t over;

static void on_signal(int number)
{
    (void)number;
    over = 1;
}

static _Noreturn void die(const char *why)
{
    fprintf(stderr, "crowd: %s\n", why);
    exit(1);
}

static void hang_up(struct crowd *crowd, struct line *line)
{
    if (line->up) {
        crowd->up--;
        crowd->closed++;
    }
    (void)close(line->fd);
    *line = (struct line){.fd = -1};
}

static void call(struct crowd *crowd, struct line *line)
{
    int i = (int)(line - crowd->lines) / EACH + crowd->base, on = 1;
    struct sockaddr_in from = {.sin_family = AF_INET,
                               .sin_addr.s_addr = htonl(0x7f100001u + (uint32_t)i)}; /* 127.16.0.1 and up */
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        die(strerror(errno));
    (void)setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof(on));
    struct epoll_event wanted = {.events = EPOLLIN | EPOLLOUT | EPOLLET | EPOLLRDHUP, .data.ptr = line};
    if (bind(fd, (struct sockaddr *)&from, sizeof(from)) != 0 ||
        (connect(fd, (struct sockaddr *)&crowd->to, sizeof(crowd->to)) != 0 && errno != EINPROGRESS) ||
        epoll_ctl(crowd->epoll, EPOLL_CTL_ADD, fd, &wanted) != 0) {
        (void)close(fd);
        return;
    }
    *line = (struct line){.fd = fd, .since_ms = clock_mono_ms()};
    crowd->opened++;
}

static void on_event(struct crowd *crowd, struct line *line, uint32_t events)
{
    if (events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) {
        hang_up(crowd, line);
    } else if ((events & EPOLLOUT) && !line->up) {
        line->up = true;
        if (++crowd->up > crowd->up_max)
            crowd->up_max = crowd->up;
    }
}

/* Opens some of the closed connections, in turn. */
static void call_some(struct crowd *crowd)
{
    int64_t now = clock_mono_ms();
    for (int seen = 0, made = 0; seen < crowd->n && made < PER_TICK_MAX; seen++) {
        struct line *line = &crowd->lines[crowd->next++ % crowd->n];
        if (line->fd >= 0 && !line->up && now - line->since_ms > HALF_OPEN_MS)
            hang_up(crowd, line);
        if (line->fd < 0) {
            call(crowd, line);
            made++;
        }
    }
    crowd->next %= crowd->n;
}

static int64_t number(const char *text, int64_t max)
{
    int64_t value;
    if (!text_i64(text, 0, max, &value))
        die("not a number in its range");
    return value;
}

/* usage: crowd PORT CONNECTIONS FIRST-ADDRESS; until SIGTERM */
int main(int argc, char **argv)
{
    struct crowd crowd = {.to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}};
    struct rlimit limit;
    if (argc != 4) {
        fputs("usage: crowd PORT CONNECTIONS FIRST-ADDRESS (until SIGTERM; loopback only)\n", stderr);
        return 2;
    }
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        die(strerror(errno));
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
    crowd.to.sin_port = htons((uint16_t)number(argv[1], 65535));
    crowd.n = (int)number(argv[2], (int64_t)limit.rlim_max - SPARE);
    crowd.base = (int)number(argv[3], 60000);
    crowd.lines = calloc((size_t)crowd.n + 1, sizeof(*crowd.lines));
    crowd.epoll = epoll_create1(EPOLL_CLOEXEC);
    if (!crowd.lines || crowd.epoll < 0 || crowd.n == 0)
        die("cannot begin");
    for (int i = 0; i < crowd.n; i++)
        crowd.lines[i].fd = -1;
    (void)signal(SIGTERM, on_signal);
    (void)signal(SIGINT, on_signal);
    for (int64_t tick = clock_mono_ms(); !over;) {
        struct epoll_event events[256];
        int n = epoll_wait(crowd.epoll, events, (int)ARRAY_LEN(events), TICK_MS);
        for (int i = 0; i < n; i++)
            on_event(&crowd, events[i].data.ptr, events[i].events);
        if (clock_mono_ms() - tick >= TICK_MS) {
            tick = clock_mono_ms();
            call_some(&crowd);
        }
    }
    printf("{\"connections\":%d,\"up\":%d,\"up_max\":%d,\"opened\":%" PRIu64 ",\"closed_by_server\":%" PRIu64
           "}\n",
           crowd.n, crowd.up, crowd.up_max, crowd.opened, crowd.closed);
    free(crowd.lines);
    return 0;
}
