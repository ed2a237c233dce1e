/* A line to the database: one connection of the journal with its thread, what that does while the database is
 * away, and the way back of what it wrote. */
#ifndef RUMMYD_SERVER_JOURNAL_LINE_H
#define RUMMYD_SERVER_JOURNAL_LINE_H

#include <stdatomic.h>

#include "base/ring.h"
#include "db/journal.h"
#include "server/journal/thread.h"
#include "tables/ports.h"

enum { SRV_LINE_RETRY_MS_MIN = 50 };

/* What the lines of a journal share. */
struct srv_lines {
    struct ring done; /* written or refused, for the hub */
    void (*wake)(void *arg);
    void *wake_arg;
    atomic_llong give_up_ms; /* monotonic; 0: never */
};

struct srv_line {
    struct db_journal db;
    struct srv_lines *lines;
    const char *name; /* in the log */
    atomic_int state; /* enum srv_journal_state */
    int64_t pause_ms; /* before the next try, while the database is away */
    bool again;       /* what is being written was tried before, nobody knows with what outcome */
};

void srv_line_sleep_ms(int64_t ms);

/* Tries to write all of them or none, at most once each. DONE: their results say which of them were refused.
 */
typedef enum db_journal_result srv_line_write_fn(struct srv_line *line, struct tab_write **writes, size_t n,
                                                 struct db_error *err);
/* Has them written, and waits while the database is away. When it rejects a batch, that is halved until those
 * are found that are to blame: they have failed. false: the thread is at its end, because the node's name is
 * another's now or the process ends. */
bool srv_line_write(struct srv_line *line, struct tab_write **writes, size_t n, srv_line_write_fn *write);
/* For a srv_line_write_fn: lets another one write them, in a transaction. */
enum db_journal_result srv_line_transact(struct srv_line *line, struct tab_write **writes, size_t n,
                                         srv_line_write_fn *write, struct db_error *err);
/* Writes that were written need no code: it would be one more line of the cache for each. */
void srv_line_all_written(struct tab_write **writes, size_t n);
/* What was written, or refused for good, goes back to the hub. */
void srv_line_hand_back(struct srv_line *line, struct tab_write **writes, size_t n);

#endif
