/* The bus: how a node tells the others that they should look at the rows again. A port with two
 * implementations: in-process (local.c), for a node that has nobody beside it, and NATS (nats.c). It may lose
 * anything: that costs freshness, for everybody looks by themselves every two seconds.
 *
 * Whoever says something hears it, too; on NATS the others do as well. After the bus was away, and after
 * something could not be said, everybody hears BUS_LOOK. */
#ifndef RUMMYD_BUS_BUS_H
#define RUMMYD_BUS_BUS_H

#include "bus/message.h"

struct bus_port;

enum bus_count {
    BUS_SAID,    /* given to the server */
    BUS_HEARD,   /* from others */
    BUS_DROPPED, /* not said, for the bus was away or the queue full; or not heard, for too many came at once
                  */
    BUS_BAD,     /* from others, and no messages of ours */
};

/* They must not block. */
struct bus_ports {
    void *ctx;
    /* own: this process said it, and it is called on the thread that did; else on a thread of the bus. */
    void (*heard)(void *ctx, const struct bus_message *message, bool own);
    void (*count)(void *ctx, enum bus_count what, int64_t n); /* any thread */
    void (*up)(void *ctx, bool up); /* a thread of the bus, or the one that starts it */
};

enum {
    BUS_QUEUE_MAX = 4096,    /* messages that wait to be said */
    BUS_PENDING_MAX = 16384, /* messages of others that wait to be heard */
    BUS_RETRY_MS_MIN = 100,  /* pause before it connects again, doubling */
    BUS_RETRY_MS_MAX = 2000,
    BUS_CONNECT_MS_MAX = 1000, /* of one try, at each server: a stop may have to wait for it */
    BUS_WRITE_MS_MAX = 2000,
    BUS_PING_MS = 1000, /* a server that answers so few pings is gone: */
    BUS_PINGS_MAX = 2,
    BUS_SERVERS_MAX = 8,
    BUS_URL_MAX = 512,
};

struct bus_nats_options {
    const char *url; /* "nats://user:password@host:4222", or tls://; several with commas between */
    const char *ca; /* file of certificates that those of the servers are checked with; empty: the system's */
    const char *name; /* of this node, as the server shows it */
};

/* NULL: memory is short. */
struct bus_port *bus_local(const struct bus_ports *ports);
/* Connects on a thread of its own, for ever. NULL: it cannot start, and *why is a sentence. */
struct bus_port *bus_nats(const struct bus_nats_options *options, const struct bus_ports *ports,
                          const char **why);
/* Any thread; does not block. */
void bus_say(struct bus_port *bus, enum bus_kind kind, int64_t id);
/* Nothing is heard any more when it returns, and what is said goes nowhere. NULL is fine. */
void bus_stop(struct bus_port *bus);
/* After bus_stop, when nobody says anything. NULL is fine. */
void bus_free(struct bus_port *bus);

/* What a URL of the bus is like. */
enum bus_url { BUS_URL_BAD, BUS_URL_NAMELESS, BUS_URL_EXPOSED, BUS_URL_OK };
/* BAD: not to be read. NAMELESS: some server without user and password. EXPOSED: all have them, and some on
 * another machine are talked to without TLS. */
enum bus_url bus_url_look(const char *url);

#endif
