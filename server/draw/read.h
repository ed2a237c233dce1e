/* Parses the database rows of a round to be drawn (q_tournament_order). */
#ifndef RUMMYD_SERVER_DRAW_READ_H
#define RUMMYD_SERVER_DRAW_READ_H

#include "server/draw/draw.h"

/* entrants: n times four numbers: entry, score, byes, rank from the lowest. tables: for each table its number
 * of entries, then the entries; NULL: no tables. No rank or entry repeats, neither overall nor at a table.
 * srv_draw_drop frees all memory of *draw. false: the texts are invalid, or out of memory, and there is
 * nothing to free. */
bool srv_draw_read(struct srv_draw *draw, int n, int seats, const char *entrants, const char *tables);
void srv_draw_drop(struct srv_draw *draw);

#endif
