/* A server of NATS that greets and then reads nothing: what waits to be said is bounded, and what finds no
 * place is counted. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "bus/bus.h"

enum { SAID_MAX = 4000000, UP_MS_MAX = 10000 };

struct ear {
    atomic_llong counts[BUS_BAD + 1];
    atomic_bool up;
};

static void heard(void *ctx, const struct bus_message *message, bool own)
{
    (void)ctx;
    (void)message;
    (void)own;
}

static void count(void *ctx, enum bus_count what, int64_t n)
{
    struct ear *ear = ctx;
    atomic_fetch_add(&ear->counts[what], n);
}

static void up(void *ctx, bool is_up)
{
    struct ear *ear = ctx;
    atomic_store(&ear->up, is_up);
}

/* Two pings are answered: the greeting's, and the one behind the subscription. */
static void *greet(void *arg)
{
    static const char info[] =
        "INFO {\"server_id\":\"deaf\",\"version\":\"2.9.0\",\"proto\":1,\"max_payload\":1048576}\r\n";
    char text[4096];
    int fd = accept(*(int *)arg, NULL, NULL);
    (void)send(fd, info, sizeof(info) - 1, MSG_NOSIGNAL);
    for (int pings = 0; pings < 2;) {
        ssize_t n = recv(fd, text, sizeof(text) - 1, 0);
        if (n <= 0)
            break;
        text[n] = '\0';
        for (const char *at = text; (at = strstr(at, "PING\r\n")); at++, pings++)
            (void)send(fd, "PONG\r\n", 6, MSG_NOSIGNAL);
    }
    *(int *)arg = fd;
    return NULL;
}

Test(bus, so_many_messages_wait_and_the_next_is_dropped, .timeout = 60)
{
    struct ear ear = {0};
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(at);
    int listener = socket(AF_INET, SOCK_STREAM, 0), small = 4096, fd = listener;
    const char *why = NULL;
    char url[64];
    pthread_t server;
    (void)setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
    cr_assert_eq(bind(listener, (struct sockaddr *)&at, sizeof(at)), 0);
    cr_assert_eq(listen(listener, 1), 0);
    cr_assert_eq(getsockname(listener, (struct sockaddr *)&at, &len), 0);
    cr_assert_eq(pthread_create(&server, NULL, greet, &fd), 0);
    (void)snprintf(url, sizeof(url), "nats://a:b@127.0.0.1:%d", ntohs(at.sin_port));
    struct bus_port *bus =
        bus_nats(&(struct bus_nats_options){.url = url, .ca = "", .name = "n1"},
                 &(struct bus_ports){.ctx = &ear, .heard = heard, .count = count, .up = up}, &why);
    cr_assert_not_null(bus, "%s", why);
    for (int64_t until = clock_mono_ms() + UP_MS_MAX; !atomic_load(&ear.up) && clock_mono_ms() < until;)
        (void)usleep(1000);
    cr_assert(atomic_load(&ear.up));
    int64_t said = 0;
    while (said < SAID_MAX && atomic_load(&ear.counts[BUS_DROPPED]) == 0) {
        bus_say(bus, BUS_TABLE_CHANGED, 1 + said++);
    }
    int64_t waiting = said - atomic_load(&ear.counts[BUS_SAID]) - atomic_load(&ear.counts[BUS_DROPPED]);
    cr_assert_eq(atomic_load(&ear.counts[BUS_DROPPED]), 1);
    cr_assert(waiting > BUS_QUEUE_MAX / 2 && waiting <= BUS_QUEUE_MAX + 1, "%lld wait", (long long)waiting);
    bus_stop(bus);
    cr_assert_eq(pthread_join(server, NULL), 0);
    bus_free(bus);
    (void)close(fd);
    (void)close(listener);
}
