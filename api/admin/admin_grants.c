/* POST /v1/admin/players/{player}/grants: chips that operators give or take. A small grant is carried out at
 * once; a large one, or one beyond the daily limit, waits for approval by a second operator. REST loops. */
#include "api/admin/admin.h"

#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "base/bug.h"

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

API_OPERATION(grantChips) = {.stmt = &do_grant, .writes = true, .begin = bind_grant, .reply = api_json_reply};
