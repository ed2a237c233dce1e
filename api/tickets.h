/* What the endpoints that hand out tickets to sockets share. REST loops. */
#ifndef RUMMYD_API_TICKETS_H
#define RUMMYD_API_TICKETS_H

#include "api/call.h"

#include <libpq-fe.h>

/* Binds the id of a ticket to be. */
void ticket_bind_new(struct api_call *call);
/* The ticket of the row's column `ticket`, signed. false: the column holds none. */
bool ticket_from_row(const struct api_call *call, const PGresult *rows, char ticket[TICKET_TEXT_MAX]);
/* "ws_url": where a socket of this path is. */
void ticket_put_url(const struct api_call *call, struct buf *out, const char *path);

#endif
