/* The allow-list of origins; see origin.h. */
#include "server/edge/origin.h"

#include <string.h>

#include "base/bug.h"

static bool is_local(const char *origin)
{
    static const char *const hosts[] = {"http://localhost", "http://127.0.0.1", "https://localhost",
                                        "https://127.0.0.1"};
    for (size_t i = 0; i < ARRAY_LEN(hosts); i++) {
        size_t len = strlen(hosts[i]);
        if (strncmp(origin, hosts[i], len) != 0)
            continue;
        const char *rest = origin + len;
        if (*rest == ':')
            rest += 1 + strspn(rest + 1, "0123456789");
        if (*rest == '\0')
            return true;
    }
    return false;
}

bool srv_origin_allowed(const char *allowed, bool dev, const char *origin)
{
    if (dev && is_local(origin))
        return true;
    size_t len = strlen(origin);
    while (*allowed) {
        allowed += strspn(allowed, ", ");
        size_t n = strcspn(allowed, ", ");
        if (n > 0 && n == len && strncmp(allowed, origin, n) == 0)
            return true;
        allowed += n;
    }
    return false;
}
