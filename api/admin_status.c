/* GET /v1/admin/status, what an operator's page begins with, and /v1/admin/nodes, the registry. REST loops.
 */
#include "api/admin.h"
#include "api/json_reply.h"
#include "api/resources.h"
#include "base/bug.h"

static const struct db_stmt do_status = {"do_admin_status", "SELECT code, body FROM do_admin_status($1)", 1};
static const struct db_stmt do_nodes = {"do_admin_nodes", "SELECT code, body FROM do_admin_nodes($1)", 1};

const struct api_route api_admin_status_routes[] = {
    {.method = "GET",
     .path = "/v1/admin/status",
     .id = "getStatus",
     API_ADMIN,
     .stmt = &do_status,
     .begin = api_admin_bind_key,
     .reply = api_json_reply},
    {.method = "GET",
     .path = "/v1/admin/nodes",
     .id = "listNodes",
     API_ADMIN,
     .stmt = &do_nodes,
     .begin = api_admin_bind_key,
     .reply = api_json_reply},
};
const size_t api_admin_status_routes_n = ARRAY_LEN(api_admin_status_routes);
