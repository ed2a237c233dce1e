/* Spectators: who watches a table without a seat. They get public information only, an event encoded once for
 * all of them, and as much later as the table wants. Hub thread. */
#ifndef RUMMYD_TABLES_SPECTATORS_H
#define RUMMYD_TABLES_SPECTATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tables/ports.h"
#include "tables/shadow.h"

enum {
    TAB_SPECTATORS_MAX = 2000,     /* at one table */
    TAB_SPECTATORS_TELL_MS = 1000, /* the seats hear of a new number at most so often */
};

struct tab_table;

/* The table's, from the first one on. Zeroed: there are none. */
struct tab_spectators {
    tab_socket **sockets; /* greeted: they get what everybody may see */
    size_t n, cap;
    struct tab_spectator_guest *guests; /* wait for their first picture */
    size_t guests_n, guests_cap;
    size_t told_n; /* the number the seats were told, and when */
    int64_t told_ms;
    /* With a delay they see the shadow. It is made when the first of them comes, and shown when they have
     * waited as long as the delay. */
    int64_t delay_ms;
    struct tab_shadow shadow;
    int64_t shown_ms; /* not before */
    uint32_t sent_v;  /* events up to here were sent to them */
};

/* The socket waits to be greeted. false: there are too many, or memory is short. */
bool tab_spectators_add(struct tab_table *table, tab_socket *socket, int64_t since, int64_t delay_ms);
/* The socket is gone. Does nothing when it is none of them. */
void tab_spectators_remove(struct tab_table *table, const tab_socket *socket);
void tab_spectators_close(struct tab_table *table, int close_code);
void tab_spectators_free(struct tab_table *table);

/* ---- What they see ---- */
/* A hand was dealt. */
void tab_spectators_dealt(struct tab_table *table);
/* All events of a move have been sent: those who see them later get them when it is time. */
void tab_spectators_released(struct tab_table *table);
/* A hand begins: the whole table for all of them. */
void tab_spectators_welcome(struct tab_table *table);
/* One that is greeted gets what it misses since that version, or the whole table. */
void tab_spectators_tell_missing(struct tab_table *table, tab_socket *const *socket, int64_t since);
/* The seat hears how many watch, if the seats were told that anybody does. */
void tab_spectators_tell_seat(struct tab_table *table, uint8_t seat);

/* ---- When ---- */
/* What a phase tells a spectator that has come. */
typedef void tab_spectators_greet(struct tab_table *table, tab_socket *const *socket, int64_t since);
/* Greets who came, and shows what is due. No write may be on its way. */
void tab_spectators_tick(struct tab_table *table, tab_spectators_greet *greet);
/* When tab_spectators_tick has something to do, monotonic ms; TAB_NEVER: nothing. */
int64_t tab_spectators_due(const struct tab_table *table);

#endif
