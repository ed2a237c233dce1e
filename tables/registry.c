/* All tables of a node, by id; see registry.h. Hub thread. */
#include "tables/registry.h"

#include <stdlib.h>

#include "base/bug.h"
#include "tables/replay.h"
#include "tables/seats.h"

bool tab_registry_init(struct tab_registry *registry, const struct tab_ports *ports,
                       const struct tab_limits *limits)
{
    ASSERT(limits->table_max > 0);
    ASSERT(ports->send && ports->close && ports->write && ports->think && ports->now_ms && ports->unix_ms);
    ASSERT(ports->random && ports->secret && ports->code_text);
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
    ASSERT(registry->buckets_n > 0 && (registry->buckets_n & (registry->buckets_n - 1)) == 0);
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
    ASSERT(table->registry == NULL && table->due.place == 0);
    struct tab_table **first = bucket(registry, table->id);
    table->registry = registry;
    table->next = *first;
    *first = table;
    registry->tables_n++;
}

void tab_registry_drop(struct tab_table *table, int close_code)
{
    struct tab_registry *registry = table->registry;
    ASSERT(!table->writing && registry->tables_n > 0);
    for (uint8_t i = 0; i < table->seats_n; i++)
        tab_seats_close(table, i, close_code);
    tab_spectators_close(table, close_code);
    tab_clock_forget(&registry->clock, &table->due);
    struct tab_table **at = bucket(registry, table->id);
    while (*at != table) {
        at = &(*at)->next;
        ASSERT(*at != NULL);
    }
    *at = table->next;
    registry->tables_n--;
    ASSERT(registry->writing_n <= registry->tables_n);
    tab_unload(table);
    free(table);
}

void tab_registry_each(struct tab_registry *registry, void (*visit)(struct tab_table *table, void *arg),
                       void *arg)
{
    size_t tables_n = registry->tables_n;
    for (size_t i = 0; i < registry->buckets_n; i++)
        for (struct tab_table *table = registry->buckets[i]; table; table = table->next)
            visit(table, arg);
    ASSERT(registry->tables_n == tables_n);
}
