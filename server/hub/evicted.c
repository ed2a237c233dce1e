/* Tables evicted from this node's memory; see evicted.h. Hub thread. */
#include "server/hub/evicted.h"

#include "base/bug.h"
#include "server/hub/hub_in.h"

void srv_hub_note_evicted(struct srv_hub *hub, const struct tab_write *write)
{
    struct srv_evicted *evicted = &hub->evicted;
    bool goes = write->kind == TAB_WRITE_HANDOVER || write->kind == TAB_WRITE_SLEEP;
    ASSERT(write->table_id > 0);
    if (goes && write->result == TAB_WRITTEN)
        evicted->ids[evicted->n++ % HUB_EVICTED_MAX] = write->table_id;
}

bool srv_hub_evicted_since(const struct srv_hub *hub, int64_t table_id, uint64_t evicted_n)
{
    const struct srv_evicted *evicted = &hub->evicted;
    ASSERT(evicted_n <= evicted->n);
    if (evicted->n - evicted_n > HUB_EVICTED_MAX)
        return true;
    for (uint64_t i = evicted_n; i < evicted->n; i++)
        if (evicted->ids[i % HUB_EVICTED_MAX] == table_id)
            return true;
    return false;
}
