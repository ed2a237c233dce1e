/* Queries a provider about an order; see shop_query.h. */
#include "api/shop/shop_query.h"

#include "api/core/rows.h"
#include "api/shop/shop_events.h"
#include "base/bug.h"
#include "base/log.h"

#include <stdio.h>

const struct db_stmt api_shop_unknown_stmt = {"do_shop_unknown", "SELECT code FROM do_shop_unknown($1)", 1};
const struct db_stmt api_shop_delivered_stmt = {"do_shop_delivered",
                                                "SELECT code, body FROM do_shop_delivered($1, $2)", 2};

void api_shop_log_failure(const struct api_request *request, const struct api_shop_query *query,
                          const char *what)
{
    ASSERT(query->provider && query->outcome != PAY_OK);
    log_warn(what, LOG_TEXT("trace_id", request->trace_id), LOG_TEXT("provider", query->provider->name),
             LOG_NUM("order", query->id), LOG_TEXT("why", query->why));
}

static void query_provider(struct api_request *request)
{
    struct api_shop_query *query = request->own;
    ASSERT(query->provider && query->id > 0);
    query->outcome = query->provider->query(request->env->pay, &query->order, &query->event, query->why);
}

static enum api_next after_query(struct api_request *request, const PGresult *none)
{
    struct api_shop_query *query = request->own;
    request->writes = true;
    request->then = query->after;
    if (query->outcome == PAY_UNKNOWN) {
        request->stmt = &api_shop_unknown_stmt;
        db_args_int(&request->args, query->id);
        return API_QUERY;
    }
    if (query->outcome != PAY_OK)
        api_shop_log_failure(request, query, "shop_provider_unavailable");
    if (query->outcome != PAY_OK || query->event.kind == PAY_NOTHING)
        return query->after(request, none);
    request->stmt = &api_shop_event_stmt;
    api_shop_bind_event(&request->args, query->provider->name, &query->event);
    return API_QUERY;
}

enum api_next api_shop_query_claimed(struct api_request *request, const PGresult *rows,
                                     enum api_next (*after)(struct api_request *request,
                                                            const PGresult *rows))
{
    struct api_shop_query *query = request->own;
    if (PQntuples(rows) == 0)
        return after(request, NULL);
    query->id = api_row_get_int(rows, 0, "id");
    query->after = after;
    (void)snprintf(query->order.token, sizeof(query->order.token), "%s", api_row_get(rows, 0, "token"));
    (void)snprintf(query->order.ref, sizeof(query->order.ref), "%s", api_row_get(rows, 0, "ref"));
    (void)snprintf(query->order.product, sizeof(query->order.product), "%s", api_row_get(rows, 0, "product"));
    request->work = query_provider;
    request->then = after_query;
    return API_FETCH;
}
