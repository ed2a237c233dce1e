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

#endif
