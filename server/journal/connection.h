/* A connection of the journal to the database: its state, its retries while the database is unreachable,
 * and the return of results. */
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
    struct ring done; /* completed writes, for the hub */
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

/* Tries to write all of the writes or none, at most once each. DONE: each result is set to written or
 * refused. */
typedef enum db_journal_result srv_journal_write_fn(struct srv_journal_connection *connection,
                                                    struct tab_write **writes, size_t n,
                                                    struct db_error *err);
/* Makes the writes, and waits while the database is unreachable. If the database rejects a batch, bisects
 * it to find the writes at fault, which are then marked as failed. false: the thread must end, because
 * another process has the node's name or this process is shutting down. */
bool srv_journal_write(struct srv_journal_connection *connection, struct tab_write **writes, size_t n,
                       srv_journal_write_fn *write);
/* For use in a srv_journal_write_fn: calls another one within a transaction. */
enum db_journal_result srv_journal_transact(struct srv_journal_connection *connection,
                                            struct tab_write **writes, size_t n, srv_journal_write_fn *write,
                                            struct db_error *err);
/* Sets all results to written. Leaves the codes unset, because setting them would touch another cache line
 * per write. */
void srv_journal_all_written(struct tab_write **writes, size_t n);
/* Returns completed or permanently refused writes to the hub. */
void srv_journal_hand_back(struct srv_journal_connection *connection, struct tab_write **writes, size_t n);

#endif
