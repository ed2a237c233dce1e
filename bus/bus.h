/* The bus: how a node notifies the others that rows have changed. A port with two implementations: in-process
 * (local.c), for a node that runs alone, and NATS (nats.c). It may lose any message: that only costs
 * freshness, because every node polls every two seconds.
 *
 * A sender receives its own messages, too; with NATS the other nodes do as well. After the bus was
 * unavailable, and after a message could not be sent, all receive BUS_CHECK_ALL. */
#ifndef RUMMYD_BUS_BUS_H
#define RUMMYD_BUS_BUS_H

#include "bus/message.h"

struct bus_port;

enum bus_count {
    BUS_SENT,     /* passed to the server */
    BUS_RECEIVED, /* from other nodes */
    BUS_DROPPED,  /* not sent, because the bus was unavailable or the queue full; or not received, because too
                     many came at once */
    BUS_BAD,      /* from elsewhere, not our format */
};

/* They must not block. */
struct bus_ports {
    void *ctx;
    /* own: sent by this process, and called on the sender's thread; otherwise on a thread of the bus. */
    void (*received)(void *ctx, const struct bus_message *message, bool own);
    void (*count)(void *ctx, enum bus_count what, int64_t n); /* any thread */
    void (*up)(void *ctx, bool up); /* a thread of the bus, or the one that starts it */
};

enum {
    BUS_QUEUE_MAX = 4096,    /* messages waiting to be sent */
    BUS_PENDING_MAX = 16384, /* messages of other nodes waiting to be delivered */
    BUS_RETRY_MS_MIN = 100,  /* pause before reconnecting, doubling */
    BUS_RETRY_MS_MAX = 2000,
    BUS_CONNECT_MS_MAX = 1000, /* per attempt and server: a stop may have to wait for it */
    BUS_WRITE_MS_MAX = 2000,
    BUS_PING_MS = 1000, /* a server that misses this many pings is gone: */
    BUS_PINGS_MAX = 2,
    BUS_SERVERS_MAX = 8,
    BUS_URL_MAX = 512,
};

struct bus_nats_options {
    const char *url;  /* "nats://user:password@host:4222", or tls://; several separated by commas */
    const char *ca;   /* file of certificates to verify the servers'; empty: the system's */
    const char *name; /* of this node, as shown by the server */
};

/* NULL: out of memory. */
struct bus_port *bus_local(const struct bus_ports *ports);
/* Connects on a separate thread, with endless retries. NULL: it cannot start, and *why is a sentence. */
struct bus_port *bus_nats(const struct bus_nats_options *options, const struct bus_ports *ports,
                          const char **why);
/* Any thread; does not block. */
void bus_publish(struct bus_port *bus, enum bus_kind kind, int64_t id);
/* When it returns, nothing is delivered any longer, and sent messages are dropped. NULL is fine. */
void bus_stop(struct bus_port *bus);
/* After bus_stop, when no thread sends. NULL is fine. */
void bus_free(struct bus_port *bus);

/* Properties of a bus URL, the worst first. */
enum bus_url { BUS_URL_BAD, BUS_URL_NAMELESS, BUS_URL_EXPOSED, BUS_URL_OK };
/* BAD: malformed. NAMELESS: some server lacks user and password. EXPOSED: all have them, but some server on
 * another machine is used without TLS. */
enum bus_url bus_url_check(const char *url);
/* Whether the connections of a valid one use TLS. */
bool bus_url_is_tls(const char *url);

#endif
