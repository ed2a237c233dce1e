/* What other threads tell the hub of seats and adopted tables, and what the bus says (news.h). Any thread
 * puts, the hub takes. */
#ifndef RUMMYD_SERVER_HUB_MAILBOX_H
#define RUMMYD_SERVER_HUB_MAILBOX_H

#include <stdbool.h>

struct srv_hub;

/* false: memory is short. */
bool srv_hub_mailbox_init(struct srv_hub *hub);
void srv_hub_mailbox_free(struct srv_hub *hub);
/* Carries out what was told. Hub thread. */
void srv_hub_mailbox_take(struct srv_hub *hub);

#endif
