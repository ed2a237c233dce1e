/* Internals of the HTTP front end. A loop is a thread with its own libev loop, microhttpd daemon, and
 * database pipe; other threads use only the ring through which workers return requests. */
#ifndef RUMMYD_SERVER_HTTP_LOOP_H
#define RUMMYD_SERVER_HTTP_LOOP_H

#include "api/core/key_cache.h"
#include "api/core/rate_limits.h"
#include "api/core/route.h"
#include "api/signin/revoked.h"
#include "api/signin/webauthn.h"
#include "base/ring.h"
#include "db/pipe.h"
#include "server/edge/addr_counter.h"
#include "server/edge/proxies.h"
#include "server/http/access.h"
#include "server/http/guard.h"
#include "server/http/http.h"
#include "server/operations/traces.h"

#include <ev.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>

enum {
    HTTP_ADDRESS_PART = 8, /* one address may use 1/8 of a loop's connections (http_max), rounded up */
    HTTP_CONNECTION_MEMORY = 24 * 1024, /* SRV_HEAD_MAX, the daemon's data per header and parameter, and the
                                           response head, all at their maximum */
    HTTP_URI_MAX = SRV_HEAD_TARGET_MAX + 1,
    HTTP_IDLE_S_MAX = 15,     /* limit of an idle connection */
    HTTP_HALF_MS_MAX = 13500, /* limit of a request that stalls before it is complete; below the daemon's idle
                                 timeout, which closes without a response */
    HTTP_REQUEST_MS_MAX =
        20000, /* limit of a request and its response together, against clients that send or read slowly */
    HTTP_SWALLOW_MAX =
        64 * 1024, /* bytes read after a body that is too large or rejected, before the connection is cut */
    HTTP_JOB_STEPS_MAX = 100000, /* per job; the setting job_steps_max ends a job much earlier */
    HTTP_STEPS_MAX = 6,          /* database and worker steps per request */
    HTTP_BUSY_RETRY_S = 5, /* Retry-After if the workers' queue is full: the time to work off a full queue */
    HTTP_STOP_MS_MAX = 3000,
    HTTP_STREAMS_MAX = 64,       /* complete lists streamed at once on one loop */
    HTTP_PLAYER_STREAMS_MAX = 2, /* per player */
};

struct srv_heads;
struct srv_http_workers;
struct srv_standby;

struct srv_http {
    /* Constant after startup. */
    char *addr, *db, *db_read, *web_dir, *ws_url, *node, *origins;
    struct api_webauthn_site passkeys;
    struct srv_proxies proxies;
    void (*sockets)(void *ctx, char list[SRV_SOCKETS_MAX]);
    struct srv_heads *heads; /* NULL: documents are served as built */
    int64_t log_reads;       /* log 1 in N successful reads; 0: never */
    int64_t log_lines;       /* request lines per second, per loop */
    bool dev, https;
    uint8_t dev_seed[32]; /* if set, env.dev_seed points here */
    struct api_env env;
    struct api_rate_limits *limits;       /* NULL: off */
    struct srv_traces *traces;            /* NULL: no traces */
    struct srv_http_workers *workers;     /* for CPU-bound work */
    struct srv_http_workers *fetchers;    /* for work that waits for other servers */
    struct srv_http_workers *identifiers; /* for work that waits for identity providers */
    struct srv_http_loop *loops[HTTP_LOOPS_MAX];
    int loops_n;
    unsigned connections_max; /* per loop */
    int port;
};

/* A connection. Its requests have a time limit, no matter how slowly bytes arrive. */
struct srv_http_conn {
    struct srv_http_conn *prev, *next;
    int fd;
    int64_t since_ms; /* monotonic time at which the last request began or ended */
    bool waiting;     /* suspended: the client is not responsible for the delay */
    bool answering;   /* a response is being sent */
    struct srv_http_guard guard;
    uint64_t requests_n; /* requests the daemon has begun */
    bool counted;        /* counted in loop->addresses, by its bucket */
    struct addr bucket;
};

struct srv_http_loop {
    struct srv_http *http;
    bool first;    /* the loop that also does database upkeep */
    bool settled;  /* the first database upkeep is done */
    int listen_fd; /* -1 once the daemon owns it or it is closed */
    pthread_t thread;
    bool started;
    struct ev_loop *ev;
    ev_io readable;
    ev_timer timeout, sweep, purge, follow, revoked;
    ev_async wake;
    struct MHD_Daemon *daemon;
    struct db_pipe *pipe;
    struct srv_standby *standby;  /* NULL: not configured */
    struct db_pipe_stats counted; /* counters already added to the metrics */
    bool told_up;
    struct api_token_cache *tokens;
    struct api_key_cache *keys;
    char *scratch;        /* API_REPLY_MAX bytes: the answer under construction */
    struct ring returned; /* requests that workers have finished */
    uint8_t random[1024]; /* pre-generated random bytes, for trace ids */
    size_t random_n;
    struct srv_http_conn *conns;
    struct srv_addr_counter *addresses; /* connections per address; NULL: no limit */
    struct srv_http_request *waiting;   /* suspended requests */
    struct srv_http_request *streams;   /* requests whose response is a stream */
    int requests_n;                     /* requests in progress, suspended or not */
    atomic_bool stop;                   /* set by other threads */
    bool exporting;                     /* a step of a personal data export is running or waiting to start */
    int64_t export_began_ns;            /* when that step began */
    ev_timer export_rest;
    uint64_t revoked_seen[API_REVOKED_KINDS_N]; /* change counters of the lists at the last query */
    int revoked_reading;                        /* reads of the lists in progress */
    atomic_bool revoked_asked;                  /* set by other threads to request a read of the lists */
    bool stopping;
    int64_t stop_at_ms;
    struct srv_access access;
};

/* Starts the thread, which then owns listen_fd. NULL: error has the reason. */
struct srv_http_loop *srv_http_loop_start(struct srv_http *http, int listen_fd, char error[HTTP_ERROR_MAX]);
/* Requests a stop; srv_http_loop_join waits for the thread. */
void srv_http_loop_stop(struct srv_http_loop *loop);
void srv_http_loop_join(struct srv_http_loop *loop);
/* Call after the workers have ended, because a worker may still be about to wake the loop. */
void srv_http_loop_free(struct srv_http_loop *loop);

#endif
