/* Pauses all tables while the database is unreachable, and closes them when the process shuts down. Hub
 * thread. */
#include "base/bug.h"
#include "tables/outbox.h"
#include "tables/registry.h"
#include "tables/run.h"
#include "tables/seats.h"

static void stop(struct tab_table *table, void *arg)
{
    const bool *notify = arg;
    ASSERT(table->registry->outage);
    if (*notify)
        tab_send_outage(table, tab_to_all(table), true);
    tab_clock_set(&table->registry->clock, &table->due, TAB_NEVER);
}

void tab_outage_begin(struct tab_registry *registry, bool notify)
{
    if (registry->outage)
        return;
    registry->outage = true;
    registry->outage_since_ms = registry->ports.now_ms(registry->ports.ctx);
    tab_registry_each(registry, stop, &notify);
}

static void go_on(struct tab_table *table, void *arg)
{
    const int64_t *stood_ms = arg;
    tab_run_again(table, *stood_ms);
}

void tab_outage_end(struct tab_registry *registry)
{
    if (!registry->outage)
        return;
    registry->outage = false;
    int64_t stood_ms = registry->ports.now_ms(registry->ports.ctx) - registry->outage_since_ms;
    ASSERT(stood_ms >= 0);
    tab_registry_each(registry, go_on, &stood_ms);
}

static void send_away(struct tab_table *table, void *arg)
{
    const int64_t *retry_ms = arg;
    ASSERT(table->registry->draining);
    tab_send_restarting(table, *retry_ms);
    for (uint8_t i = 0; i < table->seats_n; i++)
        tab_seats_close(table, i, WIRE_CLOSE_RESTARTING);
    tab_spectators_close(table, WIRE_CLOSE_RESTARTING);
    tab_clock_set(&table->registry->clock, &table->due, TAB_NEVER);
}

void tab_registry_drain(struct tab_registry *registry, int64_t retry_ms)
{
    ASSERT(retry_ms >= 0);
    registry->draining = true;
    tab_registry_each(registry, send_away, &retry_ms);
}
