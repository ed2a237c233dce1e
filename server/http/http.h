/* The HTTP front: REST, operation and static files on libmicrohttpd. `serve` starts and stops it;
 * inside run `loops` threads, each with its own libev loop, daemon and database pipe, and a small
 * pool of workers for password hashing. */
#ifndef RUMMYD_SERVER_HTTP_HTTP_H
#define RUMMYD_SERVER_HTTP_HTTP_H

#include "api/api.h"
#include "server/ws_url.h"

#include <stdbool.h>
#include <stddef.h>

struct srv_traces;

#define HTTP_LOOPS_MAX 4
#define HTTP_ERROR_MAX 256

/* Texts are copied at start. */
struct srv_http_config {
    const char *addr;    /* numeric IPv4 or IPv6 address */
    int port;            /* 0: any free one, see srv_http_port */
    int loops;           /* 1..HTTP_LOOPS_MAX */
    const char *db;      /* libpq conninfo */
    const char *db_read; /* of a standby; may be empty */
    const char *web_dir;
    const char *public_url; /* where browsers reach the page */
    const char *ws_url;     /* public base of the sockets, "ws://localhost:8081" */
    /* Origins of the sockets that pages may open, with blanks between: those of all nodes that live. With
     * ports.ctx. Any thread. */
    void (*sockets)(void *ctx, char list[SRV_SOCKETS_MAX]);
    const char *origins; /* comma list allowed for CORS; in dev also localhost with any port */
    const char *proxies; /* comma list of addresses whose X-Forwarded-For is believed; may be empty */
    const char *node;
    const struct api_token_keys *keys;
    const struct pay_shop *pay;                     /* lives as long as the front */
    struct api_revoked *revoked;                    /* this too */
    const struct oidc_client *oidc;                 /* this too */
    const struct api_webauthn_site *passkeys;       /* copied */
    const char *push_key, *push_hosts, *push_kinds; /* see api/api.h; these live as long as the front */
    bool webhooks_private;                          /* see api/api.h */
    bool dev;
    bool https;                /* browsers reach the page by https and shall come no other way */
    const uint8_t *dev_seed;   /* 32 bytes, or NULL; see api/api.h */
    int64_t log_reads;         /* one of so many reads that went well is logged; 0: none */
    int64_t log_lines;         /* lines of requests a second, of all loops together; 0: none */
    struct srv_traces *traces; /* lives as long as the front; NULL: none are sent */
    bool rate_limits;          /* false: off, for load tests */
    unsigned connections_max;  /* of all loops together */
    struct api_ports ports;
};

struct srv_http;

/* Listens and serves until srv_http_stop. NULL on failure, with one sentence in error. Main thread.
 * The database need not be there yet: until it is, requests that need it get 503. */
struct srv_http *srv_http_start(const struct srv_http_config *config, char error[HTTP_ERROR_MAX]);

/* The port it listens on. */
int srv_http_port(const struct srv_http *http);

/* Another node has banned somebody or ended a session: the rows are read now. Any thread. */
void srv_http_look_revoked(struct srv_http *http);

/* Stops listening, answers what is running (waiting 3 s at most), ends the threads, frees all. */
void srv_http_stop(struct srv_http *http);

#endif
