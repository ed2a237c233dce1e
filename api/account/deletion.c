/* /v1/me/deletion: deleting an account. The request requires the password again (players without one must
 * sign in again) and can be undone until the day of deletion. The job erase_players deletes the data. REST
 * loops; passwords are compared on workers. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/play/seats.h"
#include "api/signin/reauth.h"
#include "api/signin/session_reply.h"
#include "base/bug.h"

/* --- POST /v1/me/deletion --- */

static const struct db_stmt do_request_deletion = {
    "do_request_deletion", "SELECT code, body, ended, seats_of FROM do_request_deletion($1, $2, $3, $4, $5)",
    5};

static enum api_next reply_requested(struct api_request *request, const PGresult *rows)
{
    api_session_end_rows(request, rows);
    api_seats_left(request, rows);
    return api_json_reply(request, rows);
}

static enum api_next request_deletion(struct api_request *request, const PGresult *none)
{
    (void)none;
    api_reauth_bind_account(request);
    return api_query(request, &do_request_deletion, true, reply_requested);
}

static enum api_next after_account(struct api_request *request, const PGresult *rows)
{
    return api_reauth_account(request, rows, request_deletion);
}

API_OPERATION(requestDeletion) = {
    .computes = true, .stmt = &api_reauth_account_stmt, .begin = api_bind_player, .reply = after_account};
