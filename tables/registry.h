/* The registry: all tables of this node, by id, and their shared ports, limits, clock, and counters. Hub
 * thread. */
#ifndef RUMMYD_TABLES_REGISTRY_H
#define RUMMYD_TABLES_REGISTRY_H

#include "tables/clock.h"
#include "tables/ports.h"

struct tab_table;

/* How a search ended. */
enum tab_thought_end {
    TAB_THOUGHT_PLAYED,
    TAB_THOUGHT_REFUSED, /* no capacity: retried once, then the quick move was played */
    TAB_THOUGHT_LATE,    /* the answer did not arrive in time: same as above */
    TAB_THOUGHT_STALE,   /* the answer arrived too late to be used */
    TAB_THOUGHT_ENDS
};

struct tab_limits {
    size_t table_max;
    int64_t time_bank_ms; /* per player for the whole game, for bad connections */
    int64_t seed_wait_ms, hand_pause_ms, bot_think_ms, linger_ms;
    int64_t practice_wait_ms; /* how long a practice table waits for its player */
    int64_t sleep_after_ms;   /* after this time, a correspondence table without connections is unloaded */
};

/* Totals since startup, for the metrics. */
struct tab_counts {
    uint64_t moves, timeouts, nacks, repeats, settled, cancelled, lost;
    uint64_t thoughts[TAB_THOUGHT_ENDS]; /* indexed by enum tab_thought_end */
};

struct tab_registry {
    struct tab_ports ports;
    struct tab_limits limits;
    struct tab_clock clock;
    struct tab_table **buckets; /* hash table by id, one list per bucket */
    size_t buckets_n, tables_n;
    size_t writing_n; /* tables with a pending write */
    bool outage;      /* the database is unreachable, so no new work begins */
    bool draining;    /* the process is shutting down, so no new work begins */
    int64_t outage_since_ms;
    struct tab_counts counts;
};

/* Copies ports and limits. false: out of memory. */
bool tab_registry_init(struct tab_registry *registry, const struct tab_ports *ports,
                       const struct tab_limits *limits);
/* Also frees all tables. Their sockets are not closed. */
void tab_registry_free(struct tab_registry *registry);
/* NULL: no such table. */
struct tab_table *tab_registry_find(const struct tab_registry *registry, int64_t id);
/* Adds a table and takes ownership of it. There must be capacity, and no table with this id. */
void tab_registry_add(struct tab_registry *registry, struct tab_table *table);
/* Closes the table's connections with the code, removes the table, and frees it. No write may be pending. */
void tab_registry_drop(struct tab_table *table, int close_code);
/* Calls visit for each table. visit must not add or drop any. */
void tab_registry_each(struct tab_registry *registry, void (*visit)(struct tab_table *table, void *arg),
                       void *arg);

/* ---- All tables together ---- */
/* Does everything that is due (table.c). Returns when to call it next; TAB_NEVER: nothing is scheduled. */
int64_t tab_registry_tick(struct tab_registry *registry);
/* Call this when a search has finished; its table continues if it was waiting for the result (table.c). */
void tab_registry_answer(struct tab_registry *registry, const struct tab_thought *thought);
/* Call these when the database becomes unreachable or has recovered (outage.c). Clocks pause in the
 * meantime, and clients are notified. notify false: send nothing, because other nodes may own these
 * tables. */
void tab_outage_begin(struct tab_registry *registry, bool notify);
void tab_outage_end(struct tab_registry *registry);
/* Begins no new work, asks all clients to reconnect after retry_ms, and closes sockets with
 * WIRE_CLOSE_RESTARTING. */
void tab_registry_drain(struct tab_registry *registry, int64_t retry_ms);

#endif
