/* The settler: a thread with a separate connection that settles games in batches. */
#ifndef RUMMYD_SERVER_JOURNAL_SETTLER_H
#define RUMMYD_SERVER_JOURNAL_SETTLER_H

#include "server/journal/connection.h"

struct srv_settler;

/* queue_max: capacity of the queue in writes. NULL: out of memory. Main thread, like all functions except
 * srv_settler_push. */
struct srv_settler *srv_settler_new(struct srv_journal_connections *connections, size_t queue_max);
/* Connects. node: the connection that holds the node's name. */
enum db_journal_result srv_settler_open(struct srv_settler *settler, const char *conninfo,
                                        const struct db_journal *node, struct db_error *err);
bool srv_settler_start(struct srv_settler *settler);
/* Queues the end of a game. false: the queue is full. Hub thread. */
bool srv_settler_push(struct srv_settler *settler, struct tab_write *write);
enum srv_journal_state srv_settler_state(const struct srv_settler *settler);
/* Accepts no more writes, and settles the queued ones. */
void srv_settler_close(struct srv_settler *settler);
void srv_settler_join(struct srv_settler *settler);
void srv_settler_free(struct srv_settler *settler); /* accepts NULL */

#endif
