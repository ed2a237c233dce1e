/* Sends reads of routes that a standby may answer (api_route.standby) to the standby, unless it lags. One
 * per loop; unused unless `db_read` is set. Loop's thread.
 *
 * Clients never get older state than they already have. The loop queries the primary's log position once
 * for all requests waiting at that time. Once the standby has replayed up to it, the standby has everything
 * that any client received before its request, from any node and over sockets. If the standby does not
 * catch up within STANDBY_WAIT_MS, is unreachable, or turns out not to be a standby, the primary answers.
 * No request then uses the standby for STANDBY_REST_MS, or until srv_standby_second finds that it has
 * recovered. */
#ifndef RUMMYD_SERVER_HTTP_STANDBY_H
#define RUMMYD_SERVER_HTTP_STANDBY_H

#include <stdbool.h>

struct db_reply;
struct srv_http_loop;
struct srv_http_request;
struct srv_standby;

enum {
    STANDBY_WAIT_MS = 50,       /* maximum wait until it has caught up */
    STANDBY_EVERY_MS = 5,       /* poll interval */
    STANDBY_REST_MS = 1000,     /* how long the standby is skipped after a failure */
    STANDBY_REQUESTS_MAX = 1024 /* waiting requests; further ones use the primary */
};

/* The outcomes of a waiting request (rest.h). */
struct srv_standby_hooks {
    void (*rows)(void *request, const struct db_reply *reply); /* result of the request's statement */
    void (*read_primary)(struct srv_http_request *request);    /* the standby did not answer */
};

/* hooks must outlive the standby. NULL: out of memory. */
struct srv_standby *srv_standby_new(struct srv_http_loop *loop, const char *conninfo,
                                    const struct srv_standby_hooks *hooks);
/* Sends waiting requests to the primary, or rejects them if the loop no longer has a primary. Accepts
 * NULL. */
void srv_standby_free(struct srv_standby *standby);
/* Sends the request's statement to the standby once it has caught up. false: nothing was done, use the
 * primary. */
bool srv_standby_read(struct srv_standby *standby, struct srv_http_request *request);
/* Whether no statement is waiting for a result. */
bool srv_standby_idle(const struct srv_standby *standby);
/* Call once per second. Checks the standby and updates the metric of its lag. */
void srv_standby_second(struct srv_standby *standby);

#endif
