/* Tables that went out of this node's memory while somebody may have been reading their rows: another node
 * has them, or they sleep. Rows that were read before still say that they are here. Hub thread. */
#ifndef RUMMYD_SERVER_HUB_GONE_H
#define RUMMYD_SERVER_HUB_GONE_H

#include <stdbool.h>
#include <stdint.h>

struct srv_hub;
struct tab_write;

enum { HUB_GONE_MAX = 16384 }; /* the last ones: more than go while one statement is on its way */

struct srv_gone {
    uint64_t n; /* since the start */
    int64_t ids[HUB_GONE_MAX];
};

/* Heeds a write that is back; of other kinds, and of refused ones, nothing is noted. Before tab_written. */
void srv_hub_note_gone(struct srv_hub *hub, const struct tab_write *write);
/* The table went after this many had gone; or nobody knows any more whether it did. */
bool srv_hub_gone_since(const struct srv_hub *hub, int64_t table_id, uint64_t gone_n);

#endif
