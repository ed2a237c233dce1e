/* What the database says of a round that is to be drawn (q_tournament_order). */
#ifndef RUMMYD_SERVER_DRAW_READ_H
#define RUMMYD_SERVER_DRAW_READ_H

#include "server/draw/draw.h"

/* entrants: n times four numbers: entry, score, byes, rank from the lowest. tables: of each the number of its
 * entries, then these; NULL: there was none. No rank, no entry, and none at a table comes twice. All memory
 * of *draw is freed with srv_draw_drop. false: the texts are not that, or out of memory, and there is nothing
 * to free. */
bool srv_draw_read(struct srv_draw *draw, int n, int seats, const char *entrants, const char *tables);
void srv_draw_drop(struct srv_draw *draw);

#endif
