/* Settlements, one batch at a time; see settler.h. The settler's thread, except for creation and release.
 *
 * A batch contains each player at most once. If several tables of a player end at once, all but one wait
 * for later batches. Each game's last move is written in the transaction that settles it. If the database
 * rejects a batch, it is bisected until the game at fault is found.
 *
 * If many games end at once, the moves of other tables have priority: batches stay small, and after each one
 * the thread pauses as long as the batch took, so that a settling backend uses at most half of a processor.
 * A queue that is far behind is settled in full batches without pauses. Measured with `bench/run ends`
 * (docs/decisions/0022-settle-games-in-batches.md). */
#include "server/journal/settler.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "server/journal/hands.h"
#include "server/operations/metrics.h"

enum {
    BATCH_MAX = DB_JOURNAL_SETTLE_MAX,
    BATCH_BESIDE_MOVES = 8, /* games per batch while the queue is short */
    BEHIND_MIN = 2048,      /* from this many games on, the queue is far behind */
    REST_NS_MAX = 50 * 1000 * 1000,
    BATCH_RECORD_BYTES_MAX = 1024 * 1024, /* limit for a batch of more than one game */
    PEOPLE_MAX = BATCH_MAX * ENG_SEAT_MAX,
};

/* The contents of one transaction. */
struct batch {
    struct tab_write *writes[BATCH_MAX];
    size_t n, record_bytes;
    int64_t people[PEOPLE_MAX];
    size_t people_n;
};

struct srv_settler {
    struct srv_journal_connection connection; /* first, so that it can be cast to its settler */
    struct ring in;
    struct batch batch;
    char results[BATCH_MAX][SRV_JOURNAL_RESULTS_MAX];
    struct tab_write **waiting; /* not settled yet, in order of arrival */
    size_t waiting_n, waiting_max;
    pthread_t thread;
    bool started;
    atomic_bool closing; /* settle the remaining games without pauses */
};

/* ---- Selecting a batch ---- */
static bool has_person(const struct batch *batch, int64_t player)
{
    for (size_t i = 0; i < batch->people_n; i++)
        if (batch->people[i] == player)
            return true;
    return false;
}

static bool fits(const struct batch *batch, const struct tab_write *write)
{
    if (batch->n > 0 && batch->record_bytes + write->more->record_len > BATCH_RECORD_BYTES_MAX)
        return false;
    for (uint8_t i = 0; i < write->more->seats_n; i++)
        if (write->more->players[i] != 0 && has_person(batch, write->more->players[i]))
            return false;
    return true;
}

static void add(struct batch *batch, struct tab_write *write)
{
    ASSERT(batch->n < BATCH_MAX && write->more->record_len > 0);
    batch->writes[batch->n++] = write;
    batch->record_bytes += write->more->record_len;
    for (uint8_t i = 0; i < write->more->seats_n; i++)
        if (write->more->players[i] != 0)
            batch->people[batch->people_n++] = write->more->players[i];
}

/* Whether to pause for the moves of other tables. */
static bool may_rest(struct srv_settler *settler)
{
    return settler->waiting_n + ring_len(&settler->in) < BEHIND_MIN && !atomic_load(&settler->closing);
}

/* Selects the oldest waiting games that can share a batch. */
static void gather(struct srv_settler *settler)
{
    struct batch *batch = &settler->batch;
    size_t kept = 0, max = may_rest(settler) ? BATCH_BESIDE_MOVES : BATCH_MAX;
    batch->n = batch->record_bytes = batch->people_n = 0;
    for (size_t i = 0; i < settler->waiting_n; i++) {
        struct tab_write *write = settler->waiting[i];
        if (batch->n < max && fits(batch, write))
            add(batch, write);
        else
            settler->waiting[kept++] = write;
    }
    ASSERT(settler->waiting_n == 0 || batch->n > 0);
    settler->waiting_n = kept;
}

/* ---- Writing it ---- */
static void read_seat(struct tab_write *write, const PGresult *rows, int row)
{
    int64_t seat = db_i64(rows, row, db_col(rows, "seat"));
    ASSERT(seat >= 0 && seat < write->more->seats_n);
    const char *title = db_text(rows, row, db_col(rows, "title"));
    struct tab_settled *settled = &write->more->settled[seat];
    *settled = (struct tab_settled){
        .person = !PQgetisnull(rows, row, db_col(rows, "player_id")),
        .rated = db_bool(rows, row, db_col(rows, "rated")) && !PQgetisnull(rows, row, db_col(rows, "rating")),
        .took_part = db_bool(rows, row, db_col(rows, "took_part")),
        .same_people = db_bool(rows, row, db_col(rows, "same_people")),
        .points = db_i64(rows, row, db_col(rows, "game_points")),
        .clover = db_i64(rows, row, db_col(rows, "clover")),
        .silver = db_i64(rows, row, db_col(rows, "silver")),
        .gold = db_i64(rows, row, db_col(rows, "gold")),
        .silver_lost = db_i64(rows, row, db_col(rows, "silver_lost")),
        .level_gold = db_i64(rows, row, db_col(rows, "level_gold")),
        .level = db_i64(rows, row, db_col(rows, "level")),
        .levels_gained = db_i64(rows, row, db_col(rows, "levels_gained")),
        .rating = db_i64(rows, row, db_col(rows, "rating")),
    };
    (void)snprintf(settled->title, sizeof(settled->title), "%s", title ? title : "");
}

/* Rows are grouped by table, in the order of the request. */
static void read_settled(struct tab_write **writes, size_t n, const PGresult *rows)
{
    size_t at = 0;
    for (int row = 0; row < PQntuples(rows); row++) {
        int64_t table = db_i64(rows, row, db_col(rows, "table_id"));
        while (at < n && writes[at]->table_id != table)
            at++;
        ASSERT(at < n);
        struct tab_write *write = writes[at];
        write->more->game_id = db_i64(rows, row, db_col(rows, "game_id"));
        (void)snprintf(write->code, sizeof(write->code), "%s", db_text(rows, row, db_col(rows, "code")));
        read_seat(write, rows, row);
    }
}

static enum db_journal_result settle(struct srv_journal_connection *connection, struct tab_write **writes,
                                     size_t n, struct db_error *err)
{
    struct db_move moves[BATCH_MAX];
    struct db_settle settles[BATCH_MAX];
    char(*results)[SRV_JOURNAL_RESULTS_MAX] = ((struct srv_settler *)connection)->results;
    ASSERT(thread_is(THREAD_SETTLER) && n > 0 && n <= BATCH_MAX);
    for (size_t i = 0; i < n; i++) {
        const struct tab_write *write = writes[i];
        moves[i] = srv_journal_move(write);
        srv_journal_results(write, results[i]);
        settles[i] = (struct db_settle){.table = write->table_id,
                                        .ending = eng_ending_name(write->more->ending),
                                        .results = results[i],
                                        .record = write->more->record ? write->more->record : "",
                                        .record_len = write->more->record ? write->more->record_len : 0};
    }
    DB_AUTO PGresult *rows = NULL;
    enum db_journal_result result = db_journal_moves(&connection->db, moves, n, err);
    if (result == DB_JOURNAL_DONE)
        result = db_journal_settle(&connection->db, settles, n, &rows, err);
    if (result == DB_JOURNAL_DONE)
        read_settled(writes, n, rows);
    return result;
}

static enum db_journal_result write_batch(struct srv_journal_connection *connection,
                                          struct tab_write **writes, size_t n, struct db_error *err)
{
    int64_t began = clock_mono_ns();
    enum db_journal_result result = srv_journal_transact(connection, writes, n, settle, err);
    srv_metric_time_us(METRIC_SETTLE_TIME, (clock_mono_ns() - began) / 1000);
    if (result != DB_JOURNAL_DONE)
        return result;
    srv_metric_add(METRIC_SETTLED_GAMES, (int64_t)n);
    srv_journal_all_written(writes, n);
    return result;
}

/* ---- The thread ---- */
/* false: closed, and all games are settled. */
static bool take(struct srv_settler *settler)
{
    void **room = (void **)settler->waiting + settler->waiting_n;
    size_t max = settler->waiting_max - settler->waiting_n;
    settler->waiting_n +=
        settler->waiting_n > 0 ? ring_take(&settler->in, room, max) : ring_take_wait(&settler->in, room, max);
    return settler->waiting_n > 0;
}

/* There is no pause if no game is waiting, so that the next game is settled as soon as it ends. */
static void rest(struct srv_settler *settler, int64_t took_ns)
{
    if (settler->waiting_n + ring_len(&settler->in) == 0 || !may_rest(settler))
        return;
    struct timespec time = {.tv_nsec = took_ns < REST_NS_MAX ? took_ns : REST_NS_MAX};
    (void)nanosleep(&time, NULL);
}

static void *run(void *arg)
{
    struct srv_settler *settler = arg;
    const struct batch *batch = &settler->batch;
    thread_begin(THREAD_SETTLER, THREAD_PROMPT);
    while (take(settler)) {
        gather(settler);
        int64_t began_ns = clock_mono_ns();
        if (srv_journal_write(&settler->connection, settler->batch.writes, batch->n, write_batch)) {
            srv_journal_hand_back(&settler->connection, settler->batch.writes, batch->n);
            rest(settler, clock_mono_ns() - began_ns);
            continue;
        }
        log_error("settler_ended",
                  LOG_NUM("unwritten", (int64_t)(batch->n + settler->waiting_n + ring_len(&settler->in))));
        break;
    }
    return NULL;
}

/* ---- Creation and release ---- */
struct srv_settler *srv_settler_new(struct srv_journal_connections *connections, size_t queue_max)
{
    struct srv_settler *settler = calloc(1, sizeof(*settler));
    if (!settler)
        return NULL;
    settler->connection.connections = connections;
    settler->connection.name = "settlements";
    settler->waiting = calloc(queue_max, sizeof(struct tab_write *));
    settler->waiting_max = queue_max;
    if (settler->waiting && ring_init(&settler->in, queue_max) == 0)
        return settler;
    srv_settler_free(settler);
    return NULL;
}

enum db_journal_result srv_settler_open(struct srv_settler *settler, const char *conninfo,
                                        const struct db_journal *node, struct db_error *err)
{
    return db_journal_open_second(&settler->connection.db, conninfo, node, err);
}

bool srv_settler_start(struct srv_settler *settler)
{
    settler->started = pthread_create(&settler->thread, NULL, run, settler) == 0;
    return settler->started;
}

bool srv_settler_push(struct srv_settler *settler, struct tab_write *write)
{
    ASSERT(write->kind == TAB_WRITE_SETTLE);
    return ring_push(&settler->in, write);
}

enum srv_journal_state srv_settler_state(const struct srv_settler *settler)
{
    return (enum srv_journal_state)atomic_load(&settler->connection.state);
}

void srv_settler_close(struct srv_settler *settler)
{
    atomic_store(&settler->closing, true);
    ring_close(&settler->in);
}

void srv_settler_join(struct srv_settler *settler)
{
    if (settler->started)
        pthread_join(settler->thread, NULL);
    settler->started = false;
}

void srv_settler_free(struct srv_settler *settler)
{
    if (!settler)
        return;
    db_journal_close(&settler->connection.db);
    ring_free(&settler->in);
    free(settler->waiting);
    free(settler);
}
