/* Spectators: clients that watch a table without a seat. They get only public information. Each event is
 * encoded once for all of them, and may be delayed. Hub thread. */
#ifndef RUMMYD_TABLES_SPECTATORS_H
#define RUMMYD_TABLES_SPECTATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tables/ports.h"
#include "tables/shadow.h"

enum {
    TAB_SPECTATORS_MAX = 2000,     /* per table */
    TAB_SPECTATORS_SEND_MS = 1000, /* minimum interval at which seats get the number of spectators */
};

struct tab_table;

/* Allocated with the first spectator and owned by the table. Zeroed: none. */
struct tab_spectators {
    tab_socket **sockets; /* greeted spectators, who get all public events */
    size_t n, cap;
    struct tab_spectator_guest *guests; /* spectators waiting for their first snapshot */
    size_t guests_n, guests_cap;
    size_t sent_n; /* the number last sent to the seats, and the time */
    int64_t sent_ms;
    /* With a delay, spectators see the shadow. It is created when the first spectator connects, and shown
     * after the delay. */
    int64_t delay_ms;
    struct tab_shadow shadow;
    int64_t shown_ms; /* the shadow is not shown before this time */
    uint32_t sent_v;  /* events up to here were sent to them */
};

/* Adds a socket that waits to be greeted. false: the limit is reached, or memory is exhausted. */
bool tab_spectators_add(struct tab_table *table, tab_socket *socket, int64_t since, int64_t delay_ms);
/* Removes a socket. Does nothing if it is not a spectator. */
void tab_spectators_remove(struct tab_table *table, const tab_socket *socket);
void tab_spectators_close(struct tab_table *table, int close_code);
void tab_spectators_free(struct tab_table *table);

/* ---- What they see ---- */
/* Called when a hand was dealt. */
void tab_spectators_dealt(struct tab_table *table);
/* Called when all events of a move have been sent; schedules them for delayed spectators. */
void tab_spectators_released(struct tab_table *table);
/* Sends the whole table to all spectators when a hand begins. */
void tab_spectators_welcome(struct tab_table *table);
/* Sends a greeted spectator everything since that version, or the whole table. */
void tab_spectators_send_missing(struct tab_table *table, tab_socket *const *socket, int64_t since);
/* Sends the number of spectators to the seat, if the seats have received it before. */
void tab_spectators_send_count(struct tab_table *table, uint8_t seat);

/* ---- Timing ---- */
/* What a phase sends to a spectator that has connected. */
typedef void tab_spectators_greet(struct tab_table *table, tab_socket *const *socket, int64_t since);
/* Greets new spectators and shows what is due. No write may be pending. */
void tab_spectators_tick(struct tab_table *table, tab_spectators_greet *greet);
/* When to call tab_spectators_tick, monotonic ms; TAB_NEVER: nothing to do. */
int64_t tab_spectators_due(const struct tab_table *table);

#endif
