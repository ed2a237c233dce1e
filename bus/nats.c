/* The bus on NATS; see bus.h. One thread connects, sends queued messages, and reconnects forever, because the
 * library would give up after a few refusals. Messages are received on a thread of the library. */
#include <nats/nats.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "bus/bus_in.h"

struct nats_bus {
    struct bus_port bus;
    char url[BUS_URL_MAX];
    natsOptions *options;
    pthread_t thread;
    /* Used only by the bus thread. */
    natsConnection *conn;
    natsSubscription *subscription;
    bool logged_away;
    /* The fields below are protected by the lock. */
    pthread_mutex_t lock;
    pthread_cond_t news;
    struct bus_message queue[BUS_QUEUE_MAX];
    size_t head, n;
    bool up;     /* messages can be sent */
    bool broken; /* the library has closed the connection */
    bool missed; /* a message was lost, so all nodes must check everything */
    bool stop;
};

static struct nats_bus *nats_of(struct bus_port *bus)
{
    return (struct nats_bus *)((char *)bus - offsetof(struct nats_bus, bus));
}

static void count(struct nats_bus *it, enum bus_count what, int64_t n)
{
    it->bus.ports.count(it->bus.ports.ctx, what, n);
}

/* ---- On threads of the library ---- */
static void on_message(natsConnection *conn, natsSubscription *subscription, natsMsg *msg, void *arg)
{
    struct nats_bus *it = arg;
    struct bus_message message;
    (void)conn;
    (void)subscription;
    if (bus_message_read(&message, natsMsg_GetSubject(msg), natsMsg_GetData(msg),
                         (size_t)natsMsg_GetDataLength(msg))) {
        count(it, BUS_RECEIVED, 1);
        it->bus.ports.received(it->bus.ports.ctx, &message, false);
    } else {
        count(it, BUS_BAD, 1);
    }
    natsMsg_Destroy(msg);
}

static void on_closed(natsConnection *conn, void *arg)
{
    struct nats_bus *it = arg;
    (void)conn;
    (void)pthread_mutex_lock(&it->lock);
    it->broken = true;
    it->up = false;
    (void)pthread_cond_broadcast(&it->news);
    (void)pthread_mutex_unlock(&it->lock);
}

static void check_all_here(struct nats_bus *it)
{
    const struct bus_message check = {.kind = BUS_CHECK_ALL};
    it->bus.ports.received(it->bus.ports.ctx, &check, false);
}

static void on_error(natsConnection *conn, natsSubscription *subscription, natsStatus status, void *arg)
{
    struct nats_bus *it = arg;
    (void)conn;
    (void)subscription;
    if (status != NATS_SLOW_CONSUMER)
        return;
    count(it, BUS_DROPPED, 1);
    check_all_here(it);
}

/* ---- The thread ---- */
/* Waits for a change for at most ms milliseconds; -1: no limit. Called with the lock held. */
static void await(struct nats_bus *it, int64_t ms)
{
    struct timespec until;
    if (ms < 0) {
        (void)pthread_cond_wait(&it->news, &it->lock);
        return;
    }
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += ms % 1000 * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    (void)pthread_cond_clockwait(&it->news, &it->lock, CLOCK_MONOTONIC, &until);
}

static void log_up(struct nats_bus *it, bool up, const char *why)
{
    if (up)
        log_info("bus_up");
    else if (!it->logged_away)
        log_warn("bus_away", LOG_TEXT("why", why));
    it->logged_away = !up;
    it->bus.ports.up(it->bus.ports.ctx, up);
}

/* Closes the connection and waits for on_closed, so that it is not called afterward. */
static void disconnect(struct nats_bus *it)
{
    if (!it->conn)
        return;
    natsConnection_Close(it->conn);
    int64_t until = clock_mono_ms() + BUS_WRITE_MS_MAX + BUS_CONNECT_MS_MAX;
    (void)pthread_mutex_lock(&it->lock);
    it->up = false;
    while (!it->broken && clock_mono_ms() < until)
        await(it, 100);
    (void)pthread_mutex_unlock(&it->lock);
    natsSubscription_Destroy(it->subscription);
    natsConnection_Destroy(it->conn);
    it->subscription = NULL;
    it->conn = NULL;
}

/* Returns success only when messages from other nodes are received. */
static natsStatus connect_once(struct nats_bus *it)
{
    (void)pthread_mutex_lock(&it->lock);
    it->broken = false;
    (void)pthread_mutex_unlock(&it->lock);
    natsStatus status = natsConnection_Connect(&it->conn, it->options);
    if (status != NATS_OK) {
        it->conn = NULL;
        return status;
    }
    status = natsConnection_Subscribe(&it->subscription, it->conn, BUS_SUBJECTS, on_message, it);
    if (status == NATS_OK)
        status = natsSubscription_SetPendingLimits(it->subscription, BUS_PENDING_MAX, -1);
    if (status == NATS_OK)
        status = natsConnection_FlushTimeout(it->conn, BUS_CONNECT_MS_MAX);
    if (status != NATS_OK)
        disconnect(it);
    return status;
}

static natsStatus publish(struct nats_bus *it, const struct bus_message *message)
{
    char subject[BUS_SUBJECT_MAX];
    bus_message_write(message, subject);
    natsStatus status = natsConnection_PublishString(it->conn, subject, BUS_PAYLOAD);
    count(it, status == NATS_OK ? BUS_SENT : BUS_DROPPED, 1);
    return status;
}

/* Sends queued messages until the connection is lost or the bus ends. */
static void talk(struct nats_bus *it)
{
    natsStatus status = NATS_OK;
    (void)pthread_mutex_lock(&it->lock);
    while (!it->stop && !it->broken && status == NATS_OK) {
        struct bus_message message;
        if (it->n > 0) {
            message = it->queue[it->head];
            it->head = (it->head + 1) % BUS_QUEUE_MAX;
            it->n--;
        } else if (it->missed) {
            message = (struct bus_message){.kind = BUS_CHECK_ALL};
            it->missed = false;
        } else {
            await(it, -1);
            continue;
        }
        (void)pthread_mutex_unlock(&it->lock);
        status = publish(it, &message);
        (void)pthread_mutex_lock(&it->lock);
    }
    (void)pthread_mutex_unlock(&it->lock);
}

/* Drops queued messages, which are outdated by now; receivers of the outage notice check everything. */
static void set_up(struct nats_bus *it, bool up)
{
    (void)pthread_mutex_lock(&it->lock);
    size_t lost = it->n;
    it->head = it->n = 0;
    it->missed = true;
    it->up = up && !it->broken;
    (void)pthread_mutex_unlock(&it->lock);
    if (lost > 0)
        count(it, BUS_DROPPED, (int64_t)lost);
}

static bool stopping(struct nats_bus *it)
{
    (void)pthread_mutex_lock(&it->lock);
    bool stop = it->stop;
    (void)pthread_mutex_unlock(&it->lock);
    return stop;
}

static void *run(void *arg)
{
    struct nats_bus *it = arg;
    int64_t pause_ms = BUS_RETRY_MS_MIN;
    thread_begin("bus", THREAD_PROMPT);
    while (!stopping(it)) {
        natsStatus status = connect_once(it);
        if (status == NATS_OK) {
            set_up(it, true);
            log_up(it, true, NULL);
            check_all_here(it);
            pause_ms = BUS_RETRY_MS_MIN;
            talk(it);
            disconnect(it);
            set_up(it, false);
            status = NATS_CONNECTION_CLOSED;
        }
        if (stopping(it))
            break;
        log_up(it, false, natsStatus_GetText(status));
        (void)pthread_mutex_lock(&it->lock);
        if (!it->stop)
            await(it, pause_ms);
        (void)pthread_mutex_unlock(&it->lock);
        pause_ms = pause_ms * 2 < BUS_RETRY_MS_MAX ? pause_ms * 2 : BUS_RETRY_MS_MAX;
    }
    it->bus.ports.up(it->bus.ports.ctx, false);
    return NULL;
}

/* ---- Port functions ---- */
static void queue_message(struct bus_port *bus, const struct bus_message *message)
{
    struct nats_bus *it = nats_of(bus);
    (void)pthread_mutex_lock(&it->lock);
    bool taken = it->up && it->n < BUS_QUEUE_MAX;
    if (taken)
        it->queue[(it->head + it->n++) % BUS_QUEUE_MAX] = *message;
    else
        it->missed = true;
    (void)pthread_cond_signal(&it->news);
    (void)pthread_mutex_unlock(&it->lock);
    if (!taken)
        count(it, BUS_DROPPED, 1);
}

static void stop(struct bus_port *bus)
{
    struct nats_bus *it = nats_of(bus);
    (void)pthread_mutex_lock(&it->lock);
    it->stop = true;
    (void)pthread_cond_broadcast(&it->news);
    (void)pthread_mutex_unlock(&it->lock);
    (void)pthread_join(it->thread, NULL);
    natsOptions_Destroy(it->options);
    it->options = NULL;
    (void)nats_CloseAndWait(BUS_WRITE_MS_MAX + BUS_CONNECT_MS_MAX);
}

static void free_bus(struct bus_port *bus)
{
    struct nats_bus *it = nats_of(bus);
    natsOptions_Destroy(it->options);
    (void)pthread_cond_destroy(&it->news);
    (void)pthread_mutex_destroy(&it->lock);
    explicit_bzero(it->url, sizeof(it->url));
    free(it);
}

static natsStatus set_servers(struct nats_bus *it)
{
    const char *servers[BUS_SERVERS_MAX];
    int n = 0;
    char *rest = NULL, *copy = strdup(it->url);
    if (!copy)
        return NATS_NO_MEMORY;
    for (char *at = strtok_r(copy, ",", &rest); at; at = strtok_r(NULL, ",", &rest))
        servers[n++] = at;
    natsStatus status = natsOptions_SetServers(it->options, servers, n);
    explicit_bzero(copy, strlen(it->url));
    free(copy);
    return status;
}

static natsStatus set_options(struct nats_bus *it, const struct bus_nats_options *given)
{
    natsStatus status = natsOptions_Create(&it->options);
#define SET(call)                                                                                            \
    if (status == NATS_OK)                                                                                   \
    status = (call)
    SET(set_servers(it));
    SET(natsOptions_SetName(it->options, given->name));
    SET(natsOptions_SetNoEcho(it->options, true));
    SET(natsOptions_SetAllowReconnect(it->options, false));
    SET(natsOptions_SetIgnoreDiscoveredServers(it->options, true));
    SET(natsOptions_SetTimeout(it->options, BUS_CONNECT_MS_MAX));
    SET(natsOptions_SetWriteDeadline(it->options, BUS_WRITE_MS_MAX));
    SET(natsOptions_SetPingInterval(it->options, BUS_PING_MS));
    SET(natsOptions_SetMaxPingsOut(it->options, BUS_PINGS_MAX));
    SET(natsOptions_SetMaxPendingMsgs(it->options, BUS_PENDING_MAX));
    SET(natsOptions_SetClosedCB(it->options, on_closed, it));
    SET(natsOptions_SetErrorHandler(it->options, on_error, it));
    if (bus_url_is_tls(given->url)) {
        SET(natsOptions_SetSecure(it->options, true));
        if (given->ca[0] != '\0')
            SET(natsOptions_LoadCATrustedCertificates(it->options, given->ca));
    }
#undef SET
    return status;
}

struct bus_port *bus_nats(const struct bus_nats_options *given, const struct bus_ports *ports,
                          const char **why)
{
    static const struct bus_way way = {.publish = queue_message, .stop = stop, .free = free_bus};
    ASSERT(ports->received && ports->count && ports->up);
    struct nats_bus *it = calloc(1, sizeof(*it));
    *why = "memory is short";
    if (!it)
        return NULL;
    it->bus.ports = *ports;
    it->bus.way = &way;
    (void)pthread_mutex_init(&it->lock, NULL);
    (void)pthread_cond_init(&it->news, NULL);
    *why = "no URL of NATS";
    bool ok = bus_url_check(given->url) != BUS_URL_BAD;
    if (ok) {
        memcpy(it->url, given->url, strlen(given->url) + 1);
        natsStatus status = set_options(it, given);
        *why = natsStatus_GetText(status);
        ok = status == NATS_OK;
    }
    if (ok && pthread_create(&it->thread, NULL, run, it) == 0)
        return &it->bus;
    if (ok)
        *why = "its thread cannot start";
    atomic_store(&it->bus.stopped, true);
    free_bus(&it->bus);
    return NULL;
}
