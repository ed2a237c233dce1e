/* Spectators: clients that watch a table without a seat. They get public information only, with each event
 * encoded once for all of them, delayed by as much as the table wants. Hub thread. */
#ifndef RUMMYD_TABLES_SPECTATORS_H
#define RUMMYD_TABLES_SPECTATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tables/ports.h"
#include "tables/shadow.h"

enum {
    TAB_SPECTATORS_MAX = 2000,     /* per table */
    TAB_SPECTATORS_SEND_MS = 1000, /* minimum interval at which the seats get the number of spectators */
};

struct tab_table;

/* Owned by the table, from the first spectator on. Zeroed: none. */
struct tab_spectators {
    tab_socket **sockets; /* greeted: they get all public events */
    size_t n, cap;
    struct tab_spectator_guest *guests; /* waiting for their first snapshot */
    size_t guests_n, guests_cap;
    size_t sent_n; /* the number last sent to the seats, and when */
    int64_t sent_ms;
    /* With a delay they see the shadow. It is created when the first of them connects, and shown after they
     * have waited for the delay. */
    int64_t delay_ms;
    struct tab_shadow shadow;
    int64_t shown_ms; /* not shown before this time */
    uint32_t sent_v;  /* events up to here were sent to them */
};

/* Adds a socket that waits to be greeted. false: the limit is reached, or memory is short. */
bool tab_spectators_add(struct tab_table *table, tab_socket *socket, int64_t since, int64_t delay_ms);
/* Removes a socket. Does nothing if it is not a spectator. */
void tab_spectators_remove(struct tab_table *table, const tab_socket *socket);
void tab_spectators_close(struct tab_table *table, int close_code);
void tab_spectators_free(struct tab_table *table);

/* ---- What they see ---- */
/* A hand was dealt. */
void tab_spectators_dealt(struct tab_table *table);
/* All events of a move have been sent; schedules them for delayed spectators. */
void tab_spectators_released(struct tab_table *table);
/* A hand begins: sends the whole table to all spectators. */
void tab_spectators_welcome(struct tab_table *table);
/* Sends a greeted spectator what it is missing since that version, or the whole table. */
void tab_spectators_send_missing(struct tab_table *table, tab_socket *const *socket, int64_t since);
/* Sends the seat the number of spectators, if the seats were sent one before. */
void tab_spectators_send_count(struct tab_table *table, uint8_t seat);

/* ---- Timing ---- */
/* What a phase sends to a spectator that has connected. */
typedef void tab_spectators_greet(struct tab_table *table, tab_socket *const *socket, int64_t since);
/* Greets new spectators and shows what is due. No write may be pending. */
void tab_spectators_tick(struct tab_table *table, tab_spectators_greet *greet);
/* When tab_spectators_tick has something to do, monotonic ms; TAB_NEVER: nothing. */
int64_t tab_spectators_due(const struct tab_table *table);

#endif
