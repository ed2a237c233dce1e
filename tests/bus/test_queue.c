/* The queue of messages to NATS is bounded, and messages that do not fit are counted. This test's server
 * sends its greeting and then reads nothing. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bus/bus.h"

/* The bus thread blocks in its first message until the test releases it. */
struct ear {
    atomic_llong counts[BUS_BAD + 1];
    atomic_bool goes_on;
    sem_t stopped, go_on;
};

static void received(void *ctx, const struct bus_message *message, bool own)
{
    (void)ctx;
    (void)message;
    (void)own;
}

static void count(void *ctx, enum bus_count what, int64_t n)
{
    struct ear *ear = ctx;
    atomic_fetch_add(&ear->counts[what], n);
    if (what == BUS_SENT && !atomic_exchange(&ear->goes_on, true)) {
        (void)sem_post(&ear->stopped);
        (void)sem_wait(&ear->go_on);
    }
}

static void up(void *ctx, bool is_up)
{
    (void)ctx;
    (void)is_up;
}

/* Two pings are answered: the one after the greeting, and the one after the subscription. A client that waits
 * too long for an answer reconnects. */
static void *greet(void *arg)
{
    static const char info[] =
        "INFO {\"server_id\":\"deaf\",\"version\":\"2.9.0\",\"proto\":1,\"max_payload\":1048576}\r\n";
    char text[4096];
    int listener = *(int *)arg, fd = -1;
    for (int pings = 0; pings < 2;) {
        ssize_t n = fd < 0 ? 0 : recv(fd, text, sizeof(text) - 1, 0);
        if (n <= 0) {
            if (fd >= 0)
                (void)close(fd);
            fd = accept(listener, NULL, NULL);
            cr_assert_geq(fd, 0);
            (void)send(fd, info, sizeof(info) - 1, MSG_NOSIGNAL);
            pings = 0;
            continue;
        }
        text[n] = '\0';
        for (const char *at = text; (at = strstr(at, "PING\r\n")); at++, pings++)
            (void)send(fd, "PONG\r\n", 6, MSG_NOSIGNAL);
    }
    *(int *)arg = fd;
    return NULL;
}

Test(bus, messages_beyond_the_queue_limit_are_dropped, .timeout = 120)
{
    struct ear ear = {0};
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(at);
    int listener = socket(AF_INET, SOCK_STREAM, 0), small = 4096, fd = listener;
    const char *why = NULL;
    char url[64];
    pthread_t server;
    (void)sem_init(&ear.stopped, 0, 0);
    (void)sem_init(&ear.go_on, 0, 0);
    (void)setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
    cr_assert_eq(bind(listener, (struct sockaddr *)&at, sizeof(at)), 0);
    cr_assert_eq(listen(listener, 1), 0);
    cr_assert_eq(getsockname(listener, (struct sockaddr *)&at, &len), 0);
    cr_assert_eq(pthread_create(&server, NULL, greet, &fd), 0);
    (void)snprintf(url, sizeof(url), "nats://a:b@127.0.0.1:%d", ntohs(at.sin_port));
    struct bus_port *bus =
        bus_nats(&(struct bus_nats_options){.url = url, .ca = "", .name = "n1"},
                 &(struct bus_ports){.ctx = &ear, .received = received, .count = count, .up = up}, &why);
    cr_assert_not_null(bus, "%s", why);
    (void)sem_wait(&ear.stopped); /* it is connected, and has requested a full check from the other nodes */
    for (int i = 0; i < BUS_QUEUE_MAX; i++)
        bus_publish(bus, BUS_TABLE_CHANGED, 1 + i);
    cr_assert_eq(atomic_load(&ear.counts[BUS_DROPPED]), 0);
    bus_publish(bus, BUS_TABLE_CHANGED, 1 + BUS_QUEUE_MAX);
    cr_assert_eq(atomic_load(&ear.counts[BUS_DROPPED]), 1);
    cr_assert_eq(atomic_load(&ear.counts[BUS_SENT]), 1);
    (void)sem_post(&ear.go_on);
    bus_stop(bus);
    cr_assert_eq(pthread_join(server, NULL), 0);
    bus_free(bus);
    (void)close(fd);
    (void)close(listener);
}
