/* Tables that left this node's memory while their rows may have been being read: another node owns them, or
 * they sleep. Rows read before that still name this node. Hub thread. */
#ifndef RUMMYD_SERVER_HUB_EVICTED_H
#define RUMMYD_SERVER_HUB_EVICTED_H

#include <stdbool.h>
#include <stdint.h>

struct srv_hub;
struct tab_write;

enum { HUB_EVICTED_MAX = 16384 }; /* the most recent ones: more than can leave during one statement */

struct srv_evicted {
    uint64_t n; /* since startup */
    int64_t ids[HUB_EVICTED_MAX];
};

/* Notes a completed write if it made the table leave; ignores other kinds and refused writes. Call before
 * tab_written. */
void srv_hub_note_evicted(struct srv_hub *hub, const struct tab_write *write);
/* The table left after this many had left, or it is too long ago to know. */
bool srv_hub_evicted_since(const struct srv_hub *hub, int64_t table_id, uint64_t evicted_n);

#endif
