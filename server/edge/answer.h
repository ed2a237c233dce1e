/* Answers on connections that no library handles, or that one is about to lose: a status and a problem
 * document (RFC 9457) with its code, and nothing more. No other output to the client may be pending. Any
 * thread. */
#ifndef RUMMYD_SERVER_ANSWER_H
#define RUMMYD_SERVER_ANSWER_H

#include "server/edge/head.h"

enum { SRV_ANSWER_MAX = 2048 }; /* bytes of such an answer */

/* Writes it; returns its length. origin as below. */
size_t srv_answer_write(const struct srv_refusal *why, const char *origin, char out[SRV_ANSWER_MAX]);
/* origin: may read the answer; NULL or "": no other origin's pages may. The caller closes the descriptor. */
void srv_answer_refusal(int fd, const struct srv_refusal *why, const char *origin);
/* The same for a code that needs no detail. */
void srv_answer_code(int fd, enum api_code code);
/* 200 with an empty body. */
void srv_answer_ok(int fd);

#endif
