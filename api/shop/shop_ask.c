/* Queries a provider about an order; see shop_ask.h. */
#include "api/shop/shop_ask.h"

#include "api/core/rows.h"
#include "api/shop/shop_events.h"
#include "base/bug.h"
#include "base/log.h"

#include <stdio.h>

const struct db_stmt api_shop_unknown_stmt = {"do_shop_unknown", "SELECT code FROM do_shop_unknown($1)", 1};
const struct db_stmt api_shop_delivered_stmt = {"do_shop_delivered",
                                                "SELECT code, body FROM do_shop_delivered($1, $2)", 2};

void api_shop_log_failure(const struct api_request *request, const struct api_shop_ask *ask, const char *what)
{
    ASSERT(ask->provider && ask->outcome != PAY_OK);
    log_warn(what, LOG_TEXT("trace_id", request->trace_id), LOG_TEXT("provider", ask->provider->name),
             LOG_NUM("order", ask->id), LOG_TEXT("why", ask->why));
}

static void ask_provider(struct api_request *request)
{
    struct api_shop_ask *ask = request->own;
    ASSERT(ask->provider && ask->id > 0);
    ask->outcome = ask->provider->ask(request->env->pay, &ask->order, &ask->event, ask->why);
}

static enum api_next after_ask(struct api_request *request, const PGresult *none)
{
    struct api_shop_ask *ask = request->own;
    request->writes = true;
    request->then = ask->after;
    if (ask->outcome == PAY_UNKNOWN) {
        request->stmt = &api_shop_unknown_stmt;
        db_args_int(&request->args, ask->id);
        return API_QUERY;
    }
    if (ask->outcome != PAY_OK)
        api_shop_log_failure(request, ask, "shop_provider_unavailable");
    if (ask->outcome != PAY_OK || ask->event.kind == PAY_NOTHING)
        return ask->after(request, none);
    request->stmt = &api_shop_event_stmt;
    api_shop_bind_event(&request->args, ask->provider->name, &ask->event);
    return API_QUERY;
}

enum api_next api_shop_ask_claimed(struct api_request *request, const PGresult *rows,
                                   enum api_next (*after)(struct api_request *request, const PGresult *rows))
{
    struct api_shop_ask *ask = request->own;
    if (PQntuples(rows) == 0)
        return after(request, NULL);
    ask->id = api_row_get_int(rows, 0, "id");
    ask->after = after;
    (void)snprintf(ask->order.token, sizeof(ask->order.token), "%s", api_row_get(rows, 0, "token"));
    (void)snprintf(ask->order.ref, sizeof(ask->order.ref), "%s", api_row_get(rows, 0, "ref"));
    (void)snprintf(ask->order.product, sizeof(ask->order.product), "%s", api_row_get(rows, 0, "product"));
    request->work = ask_provider;
    request->then = after_ask;
    return API_FETCH;
}
