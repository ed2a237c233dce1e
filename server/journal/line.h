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
};

void srv_line_sleep_ms(int64_t ms);
/* Tells the hub when it is another one. */
void srv_line_set_state(struct srv_line *line, enum srv_journal_state state);
/* What did not pass may pass later: srv_line_try_again. */
bool srv_line_is_away(enum db_journal_result result);
/* Waits until the database may be there again, then the same is to be written again. false: the node's name
 * is another's now, or the process ends. */
bool srv_line_try_again(struct srv_line *line, enum db_journal_result result, const struct db_error *why);

/* What was written, or refused for good, goes back to the hub. */
void srv_line_hand_back(struct srv_line *line, struct tab_write **writes, size_t n);
/* Writes that were written need no code: it would be one more line of the cache for each. */
void srv_line_all_written(struct tab_write **writes, size_t n);
/* The database rejects them for good. */
void srv_line_failed(struct tab_write **writes, size_t n, const struct db_error *err);

#endif
