/* IP addresses and their buckets; see addr.h. */
#include "base/addr.h"

#include "base/bug.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

enum { MAPPED_LEN = 12, NETWORK_LEN = 8 };

static const uint8_t mapped[MAPPED_LEN] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

_Static_assert(ADDR_TEXT_MAX >= INET6_ADDRSTRLEN, "an address fits");

static bool is_mapped(const struct addr *addr)
{
    return memcmp(addr->bytes, mapped, MAPPED_LEN) == 0;
}

static void set_in(struct addr *out, const struct in_addr *in)
{
    memcpy(out->bytes, mapped, MAPPED_LEN);
    memcpy(out->bytes + MAPPED_LEN, in, sizeof(*in));
}

bool addr_of_text(const char *text, struct addr *out)
{
    struct in_addr in;
    struct in6_addr in6;
    if (inet_pton(AF_INET, text, &in) == 1)
        set_in(out, &in);
    else if (inet_pton(AF_INET6, text, &in6) == 1)
        memcpy(out->bytes, &in6, sizeof(out->bytes));
    else
        return false;
    return true;
}

bool addr_of_sockaddr(const struct sockaddr *peer, struct addr *out)
{
    if (peer->sa_family == AF_INET)
        set_in(out, &((const struct sockaddr_in *)peer)->sin_addr);
    else if (peer->sa_family == AF_INET6)
        memcpy(out->bytes, &((const struct sockaddr_in6 *)peer)->sin6_addr, sizeof(out->bytes));
    else
        return false;
    return true;
}

void addr_text(const struct addr *addr, char out[ADDR_TEXT_MAX])
{
    const char *text = is_mapped(addr) ? inet_ntop(AF_INET, addr->bytes + MAPPED_LEN, out, ADDR_TEXT_MAX)
                                       : inet_ntop(AF_INET6, addr->bytes, out, ADDR_TEXT_MAX);
    ASSERT(text);
}

/* Networks that are not public: IPv4 (mapped to IPv6) and IPv6, by prefix. */
static const struct network {
    const char *start;
    int bits;
} not_public[] = {
    {"0.0.0.0", 96 + 8},      {"10.0.0.0", 96 + 8},     {"100.64.0.0", 96 + 10}, {"127.0.0.0", 96 + 8},
    {"169.254.0.0", 96 + 16}, {"172.16.0.0", 96 + 12},  {"192.0.0.0", 96 + 24},  {"192.0.2.0", 96 + 24},
    {"192.88.99.0", 96 + 24}, {"192.168.0.0", 96 + 16}, {"198.18.0.0", 96 + 15}, {"198.51.100.0", 96 + 24},
    {"203.0.113.0", 96 + 24}, {"224.0.0.0", 96 + 4},    {"240.0.0.0", 96 + 4},   {"2001::", 23},
    {"2001:db8::", 32},       {"2002::", 16},           {"3fff::", 20},
};
static const struct network global_ipv6 = {"2000::", 3};

static bool is_in(const struct addr *addr, const struct network *network)
{
    struct addr start;
    ASSERT(addr_of_text(network->start, &start));
    size_t whole = (size_t)network->bits / 8;
    unsigned rest = (unsigned)network->bits % 8, mask = 0xFFu << (8 - rest) & 0xFFu;
    return memcmp(addr->bytes, start.bytes, whole) == 0 &&
           (rest == 0 || ((addr->bytes[whole] ^ start.bytes[whole]) & mask) == 0);
}

bool addr_is_public(const struct addr *addr)
{
    for (size_t i = 0; i < ARRAY_LEN(not_public); i++)
        if (is_in(addr, &not_public[i]))
            return false;
    return is_mapped(addr) || is_in(addr, &global_ipv6);
}

struct addr addr_bucket(const struct addr *addr)
{
    struct addr bucket = *addr;
    if (!is_mapped(addr))
        memset(bucket.bytes + NETWORK_LEN, 0, sizeof(bucket.bytes) - NETWORK_LEN);
    return bucket;
}

void addr_bucket_text(const char *address, char out[ADDR_TEXT_MAX])
{
    struct addr addr;
    if (!addr_of_text(address, &addr)) {
        (void)snprintf(out, ADDR_TEXT_MAX, "%s", address);
        return;
    }
    struct addr bucket = addr_bucket(&addr);
    addr_text(&bucket, out);
    if (!is_mapped(&addr)) {
        size_t len = strlen(out);
        ASSERT(len + sizeof("/64") <= ADDR_TEXT_MAX);
        memcpy(out + len, "/64", sizeof("/64"));
    }
}

void addr_network_text(const char *address, char out[ADDR_TEXT_MAX])
{
    struct addr addr;
    if (!addr_of_text(address, &addr)) {
        (void)snprintf(out, ADDR_TEXT_MAX, "unknown");
        return;
    }
    bool v4 = is_mapped(&addr);
    size_t kept = v4 ? MAPPED_LEN + 3 : 6;
    memset(addr.bytes + kept, 0, sizeof(addr.bytes) - kept);
    addr_text(&addr, out);
    size_t len = strlen(out);
    ASSERT(len + sizeof("/48") <= ADDR_TEXT_MAX);
    memcpy(out + len, v4 ? "/24" : "/48", sizeof("/48"));
}

bool addr_is_here(const char *host, size_t n)
{
    return (n == 9 && strncmp(host, "localhost", n) == 0) || (n == 3 && strncmp(host, "::1", n) == 0) ||
           (n > 4 && strncmp(host, "127.", 4) == 0 && strspn(host, "0123456789.") >= n);
}
