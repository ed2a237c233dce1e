/* /v1/admin/grants: chips that operators give or take. A small grant is carried out at once; a large one, or
 * one beyond the daily limit, waits for approval by a second person. REST loops. */
#include "api/admin/admin.h"

#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "base/bug.h"

/* --- POST /v1/admin/players/{player}/grants --- */

static const struct db_stmt do_grant = {
    "do_admin_grant",
    "SELECT code, body, " API_REPEATED " FROM do_admin_grant($1, $2, $3, $4, $5, $6, $7, $8)", 8};

static enum api_next bind_grant(struct api_request *request)
{
    if (request->body[CHIP_GRANT_REQUEST_AMOUNT].number == 0) {
        const struct api_fault fault = {
            .code = API_FAULT_TOO_SMALL, .name = "amount", .min = 1, .max = CHIP_GRANT_REQUEST_AMOUNT_MAX};
        (void)api_fail_fault(request, &fault);
        return API_DONE;
    }
    return api_admin_bind_action(request);
}

/* --- GET /v1/admin/grants and /v1/admin/grants/{grant} --- */

static const struct db_stmt do_grants = {
    "do_admin_grants", "SELECT code, body, at1, at2, at3 FROM do_admin_grants($1, $2, $3, $4, $5, $6, $7)",
    7};

static const char *const grant_states[] = {"waiting", "done", "refused", "lapsed", NULL};

static enum api_next bind_grants(struct api_request *request)
{
    if (api_admin_bind_page(request) == API_DONE)
        return API_DONE;
    api_bind_query_id(request, "player", request->player);
    api_bind_choice(request, "state", request->state, grant_states);
    return request->code == API_OK ? API_QUERY : API_DONE;
}

API_OPERATION(grantChips) = {.stmt = &do_grant, .writes = true, .begin = bind_grant, .reply = api_json_reply};
API_OPERATION(listGrants) = {
    .stmt = &do_grants, .writes = true, .begin = bind_grants, .reply = api_json_page_reply};
