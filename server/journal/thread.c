/* The journal's thread; see thread.h. */
#include "server/journal/thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/ring.h"
#include "base/thread.h"
#include "db/journal.h"
#include "server/journal/connection.h"
#include "server/journal/hands.h"
#include "server/journal/settler.h"
#include "server/operations/metrics.h"

enum {
    BATCH_MAX = DB_JOURNAL_BATCH_MAX,
    GROUP_MAX = 8,            /* ends of hands, deals, and cancellations per transaction */
    NAME_WAIT_MS_MAX = 30000, /* the name of a killed process is taken until PostgreSQL detects its end */
    ALIVE_RENEWALS_MIN = 2,   /* one renewal could still be in flight */
};

/* A queue of taken writes, as large as the input queue. */
struct waiting {
    struct tab_write **writes;
    size_t max, head, n;
};

enum lane { LANE_MOVES, LANE_SINGLES, LANE_STARTS, LANE_HANDS };

struct srv_journal {
    struct srv_journal_connections connections;
    struct srv_journal_connection connection; /* for everything but settlements; holds the node's name */
    struct srv_settler *settler;
    bool durable;
    struct ring in;
    struct waiting starts, hands;
    struct tab_write *batch[BATCH_MAX];              /* in the order taken */
    struct tab_write *lanes[LANE_STARTS][BATCH_MAX]; /* the same writes, grouped by lane */
    pthread_t thread;
    bool started;
};

/* ---- Writing, lane by lane ---- */
static enum db_journal_result write_moves(struct srv_journal_connection *connection,
                                          struct tab_write **writes, size_t n, struct db_error *err)
{
    static struct db_move moves[BATCH_MAX];
    ASSERT(thread_is(THREAD_JOURNAL) && n <= BATCH_MAX);
    for (size_t i = 0; i < n; i++)
        moves[i] = srv_journal_move(writes[i]);
    int64_t began = clock_mono_ns();
    enum db_journal_result result = db_journal_moves(&connection->db, moves, n, err);
    srv_metric_time_us(METRIC_JOURNAL_TIME, (clock_mono_ns() - began) / 1000);
    if (result != DB_JOURNAL_DONE)
        return result;
    srv_metric_add(METRIC_JOURNAL_MOVES, (int64_t)n);
    srv_metric_add(METRIC_JOURNAL_BATCHES, 1);
    srv_journal_all_written(writes, n);
    return result;
}

/* Used if the journal is not durable. */
static enum db_journal_result forget_moves(struct srv_journal_connection *connection,
                                           struct tab_write **writes, size_t n, struct db_error *err)
{
    (void)connection;
    (void)err;
    srv_journal_all_written(writes, n);
    return DB_JOURNAL_DONE;
}

static enum db_journal_result write_starts(struct srv_journal_connection *connection,
                                           struct tab_write **writes, size_t n, struct db_error *err)
{
    int64_t began = clock_mono_ns();
    enum db_journal_result result = srv_journal_starts(&connection->db, writes, n, err);
    srv_metric_time_us(METRIC_JOURNAL_HAND_TIME, (clock_mono_ns() - began) / 1000);
    return result;
}

static enum db_journal_result write_each_hand(struct srv_journal_connection *connection,
                                              struct tab_write **writes, size_t n, struct db_error *err)
{
    int64_t tables[GROUP_MAX];
    ASSERT(n > 0 && n <= GROUP_MAX);
    for (size_t i = 0; i < n; i++)
        tables[i] = writes[i]->table_id;
    enum db_journal_result result = db_journal_lock(&connection->db, tables, n, err);
    for (size_t i = 0; i < n && result == DB_JOURNAL_DONE; i++) {
        result = srv_journal_hand(&connection->db, writes[i], err);
        writes[i]->result = result == DB_JOURNAL_REFUSED ? TAB_WRITE_REFUSED : TAB_WRITTEN;
        if (result == DB_JOURNAL_REFUSED)
            result = DB_JOURNAL_DONE;
    }
    return result;
}

/* Writes ends of hands, deals, correspondence turns, losses, and cancellations. */
static enum db_journal_result write_hands(struct srv_journal_connection *connection,
                                          struct tab_write **writes, size_t n, struct db_error *err)
{
    int64_t began = clock_mono_ns();
    enum db_journal_result result = srv_journal_transact(connection, writes, n, write_each_hand, err);
    srv_metric_time_us(METRIC_JOURNAL_HAND_TIME, (clock_mono_ns() - began) / 1000);
    return result;
}

/* Writes a client seed or the departure of a player from a waiting table. */
static enum db_journal_result write_single(struct srv_journal_connection *connection,
                                           struct tab_write **writes, size_t n, struct db_error *err)
{
    struct tab_write *write = writes[0];
    ASSERT(n == 1 && (write->kind == TAB_WRITE_SEED || write->kind == TAB_WRITE_LEAVE));
    ASSERT(write->seat < ENG_SEAT_MAX);
    const struct eng_client_seed *seed = &write->more->seeds[write->seat];
    enum db_journal_result result =
        write->kind == TAB_WRITE_SEED
            ? db_journal_seed(&connection->db, write->table_id, write->seat, seed->bytes, seed->len,
                              write->code, err)
            : db_journal_leave(&connection->db, write->more->player_id, write->table_id, connection->again,
                               write->code, err);
    if (result != DB_JOURNAL_DONE && result != DB_JOURNAL_REFUSED)
        return result;
    write->result = result == DB_JOURNAL_DONE ? TAB_WRITTEN : TAB_WRITE_REFUSED;
    return DB_JOURNAL_DONE;
}

/* ---- The thread ---- */
static enum lane lane_of(const struct tab_write *write)
{
    switch (write->kind) {
    case TAB_WRITE_MOVE:
        return LANE_MOVES;
    case TAB_WRITE_SEED:
    case TAB_WRITE_LEAVE:
        return LANE_SINGLES;
    case TAB_WRITE_START:
        return LANE_STARTS;
    case TAB_WRITE_HAND:
    case TAB_WRITE_DEAL:
    case TAB_WRITE_TURN:
    case TAB_WRITE_SLEEP:
    case TAB_WRITE_HANDOVER:
    case TAB_WRITE_LOSE:
    case TAB_WRITE_CANCEL:
        break;
    case TAB_WRITE_SETTLE:
        BUG("a settlement in the journal thread");
    }
    return LANE_HANDS;
}

static struct waiting waiting_of(size_t max)
{
    return (struct waiting){.writes = calloc(max, sizeof(struct tab_write *)), .max = max};
}

static size_t waiting_n(const struct srv_journal *journal)
{
    return journal->starts.n + journal->hands.n;
}

static void keep(struct waiting *waiting, struct tab_write *write)
{
    ASSERT(waiting->n < waiting->max);
    waiting->writes[(waiting->head + waiting->n++) % waiting->max] = write;
}

/* Makes the writes and returns them to the hub. */
static bool write_all(struct srv_journal *journal, struct tab_write **writes, size_t n,
                      srv_journal_write_fn *write)
{
    if (!srv_journal_write(&journal->connection, writes, n, write))
        return false;
    srv_journal_hand_back(&journal->connection, writes, n);
    return true;
}

/* Makes the longest-waiting writes, at most `max`. */
static bool write_some(struct srv_journal *journal, struct waiting *waiting, size_t max,
                       srv_journal_write_fn *write)
{
    struct tab_write *some[DB_JOURNAL_START_MAX];
    size_t n = 0;
    ASSERT(max <= ARRAY_LEN(some));
    while (n < max && waiting->n > 0) {
        some[n++] = waiting->writes[waiting->head];
        waiting->head = (waiting->head + 1) % waiting->max;
        waiting->n--;
    }
    ASSERT(waiting->head < waiting->max);
    return write_all(journal, some, n, write);
}

/* Moves come first, because they are frequent and quick, and a player waits for each. Only one batch of
 * starts and one transaction of other slow writes follow, so that a thousand games starting at once do not
 * delay the moves of others. */
static bool write_batch(struct srv_journal *journal, size_t n)
{
    struct tab_write **batch = journal->batch, *(*lanes)[BATCH_MAX] = journal->lanes;
    size_t lane_n[LANE_STARTS] = {0};
    ASSERT(thread_is(THREAD_JOURNAL) && n <= BATCH_MAX);
    for (size_t i = 0; i < n; i++) {
        enum lane lane = lane_of(batch[i]);
        if (lane == LANE_STARTS || lane == LANE_HANDS)
            keep(lane == LANE_STARTS ? &journal->starts : &journal->hands, batch[i]);
        else
            lanes[lane][lane_n[lane]++] = batch[i];
    }
    if (!write_all(journal, lanes[LANE_MOVES], lane_n[LANE_MOVES],
                   journal->durable ? write_moves : forget_moves))
        return false;
    for (size_t i = 0; i < lane_n[LANE_SINGLES]; i++)
        if (!write_all(journal, &lanes[LANE_SINGLES][i], 1, write_single))
            return false;
    return write_some(journal, &journal->starts, DB_JOURNAL_START_MAX, write_starts) &&
           write_some(journal, &journal->hands, GROUP_MAX, write_hands);
}

/* 0: there is no input now; if no write is waiting either, the queue is closed. */
static size_t take(struct srv_journal *journal)
{
    void **batch = (void **)journal->batch;
    return waiting_n(journal) > 0 ? ring_take(&journal->in, batch, BATCH_MAX)
                                  : ring_take_wait(&journal->in, batch, BATCH_MAX);
}

static void *run(void *arg)
{
    struct srv_journal *journal = arg;
    thread_begin(THREAD_JOURNAL, THREAD_PROMPT);
    size_t n;
    while ((n = take(journal)) > 0 || waiting_n(journal) > 0) {
        if (write_batch(journal, n))
            continue;
        log_error("journal_ended",
                  LOG_NUM("unwritten", (int64_t)(n + waiting_n(journal) + ring_len(&journal->in))));
        break;
    }
    return NULL;
}

/* ---- Start and stop ---- */
/* Takes the node's name. The name of a killed process becomes free once PostgreSQL detects its end. Does
 * not wait if the other process still renews its lease. */
static enum db_journal_result take_name(struct db_journal *db, const char *conninfo, const char *node,
                                        struct db_error *err)
{
    int64_t until = clock_mono_ms() + NAME_WAIT_MS_MAX, first = 0;
    for (;;) {
        enum db_journal_result result = db_journal_open(db, conninfo, node, err);
        if (result != DB_JOURNAL_REFUSED || clock_mono_ms() >= until)
            return result;
        int64_t renewals = db_journal_renewals(db);
        if (first == 0)
            first = renewals;
        if (renewals - first >= ALIVE_RENEWALS_MIN)
            return result;
        db_journal_close(db);
        srv_journal_sleep_ms(SRV_JOURNAL_RETRY_MS_MIN);
    }
}

struct srv_journal *srv_journal_open(const char *conninfo, const char *node, size_t queue_max, bool durable,
                                     char *error, size_t error_cap)
{
    ASSERT(queue_max > 0 && error_cap > 0);
    struct srv_journal *journal = calloc(1, sizeof(*journal));
    if (journal) {
        journal->durable = durable;
        journal->starts = waiting_of(queue_max);
        journal->hands = waiting_of(queue_max);
        journal->connection.connections = &journal->connections;
        journal->connection.name = "moves";
        journal->settler = srv_settler_new(&journal->connections, queue_max);
    }
    if (!journal || !journal->starts.writes || !journal->hands.writes || !journal->settler ||
        ring_init(&journal->in, queue_max) != 0 || ring_init(&journal->connections.done, queue_max) != 0) {
        (void)snprintf(error, error_cap, "memory is short");
        srv_journal_free(journal);
        return NULL;
    }
    struct db_error err;
    enum db_journal_result result = take_name(&journal->connection.db, conninfo, node, &err);
    if (result == DB_JOURNAL_DONE)
        result = srv_settler_open(journal->settler, conninfo, &journal->connection.db, &err);
    if (result == DB_JOURNAL_DONE)
        return journal;
    if (result == DB_JOURNAL_REFUSED)
        (void)snprintf(error, error_cap, "node: another rummyd is running as \"%s\" on this database", node);
    else
        (void)snprintf(error, error_cap, "db: %s", err.text);
    srv_journal_free(journal);
    return NULL;
}

int64_t srv_journal_epoch(const struct srv_journal *journal)
{
    return journal->connection.db.epoch;
}

bool srv_journal_start(struct srv_journal *journal, void (*wake)(void *arg), void *arg)
{
    ASSERT(!journal->started && wake);
    journal->connections.wake = wake;
    journal->connections.wake_arg = arg;
    journal->started = pthread_create(&journal->thread, NULL, run, journal) == 0;
    return journal->started && srv_settler_start(journal->settler);
}

bool srv_journal_push(struct srv_journal *journal, struct tab_write *write)
{
    ASSERT(thread_is(THREAD_HUB) && write->table && write->table_id > 0);
    return write->kind == TAB_WRITE_SETTLE ? srv_settler_push(journal->settler, write)
                                           : ring_push(&journal->in, write);
}

size_t srv_journal_take(struct srv_journal *journal, struct tab_write **writes, size_t max)
{
    ASSERT(thread_is(THREAD_HUB) && max > 0);
    return ring_take(&journal->connections.done, (void **)writes, max);
}

enum srv_journal_state srv_journal_state(const struct srv_journal *journal)
{
    enum srv_journal_state moves = (enum srv_journal_state)atomic_load(&journal->connection.state);
    enum srv_journal_state settlements = srv_settler_state(journal->settler);
    return moves > settlements ? moves : settlements; /* the worse of the two */
}

void srv_journal_stop(struct srv_journal *journal, int64_t wait_ms)
{
    if (!journal->started)
        return;
    atomic_store(&journal->connections.give_up_ms, clock_mono_ms() + wait_ms);
    ASSERT(wait_ms >= 0);
    ring_close(&journal->in);
    srv_settler_close(journal->settler);
    pthread_join(journal->thread, NULL);
    srv_settler_join(journal->settler);
    journal->started = false;
}

void srv_journal_free(struct srv_journal *journal)
{
    if (!journal)
        return;
    ASSERT(!journal->started); /* the threads use the memory freed here */
    srv_settler_free(journal->settler);
    db_journal_close(&journal->connection.db);
    ring_free(&journal->in);
    ring_free(&journal->connections.done);
    free(journal->starts.writes);
    free(journal->hands.writes);
    free(journal);
}
