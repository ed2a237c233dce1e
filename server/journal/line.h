/* A line to the database: one connection of the journal with its thread, its behavior while the database is
 * unreachable, and the way results are returned. */
#ifndef RUMMYD_SERVER_JOURNAL_LINE_H
#define RUMMYD_SERVER_JOURNAL_LINE_H

#include <stdatomic.h>

#include "base/ring.h"
#include "db/journal.h"
#include "server/journal/thread.h"
#include "tables/ports.h"

enum { SRV_LINE_RETRY_MS_MIN = 50 };

/* Shared by the lines of a journal. */
struct srv_lines {
    struct ring done; /* written or refused, for the hub */
    void (*wake)(void *arg);
    void *wake_arg;
    atomic_llong give_up_ms; /* monotonic; 0: never */
};

struct srv_line {
    struct db_journal db;
    struct srv_lines *lines;
    const char *name; /* for the log */
    atomic_int state; /* enum srv_journal_state */
    int64_t pause_ms; /* before the next attempt while the database is unreachable */
    bool again;       /* the current writes were tried before, with unknown outcome */
};

void srv_line_sleep_ms(int64_t ms);

/* Tries to write all of them or none, at most once each. DONE: each result is set to written or refused. */
typedef enum db_journal_result srv_line_write_fn(struct srv_line *line, struct tab_write **writes, size_t n,
                                                 struct db_error *err);
/* Writes them, and waits while the database is unreachable. If it rejects a batch, bisects it until the
 * writes at fault are found: they have failed. false: the thread must end, because another process has the
 * node's name or this one is shutting down. */
bool srv_line_write(struct srv_line *line, struct tab_write **writes, size_t n, srv_line_write_fn *write);
/* For a srv_line_write_fn: lets another function write them, in a transaction. */
enum db_journal_result srv_line_transact(struct srv_line *line, struct tab_write **writes, size_t n,
                                         srv_line_write_fn *write, struct db_error *err);
/* Successful writes need no code: setting it would touch one more cache line each. */
void srv_line_all_written(struct tab_write **writes, size_t n);
/* Returns writes that were written, or refused for good, to the hub. */
void srv_line_hand_back(struct srv_line *line, struct tab_write **writes, size_t n);

#endif
