/* Socket tickets between rows and responses, for the endpoints that issue them. REST loops. */
#ifndef RUMMYD_API_TICKET_ROWS_H
#define RUMMYD_API_TICKET_ROWS_H

#include "api/core/request.h"

#include <libpq-fe.h>

/* Binds the id for a new ticket. */
void api_ticket_bind_new(struct api_request *request);
/* Writes the signed ticket from the row's column `ticket`. false: the column is NULL. */
bool api_ticket_from_row(const struct api_request *request, const PGresult *rows,
                         char ticket[API_TICKET_TEXT_MAX]);
/* Writes "ws_url", the socket URL for this path. base: URL of the node that owns the table; NULL: this
 * node. */
void api_ticket_put_url(const struct api_request *request, struct buf *out, const char *base,
                        const char *path);

#endif
