/* POST /v1/tables/{table}/rematch: the same players at a new table of the same kind. REST loops. */
#include "api/core/operations.h"
#include "api/play/seats.h"
#include "api/play/ticket_rows.h"
#include "base/bug.h"

#include <string.h>

static const struct db_stmt do_rematch = {
    "do_rematch", "SELECT " API_SEAT_COLUMNS ", join_code FROM do_rematch($1, $2, $3, $4, $5, $6, $7, $8)",
    8};

static enum api_next bind_rematch(struct api_request *request)
{
    if (api_bind_player_and_id(request) == API_DONE)
        return API_DONE;
    api_bind_idempotency(request);
    api_ticket_bind_new(request);
    api_seat_bind_seed(request);
    db_args_text(&request->args, request->env->node);
    return API_QUERY;
}

static enum api_next reply_rematch(struct api_request *request, const PGresult *rows)
{
    const struct api_ports *ports = &request->env->ports;
    int64_t old;
    if (strcmp(api_row_get(rows, 0, "code"), "ok") == 0 && api_param_id(request, 0, &old))
        ports->table_rematch(ports->ctx, old);
    return api_seat_reply(request, rows);
}

API_OPERATION(playAgain) = {
    .stmt = &do_rematch, .writes = true, .begin = bind_rematch, .reply = reply_rematch};
