/* Our host name for EHLO; see helo.h. */
#include "mail/helo.h"

#include "base/addr.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LABEL_MAX 63
#define DOMAIN_MAX 253
#define IPV6_TAG "IPv6:"

static bool label_ok(const char *label, size_t n)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
    return n > 0 && n <= LABEL_MAX && strspn(label, letters) >= n && label[0] != '-' && label[n - 1] != '-';
}

/* Whether there are at least two labels and the last one is not a number, because 192.0.2.1 needs
 * brackets. */
static bool domain_ok(const char *name)
{
    const char *label = name, *last = name;
    size_t labels_n = 0;
    if (strlen(name) > DOMAIN_MAX)
        return false;
    for (;; labels_n++) {
        size_t n = strcspn(label, ".");
        if (!label_ok(label, n))
            return false;
        last = label;
        label += n;
        if (*label == '\0')
            break;
        label++;
    }
    return labels_n > 0 && last[strspn(last, "0123456789")] != '\0';
}

static bool literal_ok(const char *name)
{
    char text[ADDR_TEXT_MAX];
    unsigned char bytes[16];
    size_t len = strlen(name),
           tag = strncmp(name + 1, IPV6_TAG, strlen(IPV6_TAG)) == 0 ? strlen(IPV6_TAG) : 0;
    if (len < 3 + tag || name[len - 1] != ']' || len - 2 - tag >= sizeof(text))
        return false;
    (void)snprintf(text, sizeof(text), "%.*s", (int)(len - 2 - tag), name + 1 + tag);
    return inet_pton(tag ? AF_INET6 : AF_INET, text, bytes) == 1;
}

bool mail_helo_ok(const char *name)
{
    return name[0] == '[' ? literal_ok(name) : domain_ok(name);
}

/* Names such as "localhost.localdomain" are the same on every machine. */
static bool is_fully_qualified(const char *name)
{
    const char *dot = strrchr(name, '.');
    return mail_helo_ok(name) && strcmp(dot, ".localdomain") != 0 && strcmp(dot, ".localhost") != 0 &&
           strncmp(name, "localhost.", strlen("localhost.")) != 0;
}

static bool find_host_name(char out[MAIL_HELO_MAX])
{
    const struct addrinfo hints = {.ai_flags = AI_CANONNAME, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    char name[MAIL_HELO_MAX] = "";
    if (gethostname(name, sizeof(name) - 1) != 0)
        return false;
    if (!is_fully_qualified(name) && getaddrinfo(name, NULL, &hints, &found) == 0 && found->ai_canonname)
        (void)snprintf(name, sizeof(name), "%s", found->ai_canonname);
    if (found)
        freeaddrinfo(found);
    if (!is_fully_qualified(name))
        return false;
    (void)snprintf(out, MAIL_HELO_MAX, "%s", name);
    return true;
}

/* Finds the address of the first interface except the loopback; prefers IPv4 to IPv6. */
static void find_address(char out[MAIL_HELO_MAX])
{
    struct ifaddrs *all = NULL;
    char text[INET6_ADDRSTRLEN];
    bool found = false;
    if (getifaddrs(&all) != 0)
        return;
    for (const struct ifaddrs *at = all; at && !found; at = at->ifa_next) {
        if (!at->ifa_addr || (at->ifa_flags & IFF_LOOPBACK) || !(at->ifa_flags & IFF_UP))
            continue;
        if (at->ifa_addr->sa_family == AF_INET) {
            struct sockaddr_in in;
            memcpy(&in, at->ifa_addr, sizeof(in));
            found = inet_ntop(AF_INET, &in.sin_addr, text, sizeof(text)) != NULL;
            if (found)
                (void)snprintf(out, MAIL_HELO_MAX, "[%s]", text);
        } else if (at->ifa_addr->sa_family == AF_INET6) {
            struct sockaddr_in6 in6;
            memcpy(&in6, at->ifa_addr, sizeof(in6));
            if (!IN6_IS_ADDR_LINKLOCAL(&in6.sin6_addr) &&
                inet_ntop(AF_INET6, &in6.sin6_addr, text, sizeof(text)))
                (void)snprintf(out, MAIL_HELO_MAX, "[" IPV6_TAG "%s]", text);
        }
    }
    freeifaddrs(all);
}

void mail_helo_find(bool here, char out[MAIL_HELO_MAX])
{
    (void)snprintf(out, MAIL_HELO_MAX, "[127.0.0.1]");
    if (!find_host_name(out) && !here)
        find_address(out);
}

void mail_helo_url(const char *smtp_url, const char *name, char *out, size_t cap)
{
    size_t len = (size_t)snprintf(out, cap, "%s/", smtp_url);
    for (const char *p = name; *p && len + 3 < cap; p++) {
        bool plain = !strchr("[]:", *p);
        len += (size_t)snprintf(out + len, cap - len, plain ? "%c" : "%%%02X", (unsigned)(unsigned char)*p);
    }
}
