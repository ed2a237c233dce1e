/* Threads for work that would block a loop. */
#ifndef RUMMYD_SERVER_HTTP_WORKERS_H
#define RUMMYD_SERVER_HTTP_WORKERS_H

#include "server/http/request.h"

enum srv_http_pool { HTTP_POOL_HASH, HTTP_POOL_PAYMENTS, HTTP_POOL_SIGN_IN }; /* for the metrics */
struct srv_http_workers *srv_http_workers_new(enum srv_http_pool pool, int threads_n);
/* Waits until running work has finished. */
void srv_http_workers_free(struct srv_http_workers *workers);
/* Reserves a slot in the queue for a request that will need it later. Such a request is never rejected
 * later, so that earlier work for it is not wasted. false: all slots are taken. Any loop's thread. */
bool srv_http_workers_place(struct srv_http_workers *workers);
void srv_http_workers_place_free(struct srv_http_workers *workers);
/* Runs request->api.work, then returns it to its loop's `returned`. false: overloaded. */
bool srv_http_workers_give(struct srv_http_workers *workers, struct srv_http_request *request);

#endif
