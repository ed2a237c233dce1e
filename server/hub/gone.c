/* Tables evicted from this node's memory; see gone.h. Hub thread. */
#include "server/hub/gone.h"

#include "base/bug.h"
#include "server/hub/hub_in.h"

void srv_hub_note_gone(struct srv_hub *hub, const struct tab_write *write)
{
    struct srv_gone *gone = &hub->gone;
    bool goes = write->kind == TAB_WRITE_PASS || write->kind == TAB_WRITE_SLEEP;
    ASSERT(write->table_id > 0);
    if (goes && write->result == TAB_WRITTEN)
        gone->ids[gone->n++ % HUB_GONE_MAX] = write->table_id;
}

bool srv_hub_gone_since(const struct srv_hub *hub, int64_t table_id, uint64_t gone_n)
{
    const struct srv_gone *gone = &hub->gone;
    ASSERT(gone_n <= gone->n);
    if (gone->n - gone_n > HUB_GONE_MAX)
        return true;
    for (uint64_t i = gone_n; i < gone->n; i++)
        if (gone->ids[i % HUB_GONE_MAX] == table_id)
            return true;
    return false;
}
