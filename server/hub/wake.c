/* Wakes the hub; see wake.h. */
#include "server/hub/wake.h"

#include "server/hub/hub_in.h"

void srv_hub_wake(struct srv_hub *hub)
{
    ev_async_send(hub->loop, &hub->wake);
}
