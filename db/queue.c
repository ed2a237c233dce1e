/* The order in which statements leave a pipe; see queue.h. */
#include "db/queue.h"

#include "base/bug.h"

void db_queue_init(struct db_queue *queue, const struct db_batch_stmt *how, int open_max)
{
    *queue = (struct db_queue){.end = &queue->first, .open_max = open_max, .how = how};
}

void db_queue_put_last(struct db_queue *queue, struct db_request *request)
{
    ASSERT(!*queue->end);
    request->next = NULL;
    *queue->end = request;
    queue->end = &request->next;
}

void db_queue_put_first(struct db_queue *queue, struct db_request *request)
{
    ASSERT(queue->open > 0); /* it was accepted before */
    request->next = queue->first;
    queue->first = request;
    if (!request->next)
        queue->end = &request->next;
}

/* Removes the request that *at points to; NULL: there is none. */
static struct db_request *take_at(struct db_queue *queue, struct db_request **at)
{
    struct db_request *request = *at;
    if (request) {
        *at = request->next;
        if (!*at)
            queue->end = at;
    }
    ASSERT((queue->first == NULL) == (queue->end == &queue->first));
    return request;
}

/* Puts the group at the front, as one statement if possible, otherwise one by one. */
static void put_group_first(struct db_queue *queue, struct db_request **group, size_t n)
{
    struct db_request *many = n > 1 ? db_batch_stmt_begin(queue->how, group, n) : NULL;
    if (many) {
        db_queue_put_first(queue, many);
        return;
    }
    while (n > 0) {
        group[--n]->alone = true;
        db_queue_put_first(queue, group[n]);
    }
}

/* Moves later statements that can be combined with the first one to the front. */
static void gather(struct db_queue *queue)
{
    if (!queue->how || !queue->first || !db_batch_stmt_may(queue->how, queue->first))
        return;
    struct db_request *group[DB_BATCH_MAX];
    size_t n = 0;
    struct db_request **at = &queue->first;
    while (*at && n < DB_BATCH_MAX) {
        if (db_batch_stmt_fits(queue->how, group, n, *at))
            group[n++] = take_at(queue, at);
        else
            at = &(*at)->next;
    }
    ASSERT(n >= 1);
    if (n == 1)
        db_queue_put_first(queue, group[0]);
    else
        put_group_first(queue, group, n);
}

/* Whether the statement is of the kind that is combined, even if it is alone. */
static bool is_batchable(const struct db_queue *queue, const struct db_request *request)
{
    return queue->how && (request->members || request->stmt == queue->how->one);
}

struct db_request *db_queue_take(struct db_queue *queue)
{
    struct db_request **at = &queue->first;
    if (queue->batches_on_way < DB_QUEUE_TOGETHER_ON_WAY_MAX)
        gather(queue);
    else
        while (*at && is_batchable(queue, *at))
            at = &(*at)->next;
    struct db_request *request = take_at(queue, at);
    if (request)
        queue->batches_on_way += is_batchable(queue, request);
    return request;
}

void db_queue_back(struct db_queue *queue, const struct db_request *request)
{
    queue->batches_on_way -= is_batchable(queue, request);
    ASSERT(queue->batches_on_way >= 0);
}

void db_queue_again_in_parts(struct db_queue *queue, struct db_request *many, bool each_alone)
{
    struct db_request *members[DB_BATCH_MAX];
    size_t n = db_batch_stmt_end(many, members), part = each_alone ? 1 : (n + 1) / 2;
    for (size_t at = n; at > 0;) {
        size_t from = (at - 1) / part * part;
        put_group_first(queue, members + from, at - from);
        at = from;
    }
}

int db_queue_waiting(const struct db_queue *queue)
{
    int n = 0;
    for (const struct db_request *request = queue->first; request; request = request->next) {
        n += !request->members;
        for (const struct db_request *member = request->members; member; member = member->next)
            n++;
    }
    return n;
}
