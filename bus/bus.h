/* The bus, with which a node notifies the others that rows have changed. It has two implementations:
 * in-process (local.c) for a node that runs alone, and NATS (nats.c). Any message may be lost; this only
 * delays updates, because every node polls every 2 s.
 *
 * A sender also receives its own messages; with NATS, so do the other nodes. After the bus was unavailable,
 * or after a message could not be sent, all nodes receive BUS_CHECK_ALL. */
#ifndef RUMMYD_BUS_BUS_H
#define RUMMYD_BUS_BUS_H

#include "bus/message.h"

struct bus_port;

enum bus_count {
    BUS_SENT,     /* passed to the server */
    BUS_RECEIVED, /* from other nodes */
    BUS_DROPPED,  /* not sent (bus unavailable or queue full), or not received (too many arrived at once) */
    BUS_BAD,      /* received, but not in our format */
};

/* The functions must not block. */
struct bus_ports {
    void *ctx;
    /* own: this process sent the message, and the call is on the sender's thread; otherwise it is on a
     * thread of the bus. */
    void (*received)(void *ctx, const struct bus_message *message, bool own);
    void (*count)(void *ctx, enum bus_count what, int64_t n); /* any thread */
    void (*up)(void *ctx, bool up); /* called on a thread of the bus, or on the one that starts it */
};

enum {
    BUS_QUEUE_MAX = 4096,    /* messages waiting to be sent */
    BUS_PENDING_MAX = 16384, /* messages from other nodes waiting to be delivered */
    BUS_RETRY_MS_MIN = 100,  /* pause before reconnecting; doubles each time */
    BUS_RETRY_MS_MAX = 2000,
    BUS_CONNECT_MS_MAX = 1000, /* per attempt and server; stopping may have to wait for it */
    BUS_WRITE_MS_MAX = 2000,
    BUS_PING_MS = 1000, /* a server that misses this many pings is considered down: */
    BUS_PINGS_MAX = 2,
    BUS_SERVERS_MAX = 8,
    BUS_URL_MAX = 512,
};

struct bus_nats_options {
    const char *url;  /* "nats://user:password@host:4222", or tls://; several separated by commas */
    const char *ca;   /* file of CA certificates to verify the servers; empty: the system's */
    const char *name; /* name of this node, as shown by the server */
};

/* NULL: out of memory. */
struct bus_port *bus_local(const struct bus_ports *ports);
/* Connects on a separate thread, and retries forever. NULL: it cannot start; *why is a sentence. */
struct bus_port *bus_nats(const struct bus_nats_options *options, const struct bus_ports *ports,
                          const char **why);
/* Any thread; does not block. */
void bus_publish(struct bus_port *bus, enum bus_kind kind, int64_t id);
/* After it returns, nothing is delivered, and further messages are dropped. NULL is fine. */
void bus_stop(struct bus_port *bus);
/* Call this after bus_stop, when no thread sends. NULL is fine. */
void bus_free(struct bus_port *bus);

/* Results of checking a bus URL, the worst first. */
enum bus_url { BUS_URL_BAD, BUS_URL_NAMELESS, BUS_URL_EXPOSED, BUS_URL_OK };
/* BAD: malformed. NAMELESS: at least one server lacks a user and password. EXPOSED: all have them, but at
 * least one server on another machine is used without TLS. */
enum bus_url bus_url_check(const char *url);
/* Whether the connections of a valid URL use TLS. */
bool bus_url_is_tls(const char *url);

#endif
