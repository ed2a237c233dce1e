/* See security_log.h. One limit for all threads: security events are rare, and during a flood a sample is
 * enough. */
#include "server/operations/security_log.h"

#include <pthread.h>

#include "base/clock.h"
#include "base/log_budget.h"
#include "server/operations/metrics.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct log_budget budget;
static int64_t per_s_max;
static unsigned seen[API_SECURITIES_N]; /* number of events of each kind */

static const enum srv_metric counter_of[API_SECURITIES_N] = {
#define API_SECURITY(id, name, level, one_in) [API_SECURITY_##id] = METRIC_SECURITY_##id,
#include "api/security.def"
};

void srv_security_log_bound(int64_t lines_per_s)
{
    per_s_max = lines_per_s;
}

/* Whether to log this event. */
static bool take(enum api_security what)
{
    (void)pthread_mutex_lock(&lock);
    bool chosen = seen[what]++ % api_security_one_in(what) == 0;
    bool taken = chosen && log_budget_take(&budget, per_s_max, clock_mono_ms());
    (void)pthread_mutex_unlock(&lock);
    if (chosen && !taken)
        srv_metric_add(METRIC_LOG_DROPPED, 1);
    return taken;
}

void srv_security_log(const struct srv_security *event)
{
    struct log_field fields[9] = {LOG_TEXT("what", api_security_name(event->what))};
    size_t n = 1;
    srv_metric_add(counter_of[event->what], 1);
    if (!take(event->what))
        return;
    const struct log_field texts[] = {
        {.key = "trace_id", .text = event->trace_id},
        {.key = "operation", .text = event->operation},
        {.key = "code", .text = event->code},
        {.key = "network", .text = event->network},
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (texts[i].text)
            fields[n++] = texts[i];
    if (event->account > 0)
        fields[n++] = LOG_NUM("account", event->account);
    if (event->table > 0)
        fields[n++] = LOG_NUM("table", event->table);
    if (api_security_one_in(event->what) > 1)
        fields[n++] = LOG_NUM("one_in", api_security_one_in(event->what));
    log_event(api_security_level(event->what), "security", fields);
}

void srv_security_log_sweep(void)
{
    (void)pthread_mutex_lock(&lock);
    int64_t dropped = log_budget_dropped(&budget);
    (void)pthread_mutex_unlock(&lock);
    if (dropped > 0)
        log_warn("security_lines_dropped", LOG_NUM("lines", dropped));
}
