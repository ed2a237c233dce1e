/* The HTTP front end: REST, operational endpoints, and static files on libmicrohttpd. `serve` starts and
 * stops it. It runs `loops` threads, each with its own libev loop, daemon, and database pipe, and a small
 * pool of workers for password hashing. */
#ifndef RUMMYD_SERVER_HTTP_HTTP_H
#define RUMMYD_SERVER_HTTP_HTTP_H

#include "api/api.h"
#include "server/edge/ws_url.h"

#include <stdbool.h>
#include <stddef.h>

struct srv_traces;

#define HTTP_LOOPS_MAX 4
#define HTTP_ERROR_MAX 256

/* Strings are copied at start unless noted. */
struct srv_http_config {
    const char *addr;    /* numeric IPv4 or IPv6 address */
    int port;            /* 0: any free port; see srv_http_port */
    int loops;           /* 1..HTTP_LOOPS_MAX */
    const char *db;      /* libpq conninfo */
    const char *db_read; /* conninfo of a read replica; may be empty */
    const char *web_dir;
    const char *public_url; /* where browsers reach the page */
    const char *ws_url;     /* public base URL of the sockets, "ws://localhost:8081" */
    /* Writes the space-separated socket origins of all running nodes, to which pages may connect. ctx:
     * ports.ctx. Any thread. */
    void (*sockets)(void *ctx, char list[SRV_SOCKETS_MAX]);
    const char *origins; /* comma-separated list allowed for CORS; with dev also localhost on any port */
    const char *proxies; /* comma-separated addresses whose X-Forwarded-For is trusted; may be empty */
    const char *node;
    const struct api_token_keys *keys;
    const struct pay_shop *pay;                     /* must outlive the front end */
    struct api_revoked *revoked;                    /* this too */
    const struct oidc_client *oidc;                 /* this too */
    const struct api_webauthn_site *passkeys;       /* copied */
    const char *push_key, *push_hosts, *push_kinds; /* see api/api.h; must outlive the front end */
    bool webhooks_private;                          /* see api/api.h */
    bool dev;
    bool https;                /* browsers must use https */
    const uint8_t *dev_seed;   /* 32 bytes, or NULL; see api/api.h */
    int64_t log_reads;         /* log 1 in N successful reads; 0: never */
    int64_t log_lines;         /* request lines per second, all loops together; 0: none */
    struct srv_traces *traces; /* must outlive the front end; NULL: no traces */
    bool rate_limits;          /* false for load tests */
    unsigned connections_max;  /* all loops together */
    struct api_ports ports;
};

struct srv_http;

/* Listens and serves until srv_http_stop. NULL on failure, with one sentence in error. Main thread. The
 * database may still be unreachable: until it is up, requests that need it get 503. */
struct srv_http *srv_http_start(const struct srv_http_config *config, char error[HTTP_ERROR_MAX]);

/* The listening port. */
int srv_http_port(const struct srv_http *http);

/* Call when another node has banned a player or ended a session. Reads the revocations now. Any thread. */
void srv_http_check_revoked(struct srv_http *http);

/* Stops listening, answers running requests (for at most 3 s), ends the threads, and frees everything. */
void srv_http_stop(struct srv_http *http);

#endif
