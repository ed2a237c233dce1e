/* Messages to the hub: from other threads, about seats and adopted tables, and from the bus (news.h). Any
 * thread can send; the hub receives. */
#ifndef RUMMYD_SERVER_HUB_MAILBOX_H
#define RUMMYD_SERVER_HUB_MAILBOX_H

#include <stdbool.h>

struct srv_hub;

/* false: out of memory. */
bool srv_hub_mailbox_init(struct srv_hub *hub);
void srv_hub_mailbox_free(struct srv_hub *hub);
/* Handles the messages. Hub thread. */
void srv_hub_mailbox_take(struct srv_hub *hub);

#endif
