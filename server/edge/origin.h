/* Whether pages from an origin may use this server. Any thread. */
#ifndef RUMMYD_SERVER_ORIGIN_H
#define RUMMYD_SERVER_ORIGIN_H

#include <stdbool.h>

/* allowed: comma-separated origins. dev: also allow http://localhost and http://127.0.0.1 on any port. */
bool srv_origin_allowed(const char *allowed, bool dev, const char *origin);

#endif
