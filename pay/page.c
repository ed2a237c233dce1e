/* Checks the pages that buyers are sent to; see page.h. */
#include "pay/page.h"

#include <stddef.h>
#include <string.h>

bool pay_page_ok(const char *url, const char *hosts)
{
    if (strncmp(url, "https://", 8) != 0)
        return false;
    const char *host = url + 8;
    size_t len = strcspn(host, "/?#"); /* any other character would make it a different host */
    for (size_t n; *hosts; hosts += n + (hosts[n] == ' ')) {
        n = strcspn(hosts, " ");
        if (n > 0 && n == len && strncmp(hosts, host, n) == 0)
            return true;
    }
    return false;
}
