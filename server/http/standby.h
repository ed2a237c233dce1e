/* Reads of routes that a standby may answer (api_route.standby): served by the standby if it is not behind.
 * One per loop; unused unless `db_read` is set. Loop's thread.
 *
 * Clients never see older state than they have already seen. The primary reports its log position, once for
 * all requests waiting at that time; once the standby has replayed that far, it has everything that any
 * client received before the request, from any node and also over sockets. If the standby does not catch up
 * within STANDBY_WAIT_MS, is unreachable, or turns out not to be a standby, the primary answers, and for
 * STANDBY_REST_MS no request uses the standby, unless srv_standby_second finds earlier that it has
 * recovered. */
#ifndef RUMMYD_SERVER_HTTP_STANDBY_H
#define RUMMYD_SERVER_HTTP_STANDBY_H

#include <stdbool.h>

struct db_reply;
struct srv_http_loop;
struct srv_http_request;
struct srv_standby;

enum {
    STANDBY_WAIT_MS = 50,       /* for what it has not replayed yet; */
    STANDBY_EVERY_MS = 5,       /* poll interval */
    STANDBY_REST_MS = 1000,     /* how long it is skipped after it was behind or unreachable */
    STANDBY_REQUESTS_MAX = 1024 /* waiting for it; further ones use the primary */
};

/* What becomes of a waiting request (rest.h). */
struct srv_standby_hooks {
    void (*rows)(void *request, const struct db_reply *reply); /* the result of its statement */
    void (*read_primary)(struct srv_http_request *request);    /* the standby did not answer */
};

/* hooks: must outlive it. NULL: out of memory. */
struct srv_standby *srv_standby_new(struct srv_http_loop *loop, const char *conninfo,
                                    const struct srv_standby_hooks *hooks);
/* Waiting requests are sent to the primary, or rejected if the loop no longer has a primary. NULL is fine. */
void srv_standby_free(struct srv_standby *standby);
/* Sends the request's statement to the standby once it has caught up. false: nothing was done, use the
 * primary. */
bool srv_standby_read(struct srv_standby *standby, struct srv_http_request *request);
/* No statement is waiting for a result. */
bool srv_standby_idle(const struct srv_standby *standby);
/* Once per second: reports its lag to the metrics. */
void srv_standby_second(struct srv_standby *standby);

#endif
