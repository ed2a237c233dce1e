/* See line.h. Runs on the line's thread. */
#include "server/journal/line.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "db/tx.h"

enum { RETRY_MS_MIN = SRV_LINE_RETRY_MS_MIN, RETRY_MS_MAX = 1000 };

void srv_line_sleep_ms(int64_t ms)
{
    ASSERT(ms >= 0);
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    while (nanosleep(&time, &time) != 0 && errno == EINTR)
        continue;
}

/* Notifies the hub if the state changes. */
static void set_state(struct srv_line *line, enum srv_journal_state state)
{
    int before = atomic_exchange(&line->state, (int)state);
    ASSERT(before != (int)SRV_JOURNAL_FENCED); /* a lost name is never regained */
    if (before != (int)state && line->lines->wake)
        line->lines->wake(line->lines->wake_arg);
}

/* ---- A lost database ---- */
static bool gave_up(struct srv_line *line)
{
    int64_t until = atomic_load(&line->lines->give_up_ms);
    return until != 0 && clock_mono_ms() >= until;
}

static void went_down(struct srv_line *line, const struct db_error *why)
{
    ASSERT(why->outcome != DB_OK);
    if (atomic_load(&line->state) != SRV_JOURNAL_DOWN) {
        log_error("journal_lost", LOG_TEXT("line", line->name), LOG_TEXT("why", why->text));
        line->pause_ms = RETRY_MS_MIN;
    }
    set_state(line, SRV_JOURNAL_DOWN);
}

/* The pending writes have been written or refused: only now is the database back. */
static void came_back(struct srv_line *line)
{
    if (atomic_load(&line->state) == SRV_JOURNAL_DOWN)
        log_info("journal_back", LOG_TEXT("line", line->name));
    set_state(line, SRV_JOURNAL_UP);
}

/* The pause grows each time. false: the process is shutting down. */
static bool wait_a_little(struct srv_line *line)
{
    if (gave_up(line))
        return false;
    ASSERT(line->pause_ms >= RETRY_MS_MIN && line->pause_ms <= RETRY_MS_MAX);
    srv_line_sleep_ms(line->pause_ms);
    line->pause_ms = line->pause_ms * 2 > RETRY_MS_MAX ? RETRY_MS_MAX : line->pause_ms * 2;
    return !gave_up(line);
}

/* Reconnects until it works. */
static bool come_back(struct srv_line *line, const struct db_error *why)
{
    went_down(line, why);
    while (wait_a_little(line)) {
        struct db_error err = {0};
        enum db_journal_result result = db_journal_resume(&line->db, &err);
        if (result == DB_JOURNAL_DONE)
            return true;
        if (result == DB_JOURNAL_FENCED) {
            set_state(line, SRV_JOURNAL_FENCED);
            return false;
        }
    }
    return false;
}

/* A failure that may be temporary. */
static bool is_away(enum db_journal_result result)
{
    return result == DB_JOURNAL_LOST || result == DB_JOURNAL_LATER;
}

/* Waits until the database may be reachable again. false: another process has the node's name, or this one is
 * shutting down. */
static bool wait_for_it(struct srv_line *line, enum db_journal_result result, const struct db_error *why)
{
    ASSERT(is_away(result));
    if (result == DB_JOURNAL_LOST)
        return come_back(line, why);
    went_down(line, why);
    return wait_a_little(line);
}

/* ---- Writing ---- */
struct tx {
    struct srv_line *line;
    struct tab_write **writes;
    size_t n;
    srv_line_write_fn *write;
    bool fenced;
};

static bool write_in_tx(struct db_conn *conn, void *arg, struct db_error *err)
{
    struct tx *tx = arg;
    ASSERT(conn == tx->line->db.conn);
    enum db_journal_result result = tx->write(tx->line, tx->writes, tx->n, err);
    tx->fenced = result == DB_JOURNAL_FENCED;
    if (tx->fenced)
        *err = (struct db_error){.outcome = DB_FAILED, .text = "the node's epoch is stale"};
    return result == DB_JOURNAL_DONE;
}

enum db_journal_result srv_line_transact(struct srv_line *line, struct tab_write **writes, size_t n,
                                         srv_line_write_fn *write, struct db_error *err)
{
    struct tx tx = {.line = line, .writes = writes, .n = n, .write = write};
    if (db_tx_run(line->db.conn, NULL, write_in_tx, &tx, err))
        return DB_JOURNAL_DONE;
    return tx.fenced ? DB_JOURNAL_FENCED : db_journal_result_of(err);
}

void srv_line_all_written(struct tab_write **writes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        writes[i]->result = TAB_WRITTEN;
}

/* The database rejects it for good. */
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

bool srv_line_write(struct srv_line *line, struct tab_write **writes, size_t n, srv_line_write_fn *write)
{
    line->again = false;
    while (n > 0) {
        struct db_error err = {0};
        enum db_journal_result result = write(line, writes, n, &err);
        if (result == DB_JOURNAL_DONE)
            return true;
        if (result == DB_JOURNAL_FENCED) {
            set_state(line, SRV_JOURNAL_FENCED);
            return false;
        }
        if (is_away(result)) {
            if (!wait_for_it(line, result, &err))
                return false;
            line->again = true;
            continue;
        }
        if (n > 1)
            return srv_line_write(line, writes, n / 2, write) &&
                   srv_line_write(line, writes + n / 2, n - n / 2, write);
        failed(writes[0], &err);
        return true;
    }
    return true;
}

/* ---- Returning results ---- */
void srv_line_hand_back(struct srv_line *line, struct tab_write **writes, size_t n)
{
    if (n == 0)
        return;
    came_back(line);
    for (size_t i = 0; i < n; i++)
        if (!ring_push(&line->lines->done, writes[i]))
            BUG("the result queue is smaller than the write queue");
    line->lines->wake(line->lines->wake_arg);
}
