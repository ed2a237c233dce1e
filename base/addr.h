/* IP addresses, and the buckets (one per subscriber) to which rate limits apply. Pure, any thread. */
#ifndef RUMMYD_BASE_ADDR_H
#define RUMMYD_BASE_ADDR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sockaddr;

#define ADDR_TEXT_MAX 48 /* bytes of an address or a bucket as text, including the NUL */

/* An IPv6 address. IPv4 addresses are stored in mapped form, ::ffff:a.b.c.d (RFC 4291, 2.5.5.2), so that a
 * client has the same address on any kind of socket, and equal addresses have equal bytes. */
struct addr {
    uint8_t bytes[16];
};

/* Parses a numeric address without zone or port. false: invalid; *out is unchanged. */
bool addr_of_text(const char *text, struct addr *out);
/* The peer address of a socket. false: neither IPv4 nor IPv6; *out is unchanged. */
bool addr_of_sockaddr(const struct sockaddr *peer, struct addr *out);
/* Formats an address: IPv4 as a.b.c.d, IPv6 in its shortest form (RFC 5952). */
void addr_text(const struct addr *addr, char out[ADDR_TEXT_MAX]);

/* Whether an address is on the public internet. Excluded are addresses of this machine, private and local
 * networks, multicast, IPv6 addresses that embed IPv4, and reserved addresses (RFC 6890). */
bool addr_is_public(const struct addr *addr);

/* Whether a host of n bytes, without brackets, names this machine: localhost, 127.…, or ::1. */
bool addr_is_here(const char *host, size_t n);

/* The bucket to which rate limits apply. An IPv4 address is its own bucket. For an IPv6 address, the bucket
 * is its 64-bit network, because every subscriber has at least that (RFC 6177) and chooses addresses freely
 * within it. The other bits are zero. */
struct addr addr_bucket(const struct addr *addr);
/* The bucket of an address as text: "10.0.0.1", "2001:db8:1:2::/64". Text that is not an address is its own
 * bucket, truncated if necessary. */
void addr_bucket_text(const char *address, char out[ADDR_TEXT_MAX]);
/* An address shortened for logs, enough to recognize an attack and too little to identify a person: the
 * 24-bit network of an IPv4 address, "192.0.2.0/24", and the 48-bit network of an IPv6 address,
 * "2001:db8:7::/48". Anything else becomes "unknown". */
void addr_network_text(const char *address, char out[ADDR_TEXT_MAX]);

#endif
