/* The bus of a node that runs alone, and common code of both implementations. Any thread. */
#include <stdlib.h>

#include "base/bug.h"
#include "bus/bus_in.h"

struct bus_port *bus_local(const struct bus_ports *ports)
{
    ASSERT(ports->received && ports->count && ports->up);
    struct bus_port *bus = calloc(1, sizeof(*bus));
    if (!bus)
        return NULL;
    bus->ports = *ports;
    ports->up(ports->ctx, true);
    return bus;
}

void bus_publish(struct bus_port *bus, enum bus_kind kind, int64_t id)
{
    const struct bus_message message = {.kind = kind, .id = id};
    if (atomic_load(&bus->stopped))
        return;
    bus->ports.received(bus->ports.ctx, &message, true);
    if (bus->way)
        bus->way->publish(bus, &message);
}

void bus_stop(struct bus_port *bus)
{
    if (!bus || atomic_exchange(&bus->stopped, true))
        return;
    if (bus->way)
        bus->way->stop(bus);
}

void bus_free(struct bus_port *bus)
{
    if (!bus)
        return;
    ASSERT(atomic_load(&bus->stopped));
    if (bus->way)
        bus->way->free(bus);
    else
        free(bus);
}
