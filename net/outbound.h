/* Requests to untrusted URLs: several at a time with libcurl's multi interface, each limited in time and
 * size, without redirects. The address is checked right before connecting, so a name that resolves to this
 * machine or a private network is never reached, even if it resolved to something else before. Blocks on
 * the network; owned by one thread at a time. */
#ifndef RUMMYD_NET_OUTBOUND_H
#define RUMMYD_NET_OUTBOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NET_OUTBOUND_SLOTS_MAX = 32,   /* concurrent requests */
    NET_OUTBOUND_BODY_MAX = 4096,  /* bytes kept of a response */
    NET_OUTBOUND_READ_MAX = 65536, /* bytes after which reading stops */
    NET_OUTBOUND_URL_MAX = 500,    /* characters */
    NET_OUTBOUND_WHY_MAX = 160,
};

/* What may be wrong with an untrusted URL. */
enum net_outbound_fault {
    NET_OUTBOUND_GOOD,
    NET_OUTBOUND_NO_URL,    /* not a URL, or one with a user, a password, or a fragment */
    NET_OUTBOUND_NO_HTTPS,  /* not https, or a port other than 443 and 8443 */
    NET_OUTBOUND_NO_PUBLIC, /* the host is this machine, in a private network, or not fully qualified */
};
/* private_ok: http, any port, and any host are allowed. Does not resolve the name. Any thread. */
enum net_outbound_fault net_outbound_judge(const char *url, bool private_ok);

/* Whether a valid URL's host is in this comma-separated list; an entry with a leading dot matches
 * subdomains. */
bool net_outbound_host_listed(const char *url, const char *hosts);

struct net_outbound;

struct net_outbound_post {
    int64_t tag; /* returned with the response */
    const char *url;
    const char *const *headers; /* "Name: value", ending with NULL */
    const char *body;
    size_t len;
    bool private_ok; /* as for net_outbound_judge */
    bool ours;       /* a configured URL, which may be anywhere and keeps its connection */
};

struct net_outbound_answer {
    int64_t tag;
    long status;                          /* 0: no response */
    int64_t retry_s;                      /* Retry-After, at most a day; 0: not set */
    bool forbidden;                       /* no response, because the address is not allowed */
    bool more;                            /* the response was longer than the part kept */
    size_t len;                           /* bytes of the body */
    char body[NET_OUTBOUND_BODY_MAX + 1]; /* NUL-terminated */
    char why[NET_OUTBOUND_WHY_MAX];       /* the reason if there is no response */
};

/* timeout_ms applies per request. NULL: out of memory. */
struct net_outbound *net_outbound_open(int64_t timeout_ms);
/* Aborts pending requests. NULL is fine. */
void net_outbound_close(struct net_outbound *out);
/* Number of free slots. */
int net_outbound_free(const struct net_outbound *out);
/* Sends a request; everything is copied. false: no free slot, or out of memory. */
bool net_outbound_send(struct net_outbound *out, const struct net_outbound_post *post);
/* Waits for a response for at most wait_ms. */
bool net_outbound_next(struct net_outbound *out, int wait_ms, struct net_outbound_answer *answer);

#endif
