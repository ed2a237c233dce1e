/* The grammar of URLs in the configuration: scheme://HOST[:PORT][/PATH], and of origins. Any thread. */
#ifndef RUMMYD_SERVER_URL_H
#define RUMMYD_SERVER_URL_H

#include <stdbool.h>
#include <stddef.h>

enum srv_url_path { SRV_URL_NO_PATH, SRV_URL_PATH };

/* What is wrong with the part of a URL after "scheme://", as the rest of a sentence ("has no host"); NULL: it
 * is a host, optionally a port from 1 to 65535, optionally a path, and nothing else. */
const char *srv_url_fault(const char *host, enum srv_url_path path);
/* Whether its host is a wildcard for listening (0.0.0.0), which no caller can connect to. */
bool srv_url_everywhere(const char *host);
/* What is wrong with an origin in the form that browsers send (scheme://host[:port], lower case, no default
 * port); NULL: it is valid. */
const char *srv_origin_fault(const char *origin);

#endif
