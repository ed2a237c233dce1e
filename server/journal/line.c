/* See line.h. The line's thread. */
#include "server/journal/line.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"

enum { RETRY_MS_MIN = SRV_LINE_RETRY_MS_MIN, RETRY_MS_MAX = 1000 };

void srv_line_sleep_ms(int64_t ms)
{
    ASSERT(ms >= 0);
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    while (nanosleep(&time, &time) != 0 && errno == EINTR)
        continue;
}

void srv_line_set_state(struct srv_line *line, enum srv_journal_state state)
{
    int before = atomic_exchange(&line->state, (int)state);
    ASSERT(before != (int)SRV_JOURNAL_FENCED); /* a name that was lost does not come back */
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
    srv_line_set_state(line, SRV_JOURNAL_DOWN);
}

/* What was on its way has been written or refused: only now is the database back. */
static void came_back(struct srv_line *line)
{
    if (atomic_load(&line->state) == SRV_JOURNAL_DOWN)
        log_info("journal_back", LOG_TEXT("line", line->name));
    srv_line_set_state(line, SRV_JOURNAL_UP);
}

/* A longer pause each time. false: the process ends. */
static bool wait_a_little(struct srv_line *line)
{
    if (gave_up(line))
        return false;
    ASSERT(line->pause_ms >= RETRY_MS_MIN && line->pause_ms <= RETRY_MS_MAX);
    srv_line_sleep_ms(line->pause_ms);
    line->pause_ms = line->pause_ms * 2 > RETRY_MS_MAX ? RETRY_MS_MAX : line->pause_ms * 2;
    return !gave_up(line);
}

/* Connects again until it works. */
static bool come_back(struct srv_line *line, const struct db_error *why)
{
    went_down(line, why);
    while (wait_a_little(line)) {
        struct db_error err = {0};
        enum db_journal_result result = db_journal_resume(&line->db, &err);
        if (result == DB_JOURNAL_DONE)
            return true;
        if (result == DB_JOURNAL_FENCED) {
            srv_line_set_state(line, SRV_JOURNAL_FENCED);
            return false;
        }
    }
    return false;
}

bool srv_line_is_away(enum db_journal_result result)
{
    return result == DB_JOURNAL_LOST || result == DB_JOURNAL_LATER;
}

bool srv_line_try_again(struct srv_line *line, enum db_journal_result result, const struct db_error *why)
{
    ASSERT(srv_line_is_away(result));
    if (result == DB_JOURNAL_LOST)
        return come_back(line, why);
    went_down(line, why);
    return wait_a_little(line);
}

/* ---- Handing back ---- */
void srv_line_hand_back(struct srv_line *line, struct tab_write **writes, size_t n)
{
    if (n == 0)
        return;
    came_back(line);
    for (size_t i = 0; i < n; i++)
        if (!ring_push(&line->lines->done, writes[i]))
            BUG("the way back is as wide as the way in");
    line->lines->wake(line->lines->wake_arg);
}

void srv_line_all_written(struct tab_write **writes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        writes[i]->result = TAB_WRITTEN;
}

void srv_line_failed(struct tab_write **writes, size_t n, const struct db_error *err)
{
    ASSERT(n == 1 && err->outcome != DB_OK);
    log_error("journal_refused", LOG_NUM("table", writes[0]->table_id), LOG_NUM("kind", writes[0]->kind),
              LOG_NUM("n", (int64_t)n), LOG_TEXT("why", err->text));
    const char *code = err->sqlstate[0] != '\0' ? err->sqlstate : "internal";
    for (size_t i = 0; i < n; i++) {
        writes[i]->result = TAB_WRITE_FAILED;
        (void)snprintf(writes[i]->code, sizeof(writes[i]->code), "%s", code);
        (void)snprintf(writes[i]->why, sizeof(writes[i]->why), "%.*s", TAB_WHY_MAX - 1, err->text);
    }
}
