/* The thread that advances tournaments: it requests the next step of each due tournament from the database,
 * and notifies the nodes of new tables. Every node has one; only one node does each step. */
#ifndef RUMMYD_SERVER_TOURNAMENTS_H
#define RUMMYD_SERVER_TOURNAMENTS_H

#include "server/config.h"
#include "server/outbound/news.h"

struct srv_tournaments;

/* NULL: no thread or memory. Borrows both arguments. Main thread. */
struct srv_tournaments *srv_tournaments_start(const struct srv_config *config, struct srv_news *news);
/* Ends the thread and frees its memory. Accepts NULL. */
void srv_tournaments_stop(struct srv_tournaments *tournaments);

#endif
