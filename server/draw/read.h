/* Parses the database rows of a round to be drawn (q_tournament_order). */
#ifndef RUMMYD_SERVER_DRAW_READ_H
#define RUMMYD_SERVER_DRAW_READ_H

#include "server/draw/draw.h"

/* entrants: four numbers for each of n entrants: entry, score, byes, and rank (0 is the lowest). tables:
 * for each table, the number of entries, then the entries; NULL: no tables. Ranks are unique, and so are
 * entries, both overall and at each table. srv_draw_drop frees *draw. false: the texts are invalid or there
 * is no memory; there is nothing to free. */
bool srv_draw_read(struct srv_draw *draw, int n, int seats, const char *entrants, const char *tables);
void srv_draw_drop(struct srv_draw *draw);

#endif
