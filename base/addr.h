/* Addresses of the internet, and the part of one that a subscriber holds: what limits for an address count
 * by. Pure, any thread. */
#ifndef RUMMYD_BASE_ADDR_H
#define RUMMYD_BASE_ADDR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sockaddr;

#define ADDR_TEXT_MAX 48 /* bytes of an address or a bucket as text, with the NUL */

/* An IPv6 address; an IPv4 one as IPv6 maps it, ::ffff:a.b.c.d (RFC 4291, 2.5.5.2). So a client has one
 * address whichever kind of socket it came through, and equal addresses have equal bytes. */
struct addr {
    uint8_t bytes[16];
};

/* Reads a numeric address without zone or port. false: it is none, *out is unchanged. */
bool addr_of_text(const char *text, struct addr *out);
/* The address a socket is connected to. false: neither IPv4 nor IPv6, *out is unchanged. */
bool addr_of_sockaddr(const struct sockaddr *peer, struct addr *out);
/* Writes it: IPv4 as a.b.c.d, IPv6 in its shortest form (RFC 5952). */
void addr_text(const struct addr *addr, char out[ADDR_TEXT_MAX]);

/* Whether an address is one of the internet at large: not of this machine, a private or a local network, a
 * group, nor one that stands for another (IPv6 that carries IPv4) or is set aside (RFC 6890). */
bool addr_is_public(const struct addr *addr);

/* Whether a host of n bytes, without brackets, is this machine: localhost, 127.… or ::1. */
bool addr_is_here(const char *host, size_t n);

/* What limits count by: an IPv4 address is itself; of an IPv6 address the network of 64 bits, for every
 * subscriber has at least that (RFC 6177) and chooses freely within it. The rest is zero. */
struct addr addr_bucket(const struct addr *addr);
/* The bucket of an address as text: "10.0.0.1", "2001:db8:1:2::/64". A text that is no address is a bucket
 * of its own, cut to what fits. */
void addr_bucket_text(const char *address, char out[ADDR_TEXT_MAX]);
/* An address shortened for logs, enough to see an attack and too little to know a person: the network of 24
 * bits of an IPv4 address, "192.0.2.0/24", and of 48 bits of an IPv6 address, "2001:db8:7::/48". Of what is
 * no address "unknown". */
void addr_network_text(const char *address, char out[ADDR_TEXT_MAX]);

#endif
