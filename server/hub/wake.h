/* Wakes the hub, from another thread or for its next iteration. */
#ifndef RUMMYD_SERVER_HUB_WAKE_H
#define RUMMYD_SERVER_HUB_WAKE_H

struct srv_hub;

/* Call when something has changed that the hub must check: a request of another thread, or the lease. Any
 * thread. */
void srv_hub_wake(struct srv_hub *hub);

#endif
