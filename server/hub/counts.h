/* The metrics of the hub. Hub thread. */
#ifndef RUMMYD_SERVER_HUB_COUNTS_H
#define RUMMYD_SERVER_HUB_COUNTS_H

#include "server/hub/hub_in.h"

/* Updates the metrics, once per second. */
void srv_hub_count(struct srv_hub *hub);

#endif
