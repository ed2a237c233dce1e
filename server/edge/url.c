/* URLs in the configuration; see url.h. */
#include "server/edge/url.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"

#define DIGITS "0123456789"
#define SMALL "abcdefghijklmnopqrstuvwxyz"
#define HOST_CHARS SMALL "ABCDEFGHIJKLMNOPQRSTUVWXYZ" DIGITS ".-_"
#define PATH_CHARS HOST_CHARS "/~%+:@!$&()*="

enum { HOST_MAX = 253, LABEL_MAX = 63 };

/* Length of the host; 0: there is none. */
static size_t host_len(const char *host)
{
    if (host[0] != '[')
        return strspn(host, HOST_CHARS);
    size_t inside = strspn(host + 1, DIGITS "abcdefABCDEF:.");
    return inside > 0 && host[1 + inside] == ']' ? inside + 2 : 0;
}

static bool is_number_address(int family, const char *text, size_t len)
{
    char copy[INET6_ADDRSTRLEN];
    struct in6_addr out;
    if (len >= sizeof(copy))
        return false;
    memcpy(copy, text, len);
    copy[len] = '\0';
    return inet_pton(family, copy, &out) == 1;
}

/* Labels of 1 to 63 bytes that begin and end with a letter, a digit, or _; four numbers are an address. */
static bool is_host(const char *host, size_t len)
{
    if (host[0] == '[')
        return is_number_address(AF_INET6, host + 1, len - 2);
    if (strspn(host, DIGITS ".") >= len)
        return is_number_address(AF_INET, host, len);
    if (len > HOST_MAX)
        return false;
    for (size_t at = 0; at < len;) {
        size_t label = strcspn(host + at, ".");
        if (at + label > len)
            label = len - at;
        if (label == 0 || label > LABEL_MAX || host[at] == '-' || host[at + label - 1] == '-')
            return false;
        at += label + 1;
    }
    return host[len - 1] != '.';
}

static bool is_port(const char *text, size_t len)
{
    if (len == 0 || len > 5 || strspn(text, DIGITS) < len || text[0] == '0')
        return false;
    long port = strtol(text, NULL, 10);
    return port > 0 && port <= 65535;
}

const char *srv_url_fault(const char *host, enum srv_url_path path)
{
    size_t len = host_len(host);
    const char *rest = host + len;
    if (len == 0)
        return "has no host";
    if (!is_host(host, len))
        return "has a host that cannot be one";
    if (*rest == ':') {
        size_t digits = strcspn(rest + 1, "/");
        if (!is_port(rest + 1, digits))
            return "has no port from 1 to 65535 behind the colon, without a leading zero";
        rest += 1 + digits;
    }
    if (*rest == '\0')
        return NULL;
    if (*rest != '/' || rest[strspn(rest, PATH_CHARS)] != '\0')
        return "is more than a host, a port and a path";
    return path == SRV_URL_PATH ? NULL : "has a path; leave it out, with its slash";
}

bool srv_url_everywhere(const char *host)
{
    static const char *const all[] = {"0.0.0.0", "[::]", "[::0]", "0"};
    size_t len = host_len(host);
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        if (strlen(all[i]) == len && strncmp(all[i], host, len) == 0)
            return true;
    return false;
}

/* Browsers omit the default port of a scheme. */
static bool is_implied_port(const char *origin, size_t scheme, const char *host)
{
    const char *port = strrchr(host, ':');
    if (!port || strchr(port, ']'))
        return false;
    return (scheme == 4 && strncmp(origin, "http", 4) == 0 && strtol(port + 1, NULL, 10) == 80) ||
           (scheme == 5 && strncmp(origin, "https", 5) == 0 && strtol(port + 1, NULL, 10) == 443);
}

/* Browsers send an IPv6 address in its shortest form. */
static bool is_shortest(const char *host)
{
    char copy[INET6_ADDRSTRLEN] = "", shortest[INET6_ADDRSTRLEN] = "";
    struct in6_addr addr;
    size_t len = host_len(host);
    if (host[0] != '[' || len - 2 >= sizeof(copy))
        return true;
    memcpy(copy, host + 1, len - 2);
    return inet_pton(AF_INET6, copy, &addr) == 1 && inet_ntop(AF_INET6, &addr, shortest, sizeof(shortest)) &&
           strcmp(copy, shortest) == 0;
}

const char *srv_origin_fault(const char *origin)
{
    size_t scheme = strspn(origin, SMALL DIGITS "+.-");
    if (strcmp(origin, "*") == 0)
        return "would let the page of any site act for players; list each origin";
    if (scheme == 0 || strncmp(origin + scheme, "://", 3) != 0)
        return "must be scheme://host[:port], as in https://play.example";
    const char *host = origin + scheme + 3, *fault = srv_url_fault(host, SRV_URL_NO_PATH);
    if (fault)
        return fault;
    if (strpbrk(host, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        return "has capital letters, but browsers send small ones";
    if (strncmp(origin, "ws://", 5) == 0 || strncmp(origin, "wss://", 6) == 0)
        return "is the address of a socket; list the page's, which begins with https://";
    if (!is_shortest(host))
        return "has an IPv6 address that browsers write in a shorter form";
    if (is_implied_port(origin, scheme, host))
        return "has the port that its scheme implies, which browsers leave out; leave it out too";
    return NULL;
}
