/* The registry: all tables of this node, by id, and what they share: ports, limits, the clock, counts. Hub
 * thread. */
#ifndef RUMMYD_TABLES_REGISTRY_H
#define RUMMYD_TABLES_REGISTRY_H

#include "tables/clock.h"
#include "tables/ports.h"

struct tab_table;

/* How a thought came out. */
enum tab_thought_end {
    TAB_THOUGHT_PLAYED,
    TAB_THOUGHT_REFUSED, /* there was no room for it: asked once more, then what came first to mind was played
                          */
    TAB_THOUGHT_LATE,    /* its answer did not come in time: likewise */
    TAB_THOUGHT_STALE,   /* an answer that nobody waits for any more */
    TAB_THOUGHT_ENDS
};

struct tab_limits {
    size_t table_max;
    int64_t time_bank_ms; /* of each player, for a bad line: once for the whole game */
    int64_t seed_wait_ms, hand_pause_ms, bot_think_ms, linger_ms;
    int64_t practice_wait_ms; /* for the person of a practice table */
    int64_t sleep_after_ms;   /* without anybody connected a table with turns of hours sleeps */
};

/* For the metrics: since the start. */
struct tab_counts {
    uint64_t moves, timeouts, nacks, repeats, settled, cancelled, lost;
    uint64_t thoughts[TAB_THOUGHT_ENDS]; /* by enum tab_thought_end */
};

struct tab_registry {
    struct tab_ports ports;
    struct tab_limits limits;
    struct tab_clock clock;
    struct tab_table **buckets; /* by id, a list each */
    size_t buckets_n, tables_n;
    size_t writing_n; /* tables with a write on its way */
    bool outage;      /* the database is away: nothing new is begun */
    bool draining;    /* the process ends: nothing new is begun */
    int64_t outage_since_ms;
    struct tab_counts counts;
};

/* Copies ports and limits. false: memory is short. */
bool tab_registry_init(struct tab_registry *registry, const struct tab_ports *ports,
                       const struct tab_limits *limits);
/* Frees all tables, too. Their sockets are not closed. */
void tab_registry_free(struct tab_registry *registry);
/* NULL: there is no such table. */
struct tab_table *tab_registry_find(const struct tab_registry *registry, int64_t id);
/* The table is the registry's from now on. There must be room, and none of its id. */
void tab_registry_add(struct tab_registry *registry, struct tab_table *table);
/* Closes what is connected with the code, takes the table out and frees it. No write may be on its way. */
void tab_registry_drop(struct tab_table *table, int close_code);
/* Calls visit for each table. It may not add or drop any. */
void tab_registry_each(struct tab_registry *registry, void (*visit)(struct tab_table *table, void *arg),
                       void *arg);

/* ---- All tables together ---- */
/* Does what is due (table.c). Returns when to be called next, TAB_NEVER when nothing is set. */
int64_t tab_registry_tick(struct tab_registry *registry);
/* A thought came back, and its table goes on if it has waited for that (table.c). */
void tab_registry_answer(struct tab_registry *registry, const struct tab_thought *thought);
/* The database is lost, or back (outage.c): clocks stand still meanwhile, and everybody is told. tell false:
 * not a word is said, for others may have these tables. */
void tab_outage_begin(struct tab_registry *registry, bool tell);
void tab_outage_end(struct tab_registry *registry);
/* Begins nothing new and tells everybody to come back in retry_ms; sockets close with WIRE_CLOSE_RESTARTING.
 */
void tab_registry_drain(struct tab_registry *registry, int64_t retry_ms);

#endif
