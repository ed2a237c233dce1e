/* Statements that a pipe (db/pipe.h) has accepted but not sent yet: first come, first served, except that
 * statements that can be combined (db/batch_stmt.h) go together with the first of them. Only a few of these
 * are pending at a time, so that others can gather meanwhile. Used only by db/pipe.c, on the loop's
 * thread. */
#ifndef RUMMYD_DB_QUEUE_H
#define RUMMYD_DB_QUEUE_H

#include "db/async_conn.h"
#include "db/batch_stmt.h"

/* More than one, so that a statement that waits for a locked row does not hold up all others. */
enum { DB_QUEUE_TOGETHER_ON_WAY_MAX = 2 };

struct db_queue {
    struct db_request *first, **end;
    int open, open_max;              /* accepted, but not answered; the pipe counts them */
    const struct db_batch_stmt *how; /* NULL: none are combined */
    int batches_on_way;              /* pending statements of that kind */
};

/* Must not move, because end points into it. */
void db_queue_init(struct db_queue *queue, const struct db_batch_stmt *how, int open_max);
void db_queue_put_last(struct db_queue *queue, struct db_request *request);
/* Puts back a statement that was already taken once; it is sent next. */
void db_queue_put_first(struct db_queue *queue, struct db_request *request);
/* Takes the first statement that can be sent now, possibly a combined one (with members); NULL: none. It is
 * pending until db_queue_back(). */
struct db_request *db_queue_take(struct db_queue *queue);
/* The statement was answered, or will be sent again. */
void db_queue_back(struct db_queue *queue, const struct db_request *request);
/* Sends the members of a combined statement again in halves; or separately, if a lock that one of them
 * needs held up all of them. Frees the combined statement. */
void db_queue_again_in_parts(struct db_queue *queue, struct db_request *many, bool each_alone);
/* Number of the callers' statements in it, each member of a combined one included. */
int db_queue_waiting(const struct db_queue *queue);

#endif
