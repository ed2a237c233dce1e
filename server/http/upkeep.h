/* Upkeep that one of the loops does. Loop's thread. */
#ifndef RUMMYD_SERVER_HTTP_UPKEEP_H
#define RUMMYD_SERVER_HTTP_UPKEEP_H

#include "server/http/loop.h"

#define HTTP_UPKEEP_FIRST_S 3.
#define HTTP_UPKEEP_EVERY_S 30.
void srv_http_upkeep(struct ev_loop *ev, ev_timer *timer, int events);
/* Frequent upkeep: totals of moves on leaderboards, which place queries add up (done often, so that each run
 * is small), and personal data exports. */
#define HTTP_FOLLOW_EVERY_S 5.
#define HTTP_EXPORT_REST_S_MIN 0.005 /* between two steps of such exports: as long as the step took */
#define HTTP_EXPORT_REST_S_MAX 1.
void srv_http_export_rested(struct ev_loop *ev, ev_timer *timer, int events);
void srv_http_follow(struct ev_loop *ev, ev_timer *timer, int events);
/* Bans and ended sessions from other nodes. */
#define HTTP_REVOKED_EVERY_S 2.
void srv_http_on_revoked(struct ev_loop *ev, ev_timer *timer, int events);
/* Reads them if revoked_asked is set. */
void srv_http_read_revoked(struct srv_http_loop *loop);

#endif
