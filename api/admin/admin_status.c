/* /v1/admin/nodes: orders to nodes through their registry. REST loops. */
#include "api/admin/admin.h"
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "base/bug.h"

static const struct db_stmt do_drain = {
    "do_admin_drain", "SELECT code, body, " API_REPEATED " FROM do_admin_drain($1, $2, $3, $4, $5)", 5};
static enum api_next bind_action(struct api_request *request)
{
    ASSERT(request->idempotency_key);
    (void)api_admin_bind_key(request);
    api_bind_idempotency(request);
    return API_QUERY;
}

/* Accepts any possible node name: printable, without spaces. */
static bool may_be_node(const char *name)
{
    for (const char *p = name; *p; p++)
        if (*p <= ' ' || *p > '~')
            return false;
    return name[0] != '\0';
}

static enum api_next bind_node(struct api_request *request, bool drain)
{
    if (!may_be_node(request->params[0]))
        return api_refuse(request, API_NO_SUCH_NODE);
    (void)bind_action(request);
    db_args_text(&request->args, request->params[0]);
    db_args_bool(&request->args, drain);
    return API_QUERY;
}

static enum api_next bind_drain(struct api_request *request)
{
    return bind_node(request, true);
}

static enum api_next bind_undrain(struct api_request *request)
{
    return bind_node(request, false);
}

API_OPERATION(drainNode) = {.stmt = &do_drain, .writes = true, .begin = bind_drain, .reply = api_json_reply};
API_OPERATION(undrainNode) = {
    .stmt = &do_drain, .writes = true, .begin = bind_undrain, .reply = api_json_reply};
