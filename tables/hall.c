/* All tables of a node: found by id, woken when due, paused and drained together. Hub thread. */
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "tables/table_in.h"
#include "tables/wire.h"

bool tab_hall_init(struct tab_hall *hall, const struct tab_ports *ports, const struct tab_limits *limits)
{
    ASSERT(limits->table_max > 0);
    *hall = (struct tab_hall){.ports = *ports, .limits = *limits};
    hall->buckets_n = 64;
    while (hall->buckets_n < limits->table_max)
        hall->buckets_n *= 2;
    hall->buckets = calloc(hall->buckets_n, sizeof(struct tab_table *));
    return hall->buckets != NULL && tab_clock_init(&hall->clock, limits->table_max);
}

void tab_hall_free(struct tab_hall *hall)
{
    for (size_t i = 0; hall->buckets && i < hall->buckets_n; i++)
        while (hall->buckets[i]) {
            struct tab_table *table = hall->buckets[i];
            hall->buckets[i] = table->next;
            tab_unload(table);
            free(table);
        }
    free(hall->buckets);
    tab_clock_free(&hall->clock);
    *hall = (struct tab_hall){0};
}

static struct tab_table **bucket(const struct tab_hall *hall, int64_t id)
{
    uint64_t mixed = (uint64_t)id * 0x9E3779B97F4A7C15ULL;
    return &hall->buckets[(mixed >> 32) & (hall->buckets_n - 1)];
}

struct tab_table *tab_hall_find(const struct tab_hall *hall, int64_t id)
{
    for (struct tab_table *table = *bucket(hall, id); table; table = table->next)
        if (table->id == id)
            return table;
    return NULL;
}

void tab_hall_add(struct tab_hall *hall, struct tab_table *table)
{
    ASSERT(hall->tables_n < hall->limits.table_max && !tab_hall_find(hall, table->id));
    struct tab_table **first = bucket(hall, table->id);
    table->hall = hall;
    table->next = *first;
    *first = table;
    hall->tables_n++;
}

void tab_drop(struct tab_table *table, int close_code)
{
    struct tab_hall *hall = table->hall;
    ASSERT(!table->writing && hall->tables_n > 0);
    for (uint8_t i = 0; i < table->seats_n; i++)
        tab_close_seat(table, i, close_code);
    tab_watch_close(table, close_code);
    tab_clock_set(&hall->clock, &table->due, TAB_NEVER);
    struct tab_table **at = bucket(hall, table->id);
    while (*at != table)
        at = &(*at)->next;
    *at = table->next;
    hall->tables_n--;
    tab_unload(table);
    free(table);
}

void tab_hall_each(struct tab_hall *hall, void (*visit)(struct tab_table *table, void *arg), void *arg)
{
    for (size_t i = 0; i < hall->buckets_n; i++)
        for (struct tab_table *table = hall->buckets[i]; table; table = table->next)
            visit(table, arg);
}

int64_t tab_hall_tick(struct tab_hall *hall)
{
    int64_t now = hall->ports.now_ms(hall->ports.ctx);
    struct tab_deadline *due;
    while ((due = tab_clock_pop(&hall->clock, now)) != NULL) {
        struct tab_table *table = (struct tab_table *)((char *)due - offsetof(struct tab_table, due));
        if (table->state == TAB_OVER && now >= table->linger_ms)
            tab_drop(table, TAB_CLOSE_OVER);
        else
            tab_pump(table);
    }
    return tab_clock_next(&hall->clock);
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
        tab_clock_set(&table->hall->clock, &table->due, TAB_NEVER);
}

void tab_hall_pause(struct tab_hall *hall)
{
    if (hall->paused)
        return;
    bool paused = hall->paused = true;
    hall->paused_at_ms = hall->ports.now_ms(hall->ports.ctx);
    tab_hall_each(hall, tell_paused, &paused);
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
    shift(&table->pause_ms, *stood_ms);
    shift(&table->bot_ms, *stood_ms);
    shift(&table->linger_ms, *stood_ms);
    tell_paused(table, &paused);
    if (tab_is_between(table))
        tab_tell_pause(table, ENG_NO_SEAT);
    else if (table->state == TAB_PLAYING)
        tab_tell_clock(table, ENG_NO_SEAT);
    tab_pump(table);
}

void tab_hall_resume(struct tab_hall *hall)
{
    if (!hall->paused)
        return;
    hall->paused = false;
    int64_t stood_ms = hall->ports.now_ms(hall->ports.ctx) - hall->paused_at_ms;
    tab_hall_each(hall, go_on, &stood_ms);
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
    tab_watch_close(table, TAB_CLOSE_RESTARTING);
    tab_clock_set(&table->hall->clock, &table->due, TAB_NEVER);
}

void tab_hall_drain(struct tab_hall *hall, int64_t retry_ms)
{
    hall->draining = true;
    tab_hall_each(hall, send_away, &retry_ms);
}
