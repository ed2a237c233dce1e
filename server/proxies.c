/* The proxies whose word is believed; see proxies.h. */
#include "server/proxies.h"

#include <stdio.h>
#include <string.h>

/* A piece of a list as an address. */
static bool read_addr(const char *text, size_t len, struct addr *out)
{
    char copy[ADDR_TEXT_MAX];
    if (len >= sizeof(copy))
        return false;
    memcpy(copy, text, len);
    copy[len] = '\0';
    return addr_of_text(copy, out);
}

bool srv_proxies_read(struct srv_proxies *proxies, const char *list, char *error, size_t error_cap)
{
    proxies->n = 0;
    for (list += strspn(list, ", "); *list; list += strspn(list, ", ")) {
        size_t len = strcspn(list, ", ");
        if (proxies->n == SRV_PROXIES_MAX) {
            (void)snprintf(error, error_cap, "proxies: more than %d entries", SRV_PROXIES_MAX);
            return false;
        }
        if (!read_addr(list, len, &proxies->each[proxies->n])) {
            (void)snprintf(error, error_cap, "proxies: \"%.*s\" is no address", (int)(len < 60 ? len : 60),
                           list);
            return false;
        }
        proxies->n++;
        list += len;
    }
    return true;
}

bool srv_proxies_has(const struct srv_proxies *proxies, const struct addr *addr)
{
    for (size_t i = 0; i < proxies->n; i++)
        if (memcmp(&proxies->each[i], addr, sizeof(*addr)) == 0)
            return true;
    return false;
}

void srv_proxies_follow(const struct srv_proxies *proxies, const char *forwarded_for, struct addr *addr)
{
    if (!forwarded_for)
        return;
    const char *end = forwarded_for + strlen(forwarded_for);
    while (end > forwarded_for && srv_proxies_has(proxies, addr)) {
        while (end > forwarded_for && (end[-1] == ' ' || end[-1] == ','))
            end--;
        const char *start = end;
        while (start > forwarded_for && start[-1] != ',' && start[-1] != ' ')
            start--;
        if (!read_addr(start, (size_t)(end - start), addr))
            return;
        end = start;
    }
}
