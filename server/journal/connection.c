/* See connection.h. Runs on the connection's thread. */
#include "server/journal/connection.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "db/tx.h"

enum { RETRY_MS_MIN = SRV_JOURNAL_RETRY_MS_MIN, RETRY_MS_MAX = 1000 };

void srv_journal_sleep_ms(int64_t ms)
{
    ASSERT(ms >= 0);
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    while (nanosleep(&time, &time) != 0 && errno == EINTR)
        continue;
}

/* Notifies the hub if the state changes. */
static void set_state(struct srv_journal_connection *connection, enum srv_journal_state state)
{
    int before = atomic_exchange(&connection->state, (int)state);
    ASSERT(before != (int)SRV_JOURNAL_FENCED); /* a fenced connection never recovers */
    if (before != (int)state && connection->connections->wake)
        connection->connections->wake(connection->connections->wake_arg);
}

/* ---- A lost database ---- */
static bool gave_up(struct srv_journal_connection *connection)
{
    int64_t until = atomic_load(&connection->connections->give_up_ms);
    return until != 0 && clock_mono_ms() >= until;
}

static void went_down(struct srv_journal_connection *connection, const struct db_error *why)
{
    ASSERT(why->outcome != DB_OK);
    if (atomic_load(&connection->state) != SRV_JOURNAL_DOWN) {
        log_error("journal_lost", LOG_TEXT("connection", connection->name), LOG_TEXT("why", why->text));
        connection->pause_ms = RETRY_MS_MIN;
    }
    set_state(connection, SRV_JOURNAL_DOWN);
}

/* Call after pending writes were written or refused, which proves that the database is back. */
static void came_back(struct srv_journal_connection *connection)
{
    if (atomic_load(&connection->state) == SRV_JOURNAL_DOWN)
        log_info("journal_back", LOG_TEXT("connection", connection->name));
    set_state(connection, SRV_JOURNAL_UP);
}

/* Pauses, twice as long each time. false: the process is shutting down. */
static bool wait_a_little(struct srv_journal_connection *connection)
{
    if (gave_up(connection))
        return false;
    ASSERT(connection->pause_ms >= RETRY_MS_MIN && connection->pause_ms <= RETRY_MS_MAX);
    srv_journal_sleep_ms(connection->pause_ms);
    connection->pause_ms = connection->pause_ms * 2 > RETRY_MS_MAX ? RETRY_MS_MAX : connection->pause_ms * 2;
    return !gave_up(connection);
}

/* Retries until the connection is restored. */
static bool come_back(struct srv_journal_connection *connection, const struct db_error *why)
{
    went_down(connection, why);
    while (wait_a_little(connection)) {
        struct db_error err = {0};
        enum db_journal_result result = db_journal_resume(&connection->db, &err);
        if (result == DB_JOURNAL_DONE)
            return true;
        if (result == DB_JOURNAL_FENCED) {
            set_state(connection, SRV_JOURNAL_FENCED);
            return false;
        }
    }
    return false;
}

/* Whether the failure may be temporary. */
static bool is_away(enum db_journal_result result)
{
    return result == DB_JOURNAL_LOST || result == DB_JOURNAL_LATER;
}

/* Waits until the database may be reachable again. false: another process has the node's name, or this
 * process is shutting down. */
static bool wait_for_it(struct srv_journal_connection *connection, enum db_journal_result result,
                        const struct db_error *why)
{
    ASSERT(is_away(result));
    if (result == DB_JOURNAL_LOST)
        return come_back(connection, why);
    went_down(connection, why);
    return wait_a_little(connection);
}

/* ---- Writing ---- */
struct tx {
    struct srv_journal_connection *connection;
    struct tab_write **writes;
    size_t n;
    srv_journal_write_fn *write;
    bool fenced;
};

static bool write_in_tx(struct db_conn *conn, void *arg, struct db_error *err)
{
    struct tx *tx = arg;
    ASSERT(conn == tx->connection->db.conn);
    enum db_journal_result result = tx->write(tx->connection, tx->writes, tx->n, err);
    tx->fenced = result == DB_JOURNAL_FENCED;
    if (tx->fenced)
        *err = (struct db_error){.outcome = DB_FAILED, .text = "the node's epoch is stale"};
    return result == DB_JOURNAL_DONE;
}

enum db_journal_result srv_journal_transact(struct srv_journal_connection *connection,
                                            struct tab_write **writes, size_t n, srv_journal_write_fn *write,
                                            struct db_error *err)
{
    struct tx tx = {.connection = connection, .writes = writes, .n = n, .write = write};
    if (db_tx_run(connection->db.conn, NULL, write_in_tx, &tx, err))
        return DB_JOURNAL_DONE;
    return tx.fenced ? DB_JOURNAL_FENCED : db_journal_result_of(err);
}

void srv_journal_all_written(struct tab_write **writes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        writes[i]->result = TAB_WRITTEN;
}

/* Marks a write that the database rejects permanently. */
static void failed(struct tab_write *write, const struct db_error *err)
{
    ASSERT(err->outcome != DB_OK);
    log_error("journal_refused", LOG_NUM("table", write->table_id), LOG_NUM("kind", write->kind),
              LOG_TEXT("why", err->text));
    write->result = TAB_WRITE_FAILED;
    (void)snprintf(write->code, sizeof(write->code), "%s",
                   err->sqlstate[0] != '\0' ? err->sqlstate : "internal");
    (void)snprintf(write->why, sizeof(write->why), "%.*s", TAB_WHY_MAX - 1, err->text);
}

bool srv_journal_write(struct srv_journal_connection *connection, struct tab_write **writes, size_t n,
                       srv_journal_write_fn *write)
{
    connection->again = false;
    while (n > 0) {
        struct db_error err = {0};
        enum db_journal_result result = write(connection, writes, n, &err);
        if (result == DB_JOURNAL_DONE)
            return true;
        if (result == DB_JOURNAL_FENCED) {
            set_state(connection, SRV_JOURNAL_FENCED);
            return false;
        }
        if (is_away(result)) {
            if (!wait_for_it(connection, result, &err))
                return false;
            connection->again = true;
            continue;
        }
        if (n > 1)
            return srv_journal_write(connection, writes, n / 2, write) &&
                   srv_journal_write(connection, writes + n / 2, n - n / 2, write);
        failed(writes[0], &err);
        return true;
    }
    return true;
}

/* ---- Returning results ---- */
void srv_journal_hand_back(struct srv_journal_connection *connection, struct tab_write **writes, size_t n)
{
    if (n == 0)
        return;
    came_back(connection);
    for (size_t i = 0; i < n; i++)
        if (!ring_push(&connection->connections->done, writes[i]))
            BUG("the result queue is smaller than the write queue");
    connection->connections->wake(connection->connections->wake_arg);
}
