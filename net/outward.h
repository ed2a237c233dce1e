/* Requests to addresses that others have chosen: several at a time over libcurl's multi interface, each
 * bounded in time and size, no redirects. Before a connection is made, the very address it goes to is looked
 * at, so no name that resolves to this machine or to a private network leads there, whatever it said a moment
 * before. Waits for the network: one thread at a time owns it. */
#ifndef RUMMYD_NET_OUTWARD_H
#define RUMMYD_NET_OUTWARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NET_OUTWARD_SLOTS_MAX = 32,   /* on their way at a time */
    NET_OUTWARD_BODY_MAX = 4096,  /* bytes that are kept of an answer */
    NET_OUTWARD_READ_MAX = 65536, /* bytes after which no more of it is read */
    NET_OUTWARD_URL_MAX = 500,    /* characters */
    NET_OUTWARD_WHY_MAX = 160,
};

/* What may be wrong with an address that somebody gives. */
enum net_outward_fault {
    NET_OUTWARD_GOOD,
    NET_OUTWARD_NO_URL,    /* nor one with a user, a password or a fragment */
    NET_OUTWARD_NO_HTTPS,  /* nor on another port than 443 and 8443 */
    NET_OUTWARD_NO_PUBLIC, /* a host that is this machine, a private network or no full name */
};
/* private_ok: http, any port and any host are fine. The name is not looked up. Any thread. */
enum net_outward_fault net_outward_judge(const char *url, bool private_ok);

/* Whether a good address leads to one of these hosts, comma between; with a dot before it, to one below it.
 */
bool net_outward_host_listed(const char *url, const char *hosts);

struct net_outward;

struct net_outward_post {
    int64_t tag; /* comes back with the answer */
    const char *url;
    const char *const *headers; /* "Name: value", NULL behind the last */
    const char *body;
    size_t len;
    bool private_ok; /* as of net_outward_judge */
    bool ours;       /* an address of the configuration: it may be anywhere, and its connection is kept */
};

struct net_outward_answer {
    int64_t tag;
    long status;                         /* 0: no answer */
    int64_t retry_s;                     /* what Retry-After says, a day at most; 0: nothing */
    bool forbidden;                      /* no answer, for the address is none that may be asked */
    bool more;                           /* the answer was longer than what is here */
    size_t len;                          /* of the body */
    char body[NET_OUTWARD_BODY_MAX + 1]; /* with a NUL behind it */
    char why[NET_OUTWARD_WHY_MAX];       /* when there is no answer */
};

/* timeout_ms: of one request. NULL: out of memory. */
struct net_outward *net_outward_open(int64_t timeout_ms);
/* What is on its way is given up. NULL is fine. */
void net_outward_close(struct net_outward *out);
/* How many more can be sent now. */
int net_outward_free(const struct net_outward *out);
/* Sends; everything is copied. false: there is no place, or no memory. */
bool net_outward_send(struct net_outward *out, const struct net_outward_post *post);
/* Goes on for wait_ms at most, until there is an answer. */
bool net_outward_next(struct net_outward *out, int wait_ms, struct net_outward_answer *answer);

#endif
