/* Whether a browser's page may talk to us. Any thread. */
#ifndef RUMMYD_SERVER_ORIGIN_H
#define RUMMYD_SERVER_ORIGIN_H

#include <stdbool.h>

/* allowed: origins with commas between. dev: also http://localhost and http://127.0.0.1 on any port. */
bool srv_origin_allowed(const char *allowed, bool dev, const char *origin);

#endif
