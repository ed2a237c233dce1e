/* Checks the address of an SMTP server; see url.h. */
#include "mail/url.h"

#include "base/addr.h"
#include "base/text.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The host of a well-formed URL; returns its length. */
static size_t host_of(const char *url, const char **host)
{
    const char *at = strstr(url, "://") + 3;
    bool bracket = *at == '[';
    *host = bracket ? at + 1 : at;
    return strcspn(*host, bracket ? "]" : ":");
}

bool mail_url_ok(const char *url)
{
    static const char names[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
    size_t scheme = strncmp(url, "smtp://", 7) == 0 ? 7 : strncmp(url, "smtps://", 8) == 0 ? 8 : 0;
    const char *at = url + scheme;
    int64_t port;
    if (scheme == 0)
        return false;
    if (*at == '[') { /* IPv6 */
        size_t n = strspn(at + 1, "0123456789abcdefABCDEF:.");
        if (n == 0 || at[1 + n] != ']')
            return false;
        at += n + 2;
    } else {
        size_t n = strspn(at, names);
        if (n == 0)
            return false;
        at += n;
    }
    return *at == '\0' || (*at == ':' && text_i64(at + 1, 1, 65535, &port));
}

bool mail_url_is_local(const char *url)
{
    if (!mail_url_ok(url))
        return false;
    const char *host;
    size_t n = host_of(url, &host);
    return addr_is_here(host, n);
}
