/* Finds the client's address behind our own proxies. Any thread. */
#ifndef RUMMYD_SERVER_PROXIES_H
#define RUMMYD_SERVER_PROXIES_H

#include "base/addr.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    SRV_PROXIES_MAX = 16,
    SRV_FORWARDED_LINES_MAX = 16, /* headers of the same name; more are rejected */
    SRV_FORWARDED_NODES_MAX = 64, /* elements of Forwarded; more are rejected */
};

struct srv_proxies {
    struct addr each[SRV_PROXIES_MAX];
    size_t n;
};

/* All headers of one name, in order of arrival. n also counts those that do not fit. */
struct srv_forwarded_lines {
    struct {
        const char *text; /* not NUL-terminated */
        size_t len;
    } each[SRV_FORWARDED_LINES_MAX];
    size_t n;
};

/* The forwarding headers of a request. Zeroed: none. */
struct srv_forwarded {
    struct srv_forwarded_lines x_forwarded_for, forwarded; /* X-Forwarded-For; Forwarded (RFC 7239) */
};

/* list: comma-separated addresses; may be empty. false: error is one sentence that names the key. */
bool srv_proxies_read(struct srv_proxies *proxies, const char *list, char *error, size_t error_cap);
bool srv_proxies_has(const struct srv_proxies *proxies, const struct addr *addr);
void srv_forwarded_add(struct srv_forwarded_lines *lines, const char *text, size_t len);
/* *addr: the peer on input. As long as it is one of our proxies, it is replaced by the client that this
 * proxy reports, which is the last address in the header. A proxy that sends neither header is the client
 * itself, for example in a health check. Returns NULL, or the name of the rejected header, if a required
 * address is invalid or the two headers name different clients. In this case *addr is unchanged and must
 * not be used as the client's address. */
const char *srv_proxies_follow(const struct srv_proxies *proxies, const struct srv_forwarded *headers,
                               struct addr *addr);

#endif
