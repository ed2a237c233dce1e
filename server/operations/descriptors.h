/* Divides the process's descriptors at startup: sockets, HTTP, and the rest have separate budgets, so that
 * none of them can use up what another needs. Main thread, before other threads start. */
#ifndef RUMMYD_SERVER_DESCRIPTORS_H
#define RUMMYD_SERVER_DESCRIPTORS_H

#include "server/config.h"

enum {
    SRV_DESCRIPTORS_SOCKETS_AUTO_MAX = 20000, /* maximum socket_max if the configuration does not set it */
    SRV_DESCRIPTORS_HTTP_EACH = 2,            /* a connection, and the file being sent */
    SRV_DESCRIPTORS_REST = 128,               /* log, database, listeners, event loops, providers, jobs */
    SRV_DESCRIPTORS_REST_LOOP = 32,           /* in addition, for each REST loop */
};

/* Fits the budgets into `hard`, the process's descriptor limit, and sets socket_max if it is 0. Returns the
 * sum of the budgets. 0: they do not fit; error is one sentence that names the key. */
size_t srv_descriptors_share(struct srv_config *config, size_t hard, char error[SRV_ERROR_MAX]);
/* Like srv_descriptors_share, with this process's limit, which is then set to exactly the sum. */
bool srv_descriptors_take(struct srv_config *config, char error[SRV_ERROR_MAX]);

#endif
