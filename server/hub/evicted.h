/* Tables evicted from this node's memory because another node owns them now or they sleep. A read of their
 * rows that began before the eviction still returns this node as the owner. Hub thread. */
#ifndef RUMMYD_SERVER_HUB_EVICTED_H
#define RUMMYD_SERVER_HUB_EVICTED_H

#include <stdbool.h>
#include <stdint.h>

struct srv_hub;
struct tab_write;

enum { HUB_EVICTED_MAX = 16384 }; /* most recent evictions kept: more than can happen during one statement */

struct srv_evicted {
    uint64_t n; /* since startup */
    int64_t ids[HUB_EVICTED_MAX];
};

/* Records the eviction if this completed write caused one; ignores other kinds and refused writes. Call
 * before tab_written. */
void srv_hub_note_evicted(struct srv_hub *hub, const struct tab_write *write);
/* Whether the table was evicted after the first evicted_n evictions. Also true if the list no longer goes
 * back that far. */
bool srv_hub_evicted_since(const struct srv_hub *hub, int64_t table_id, uint64_t evicted_n);

#endif
