/* The thread that goes on with tournaments: it asks the database for the next step of any that is due, and
 * tells the nodes of the tables that came of it. Each node has one; a step is one node's. */
#ifndef RUMMYD_SERVER_TOURNAMENTS_H
#define RUMMYD_SERVER_TOURNAMENTS_H

#include "server/config.h"
#include "server/news.h"

struct srv_tournaments;

/* NULL: no thread or memory. Borrows both. Main thread. */
struct srv_tournaments *srv_tournaments_start(const struct srv_config *config, struct srv_news *news);
/* Ends and frees it. NULL is fine. */
void srv_tournaments_stop(struct srv_tournaments *tournaments);

#endif
