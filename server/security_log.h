/* Lines of security events: `"event": "security"` with a name of api/security.def as `what`. So many a
 * second, whatever happens; those left out are counted. Any thread. */
#ifndef RUMMYD_SERVER_SECURITY_LOG_H
#define RUMMYD_SERVER_SECURITY_LOG_H

#include "api/security.h"

/* Texts are borrowed for the call; NULL or 0: not known. No secrets, names or whole addresses. */
struct srv_security {
    enum api_security what;
    const char *trace_id, *operation;
    const char *network; /* see base/addr.h */
    const char *code;    /* why something was refused */
    int64_t account, table;
};

/* Lines a second from here on. Before other threads start. */
void srv_security_log_bound(int64_t lines_per_s);
void srv_security_log(const struct srv_security *event);
/* Tells of lines that were left out, if any were. About once a second. */
void srv_security_log_sweep(void);

#endif
