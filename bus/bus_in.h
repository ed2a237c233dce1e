/* Shared by the implementations of the bus. */
#ifndef RUMMYD_BUS_BUS_IN_H
#define RUMMYD_BUS_BUS_IN_H

#include <stdatomic.h>

#include "bus/bus.h"

struct bus_port {
    struct bus_ports ports;
    const struct bus_way *way; /* to other nodes; NULL: none */
    atomic_bool stopped;
};

struct bus_way {
    void (*publish)(struct bus_port *bus, const struct bus_message *message);
    void (*stop)(struct bus_port *bus);
    void (*free)(struct bus_port *bus);
};

/* One server of a URL. */
struct bus_server {
    const char *user, *password, *host; /* not NUL-terminated; host without brackets */
    size_t user_len, password_len, host_len;
    bool tls;
};

/* Parses the servers in a URL; 0: it is malformed. Their texts point into the URL. */
size_t bus_url_read(const char *url, struct bus_server servers[BUS_SERVERS_MAX]);

#endif
