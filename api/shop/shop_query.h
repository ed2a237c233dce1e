/* Queries a provider about a claimed order (do_shop_claim…) and applies the result. Used for buyers who
 * check their order, and for webhooks that report news without details. REST loops. */
#ifndef RUMMYD_API_SHOP_QUERY_H
#define RUMMYD_API_SHOP_QUERY_H

#include "api/core/request.h"
#include "pay/pay.h"

/* At the start of request->own. The caller sets the provider. */
struct api_shop_query {
    const struct pay_provider *provider;
    int64_t id;
    struct pay_order order;
    struct pay_event event;
    enum pay_outcome outcome;
    char why[PAY_WHY_MAX];
    enum api_next (*after)(struct api_request *request, const PGresult *rows);
};

/* rows: the result of the claim; no row: another process is already querying. Always continues with
 * `after`, with the rows of the statement that applied the result, or NULL. */
enum api_next api_shop_query_claimed(struct api_request *request, const PGresult *rows,
                                     enum api_next (*after)(struct api_request *request,
                                                            const PGresult *rows));

/* do_shop_unknown and do_shop_delivered, also used for orders without news
 * (server/outbound/order_poll.c). */
extern const struct db_stmt api_shop_unknown_stmt, api_shop_delivered_stmt;

/* Logs that a provider did not fulfill a request. */
void api_shop_log_failure(const struct api_request *request, const struct api_shop_query *query,
                          const char *what);

#endif
