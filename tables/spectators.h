/* Who watches a table without a seat: public information only, an event encoded once for all of them, and as
 * much later as the table wants. Hub thread. */
#ifndef RUMMYD_TABLES_SPECTATORS_H
#define RUMMYD_TABLES_SPECTATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tables/ports.h"

enum {
    TAB_SPECTATORS_MAX = 2000,     /* at one table */
    TAB_SPECTATORS_TELL_MS = 1000, /* the seats hear of a new number at most so often */
};

struct buf;
struct eng_game;
struct tab_table;

/* Zeroed: nobody watches. */
struct tab_spectators {
    tab_socket **sockets; /* greeted: they get what everybody may see */
    size_t n, cap;
    struct tab_spectator_guest *guests; /* wait for their first picture */
    size_t guests_n, guests_cap;
    size_t told_n;
    int64_t told_ms;
    /* With a delay watchers see `shadow`, which makes the table's moves so much later. It is made when the
     * first of them comes, and shown when they have waited as long. */
    int64_t delay_ms;
    struct eng_game *shadow;
    int64_t shown_ms; /* not before */
    int64_t *made_ms; /* when each move of the hand after shadow_n was made; counted like table->moves */
    uint32_t made_n, made_cap;
    uint32_t shadow_n; /* moves of the hand the shadow has made */
    uint32_t sent_v;   /* events up to here were sent to watchers */
};

/* A socket that may see the table, delay_ms later than it happens; since: as tab_join. false: there are too
 * many. */
bool tab_spectate(struct tab_table *table, tab_socket *socket, int64_t since, int64_t delay_ms);
/* The socket is gone. */
void tab_unspectate(struct tab_table *table, const tab_socket *socket);
/* Greeted and waiting ones. */
size_t tab_spectators_count(const struct tab_table *table);

/* ---- For the files of the table ---- */
/* To all that were greeted. */
void tab_spectators_send(struct tab_table *table, const struct buf *frame);
/* An event as everybody sees it, just released to the seats; nothing when watchers get it later. */
void tab_spectators_event(struct tab_table *table, uint32_t v, const struct buf *frame);
/* What was released is complete: a delayed watcher's moves are noted. */
void tab_spectators_released(struct tab_table *table);
/* A hand was dealt. */
void tab_spectators_dealt(struct tab_table *table);
/* The game starts: the whole table for everybody. */
void tab_spectators_welcome(struct tab_table *table);
/* The game is settled: what everybody may know of it. */
void tab_spectators_hand_ended(struct tab_table *table);
void tab_spectators_settled(struct tab_table *table);
/* A seat was greeted: how many watch, if anybody does. */
void tab_spectators_tell_seat(struct tab_table *table, uint8_t seat);
/* Greets who came, and shows what is due. No write may be on its way. */
void tab_spectators_tick(struct tab_table *table);
/* When tab_spectators_tick has something to do; TAB_NEVER: nothing. */
int64_t tab_spectators_due(const struct tab_table *table);
void tab_spectators_close(struct tab_table *table, int close_code);
void tab_spectators_free(struct tab_spectators *spectators);
/* Seats' clocks are for watchers too, unless they see the table later. */
bool tab_spectators_is_live(const struct tab_table *table);

#endif
