/* Log lines for security events: `"event": "security"` with a name of api/security.def as `what`. The number
 * per second is limited; omitted ones are counted. Any thread. */
#ifndef RUMMYD_SERVER_SECURITY_LOG_H
#define RUMMYD_SERVER_SECURITY_LOG_H

#include "api/core/security.h"

/* Strings are borrowed for the call; NULL or 0: unknown. Contains no secrets, names, or full addresses. */
struct srv_security {
    enum api_security what;
    const char *trace_id, *operation;
    const char *network; /* see base/addr.h */
    const char *code;    /* the reason for a refusal */
    int64_t account, table;
};

/* Sets the limit of lines per second. Call before other threads start. */
void srv_security_log_bound(int64_t lines_per_s);
void srv_security_log(const struct srv_security *event);
/* Logs the number of omitted lines, if any. Call about once per second. */
void srv_security_log_sweep(void);

#endif
