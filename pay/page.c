/* Checks the payment pages of providers; see page.h. */
#include "pay/page.h"

#include "base/url.h"

#include <string.h>

bool pay_page_ok(const char *text, const char *hosts)
{
    struct url url;
    if (url_read(text, &url) || strcmp(url.scheme, "https") != 0 || url.user || url.port)
        return false;
    size_t len = strlen(url.host);
    for (size_t n; *hosts; hosts += n + (hosts[n] == ' ')) {
        n = strcspn(hosts, " ");
        if (n == len && strncmp(hosts, url.host, n) == 0)
            return true;
    }
    return false;
}
