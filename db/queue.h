/* Statements that a pipe (db/pipe.h) has accepted and not sent yet, first come, first served, but for those
 * that can be done together (db/together.h): what waits behind the first of them comes along. Of these so few
 * statements are on their way that others can gather meanwhile. Only db/pipe.c uses this; the loop's thread.
 */
#ifndef RUMMYD_DB_QUEUE_H
#define RUMMYD_DB_QUEUE_H

#include "db/async_conn.h"
#include "db/together.h"

/* More than one, so that one that waits for somebody's row does not hold up all. */
enum { DB_QUEUE_TOGETHER_ON_WAY_MAX = 2 };

struct db_queue {
    struct db_request *first, **end;
    int open, open_max;            /* accepted and not answered; the pipe counts them */
    const struct db_together *how; /* NULL: each is done alone */
    int together_on_way;           /* statements of that kind */
};

/* In place, for end points into it. */
void db_queue_init(struct db_queue *queue, const struct db_together *how, int open_max);
void db_queue_put_last(struct db_queue *queue, struct db_request *request);
/* What was taken once is to be sent next. */
void db_queue_put_first(struct db_queue *queue, struct db_request *request);
/* Takes the first that may go now, perhaps one for several (its members); NULL: none. It is on its way until
 * db_queue_back(). */
struct db_request *db_queue_take(struct db_queue *queue);
/* It was answered, or is to be sent again. */
void db_queue_back(struct db_queue *queue, const struct db_request *request);
/* Sends its members again in halves; or each alone, when they waited together for what one of them waits
 * for. Frees the one for all. */
void db_queue_again_in_parts(struct db_queue *queue, struct db_request *many, bool each_alone);
/* The caller's statements in it, not those they are sent as. */
int db_queue_waiting(const struct db_queue *queue);

#endif
