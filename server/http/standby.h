/* Reads of the routes that a standby may answer (api_route.standby): from there, when it is not behind. Of
 * each loop; nothing of it when no `db_read` is named. Loop's thread.
 *
 * Nobody is shown less than they know already. The primary says how far it is, once for all requests that
 * wait then; when the standby has replayed that much, it has whatever anybody was told before they asked, on
 * any node and by a socket, too. Is it behind for longer than STANDBY_WAIT_MS, away, or no standby at all,
 * the primary answers, and for STANDBY_REST_MS no request asks the standby, unless srv_standby_second finds
 * before that it is there again. */
#ifndef RUMMYD_SERVER_HTTP_STANDBY_H
#define RUMMYD_SERVER_HTTP_STANDBY_H

#include <stdbool.h>

struct srv_http_loop;
struct srv_http_request;
struct srv_standby;

enum {
    STANDBY_WAIT_MS = 50,       /* for what it has not replayed yet; */
    STANDBY_EVERY_MS = 5,       /* looked at so often */
    STANDBY_REST_MS = 1000,     /* not asked after it was behind or away */
    STANDBY_REQUESTS_MAX = 1024 /* that wait for it; one too many is read from the primary */
};

/* NULL: memory is short. */
struct srv_standby *srv_standby_new(struct srv_http_loop *loop, const char *conninfo);
/* What waits for it is read from the primary, or refused when the loop has none any more. NULL is fine. */
void srv_standby_free(struct srv_standby *standby);
/* Sends the request's statement there as soon as it has what it needs. false: nothing was done, read it from
 * the primary. */
bool srv_standby_read(struct srv_standby *standby, struct srv_http_request *request);
/* No statement is waiting for an answer. */
bool srv_standby_idle(const struct srv_standby *standby);
/* Once a second: how far it is behind goes to the metrics. */
void srv_standby_second(struct srv_standby *standby);

#endif
