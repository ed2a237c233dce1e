/* What the endpoints that hand out tickets to sockets share. REST loops. */
#ifndef RUMMYD_API_TICKETS_H
#define RUMMYD_API_TICKETS_H

#include "api/request.h"

#include <libpq-fe.h>

/* Binds the id of a ticket to be. */
void api_ticket_bind_new(struct api_request *request);
/* The ticket of the row's column `ticket`, signed. false: the column holds none. */
bool api_ticket_from_row(const struct api_request *request, const PGresult *rows,
                         char ticket[API_TICKET_TEXT_MAX]);
/* "ws_url": where a socket of this path is. base: of the node that has the table; NULL: of this one. */
void api_ticket_put_url(const struct api_request *request, struct buf *out, const char *base,
                        const char *path);

#endif
