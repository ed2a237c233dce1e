/* Periodic upkeep, on one of the loops. Loop's thread. */
#ifndef RUMMYD_SERVER_HTTP_UPKEEP_H
#define RUMMYD_SERVER_HTTP_UPKEEP_H

#include "server/http/loop.h"

#define HTTP_UPKEEP_FIRST_S 3.
#define HTTP_UPKEEP_EVERY_S 30.
void srv_http_upkeep(struct ev_loop *ev, ev_timer *timer, int events);
/* Frequent upkeep: personal data exports, and leaderboard totals, which are folded often so that rank
 * queries have few changes to add up. */
#define HTTP_FOLLOW_EVERY_S 5.
#define HTTP_EXPORT_REST_S_MIN 0.005 /* pause after each export step, as long as the step itself */
#define HTTP_EXPORT_REST_S_MAX 1.
void srv_http_export_rested(struct ev_loop *ev, ev_timer *timer, int events);
void srv_http_follow(struct ev_loop *ev, ev_timer *timer, int events);
/* Bans and ended sessions from other nodes. */
#define HTTP_REVOKED_EVERY_S 2.
void srv_http_on_revoked(struct ev_loop *ev, ev_timer *timer, int events);
/* Reads bans and ended sessions if revoked_asked is set. */
void srv_http_read_revoked(struct srv_http_loop *loop);

#endif
