/* The grammar of URLs (scheme://HOST[:PORT][/PATH]) and origins in the configuration. Any thread. */
#ifndef RUMMYD_SERVER_URL_H
#define RUMMYD_SERVER_URL_H

#include "base/url.h"

enum srv_url_path { SRV_URL_NO_PATH, SRV_URL_PATH };

/* Returns the fault of a URL as a predicate ("has no host"). NULL: the URL is valid, with only a scheme, a
 * host, and optionally a port and a path. *out: see url_read. */
const char *srv_url_fault(const char *text, enum srv_url_path path, struct url *out);
/* Whether a host is valid: an address, or labels of 1 to 63 bytes that neither begin nor end with a
 * dash. */
bool srv_host_ok(const char *host);
/* Whether the host is a wildcard for listening (0.0.0.0), to which no client can connect. */
bool srv_url_everywhere(const struct url *url);
/* Returns the fault of an origin in the form that browsers send (scheme://host[:port], lower case, no
 * default port). NULL: the origin is valid. */
const char *srv_origin_fault(const char *origin);

#endif
