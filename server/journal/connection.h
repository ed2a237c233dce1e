/* One connection of the journal to the database: its thread, its behavior while the database is unreachable,
 * and the way results are returned. */
#ifndef RUMMYD_SERVER_JOURNAL_CONNECTION_H
#define RUMMYD_SERVER_JOURNAL_CONNECTION_H

#include <stdatomic.h>

#include "base/ring.h"
#include "db/journal.h"
#include "server/journal/thread.h"
#include "tables/ports.h"

enum { SRV_JOURNAL_RETRY_MS_MIN = 50 };

/* Shared by the connections of a journal. */
struct srv_journal_connections {
    struct ring done; /* written or refused, for the hub */
    void (*wake)(void *arg);
    void *wake_arg;
    atomic_llong give_up_ms; /* monotonic; 0: never */
};

struct srv_journal_connection {
    struct db_journal db;
    struct srv_journal_connections *connections;
    const char *name; /* for the log */
    atomic_int state; /* enum srv_journal_state */
    int64_t pause_ms; /* before the next attempt while the database is unreachable */
    bool again;       /* the current writes were tried before, with unknown outcome */
};

void srv_journal_sleep_ms(int64_t ms);

/* Tries to write all of them or none, at most once each. DONE: each result is set to written or refused. */
typedef enum db_journal_result srv_journal_write_fn(struct srv_journal_connection *connection,
                                                    struct tab_write **writes, size_t n,
                                                    struct db_error *err);
/* Writes them, and waits while the database is unreachable. If it rejects a batch, bisects it until the
 * writes at fault are found: they have failed. false: the thread must end, because another process has the
 * node's name or this one is shutting down. */
bool srv_journal_write(struct srv_journal_connection *connection, struct tab_write **writes, size_t n,
                       srv_journal_write_fn *write);
/* For a srv_journal_write_fn: lets another function write them, in a transaction. */
enum db_journal_result srv_journal_transact(struct srv_journal_connection *connection,
                                            struct tab_write **writes, size_t n, srv_journal_write_fn *write,
                                            struct db_error *err);
/* Successful writes need no code: setting it would touch one more cache line each. */
void srv_journal_all_written(struct tab_write **writes, size_t n);
/* Returns writes that were written, or refused for good, to the hub. */
void srv_journal_hand_back(struct srv_journal_connection *connection, struct tab_write **writes, size_t n);

#endif
