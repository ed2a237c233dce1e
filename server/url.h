/* The grammar of addresses in the configuration: scheme://HOST[:PORT][/PATH], and of origins. Any thread. */
#ifndef RUMMYD_SERVER_URL_H
#define RUMMYD_SERVER_URL_H

#include <stdbool.h>
#include <stddef.h>

enum srv_url_path { SRV_URL_NO_PATH, SRV_URL_PATH };

/* What is wrong with the part of an address behind "scheme://", as the rest of a sentence ("has no host");
 * NULL: it is a host, perhaps a port from 1 to 65535, perhaps a path, and nothing else. */
const char *srv_url_fault(const char *host, enum srv_url_path path);
/* Whether its host is one to listen on (0.0.0.0), which leads no caller anywhere. */
bool srv_url_everywhere(const char *host);
/* What is wrong with an origin as browsers send it (scheme://host[:port], small letters, no port that the
 * scheme implies); NULL: it is one. */
const char *srv_origin_fault(const char *origin);

#endif
