/* Whose connection it is when proxies of ours stand before the server. Any thread. */
#ifndef RUMMYD_SERVER_PROXIES_H
#define RUMMYD_SERVER_PROXIES_H

#include "base/addr.h"

#include <stdbool.h>
#include <stddef.h>

#define SRV_PROXIES_MAX 16

struct srv_proxies {
    struct addr each[SRV_PROXIES_MAX];
    size_t n;
};

/* Addresses with commas between; may be empty. false: error is one sentence that names the key. */
bool srv_proxies_read(struct srv_proxies *proxies, const char *list, char *error, size_t error_cap);
bool srv_proxies_has(const struct srv_proxies *proxies, const struct addr *addr);
/* addr: who is connected. As long as that is a proxy of ours it becomes who that says it speaks for, the last
 * address of X-Forwarded-For; what is no address ends the search. forwarded_for: the header, or NULL. */
void srv_proxies_follow(const struct srv_proxies *proxies, const char *forwarded_for, struct addr *addr);

#endif
