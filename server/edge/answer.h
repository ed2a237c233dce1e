/* Answers on connections that no library handles yet or any longer: only a status and a problem document
 * (RFC 9457) with its code. No other output to the client may be pending. Any thread. */
#ifndef RUMMYD_SERVER_ANSWER_H
#define RUMMYD_SERVER_ANSWER_H

#include "server/edge/head.h"

enum { SRV_ANSWER_MAX = 2048 }; /* bytes per answer */

/* Writes the answer to out and returns its length. origin: see srv_answer_refusal. */
size_t srv_answer_write(const struct srv_refusal *why, const char *origin, char out[SRV_ANSWER_MAX]);
/* origin: pages of this origin may read the answer; NULL or "": only same-origin pages. The caller closes
 * the descriptor. */
void srv_answer_refusal(int fd, const struct srv_refusal *why, const char *origin);
/* Like srv_answer_refusal, for a code that needs no detail. */
void srv_answer_code(int fd, enum api_code code);
/* Answers 200 with an empty body. */
void srv_answer_ok(int fd);

#endif
