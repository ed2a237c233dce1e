/* All tables of a node: found by id, woken when due, paused and drained together. Hub thread. */
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "tables/table_in.h"
#include "tables/wire.h"

bool tab_registry_init(struct tab_registry *registry, const struct tab_ports *ports,
                       const struct tab_limits *limits)
{
    ASSERT(limits->table_max > 0);
    *registry = (struct tab_registry){.ports = *ports, .limits = *limits};
    registry->buckets_n = 64;
    while (registry->buckets_n < limits->table_max)
        registry->buckets_n *= 2;
    registry->buckets = calloc(registry->buckets_n, sizeof(struct tab_table *));
    return registry->buckets != NULL && tab_clock_init(&registry->clock, limits->table_max);
}

void tab_registry_free(struct tab_registry *registry)
{
    for (size_t i = 0; registry->buckets && i < registry->buckets_n; i++)
        while (registry->buckets[i]) {
            struct tab_table *table = registry->buckets[i];
            registry->buckets[i] = table->next;
            tab_unload(table);
            free(table);
        }
    free(registry->buckets);
    tab_clock_free(&registry->clock);
    *registry = (struct tab_registry){0};
}

static struct tab_table **bucket(const struct tab_registry *registry, int64_t id)
{
    uint64_t mixed = (uint64_t)id * 0x9E3779B97F4A7C15ULL;
    return &registry->buckets[(mixed >> 32) & (registry->buckets_n - 1)];
}

struct tab_table *tab_registry_find(const struct tab_registry *registry, int64_t id)
{
    for (struct tab_table *table = *bucket(registry, id); table; table = table->next)
        if (table->id == id)
            return table;
    return NULL;
}

void tab_registry_add(struct tab_registry *registry, struct tab_table *table)
{
    ASSERT(registry->tables_n < registry->limits.table_max && !tab_registry_find(registry, table->id));
    struct tab_table **first = bucket(registry, table->id);
    table->registry = registry;
    table->next = *first;
    *first = table;
    registry->tables_n++;
}

void tab_drop(struct tab_table *table, int close_code)
{
    struct tab_registry *registry = table->registry;
    ASSERT(!table->writing && registry->tables_n > 0);
    for (uint8_t i = 0; i < table->seats_n; i++)
        tab_close_seat(table, i, close_code);
    tab_spectators_close(table, close_code);
    tab_clock_set(&registry->clock, &table->due, TAB_NEVER);
    struct tab_table **at = bucket(registry, table->id);
    while (*at != table)
        at = &(*at)->next;
    *at = table->next;
    registry->tables_n--;
    tab_unload(table);
    free(table);
}

void tab_registry_each(struct tab_registry *registry, void (*visit)(struct tab_table *table, void *arg),
                       void *arg)
{
    for (size_t i = 0; i < registry->buckets_n; i++)
        for (struct tab_table *table = registry->buckets[i]; table; table = table->next)
            visit(table, arg);
}

int64_t tab_registry_tick(struct tab_registry *registry)
{
    int64_t now = registry->ports.now_ms(registry->ports.ctx);
    struct tab_deadline *due;
    while ((due = tab_clock_pop(&registry->clock, now)) != NULL) {
        struct tab_table *table = (struct tab_table *)((char *)due - offsetof(struct tab_table, due));
        if (table->state == TAB_OVER && now >= table->linger_ms)
            tab_drop(table, TAB_CLOSE_OVER);
        else
            tab_pump(table);
    }
    return tab_clock_next(&registry->clock);
}

/* ---- Together ---- */
static void tell_paused(struct tab_table *table, void *arg)
{
    const bool *paused = arg;
    char memory[64];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_paused(&frame, *paused);
    tab_send_all(table, &frame);
    if (*paused)
        tab_clock_set(&table->registry->clock, &table->due, TAB_NEVER);
}

void tab_outage_begin(struct tab_registry *registry)
{
    if (registry->outage)
        return;
    bool paused = registry->outage = true;
    registry->outage_since_ms = registry->ports.now_ms(registry->ports.ctx);
    tab_registry_each(registry, tell_paused, &paused);
}

static void shift(int64_t *at_ms, int64_t by_ms)
{
    if (*at_ms != TAB_NEVER)
        *at_ms += by_ms;
}

static void go_on(struct tab_table *table, void *arg)
{
    const int64_t *stood_ms = arg;
    bool paused = false;
    shift(&table->fill_ms, *stood_ms);
    shift(&table->start_ms, *stood_ms);
    shift(&table->turn_ms, *stood_ms);
    shift(&table->next_hand_ms, *stood_ms);
    shift(&table->bot_ms, *stood_ms);
    shift(&table->linger_ms, *stood_ms);
    tell_paused(table, &paused);
    if (tab_is_between_hands(table))
        tab_tell_next_hand(table, ENG_NO_SEAT);
    else if (table->state == TAB_PLAYING)
        tab_tell_clock(table, ENG_NO_SEAT);
    tab_pump(table);
}

void tab_outage_end(struct tab_registry *registry)
{
    if (!registry->outage)
        return;
    registry->outage = false;
    int64_t stood_ms = registry->ports.now_ms(registry->ports.ctx) - registry->outage_since_ms;
    tab_registry_each(registry, go_on, &stood_ms);
}

static void send_away(struct tab_table *table, void *arg)
{
    const int64_t *retry_ms = arg;
    char memory[128];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_restarting(&frame, *retry_ms);
    tab_send_all(table, &frame);
    for (uint8_t i = 0; i < table->seats_n; i++)
        tab_close_seat(table, i, TAB_CLOSE_RESTARTING);
    tab_spectators_close(table, TAB_CLOSE_RESTARTING);
    tab_clock_set(&table->registry->clock, &table->due, TAB_NEVER);
}

void tab_registry_drain(struct tab_registry *registry, int64_t retry_ms)
{
    registry->draining = true;
    tab_registry_each(registry, send_away, &retry_ms);
}
