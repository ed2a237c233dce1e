/* Inside the HTTP front: what its files share. A loop is a thread with its own libev loop,
 * microhttpd daemon and database pipe; nothing of a loop is touched by another thread, except the
 * ring through which workers hand requests back. */
#ifndef RUMMYD_SERVER_HTTP_LOOP_H
#define RUMMYD_SERVER_HTTP_LOOP_H

#include "api/key_cache.h"
#include "api/rate_limits.h"
#include "api/revoked.h"
#include "api/route.h"
#include "api/webauthn.h"
#include "base/ring.h"
#include "db/pipe.h"
#include "server/http/access.h"
#include "server/http/guard.h"
#include "server/http/http.h"
#include "server/proxies.h"
#include "server/tally.h"
#include "server/traces.h"

#include <ev.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>

enum {
    HTTP_ADDRESS_PART = 8, /* one address may have this part of a loop's connections (http_max), rounded up */
    HTTP_CONNECTION_MEMORY = 24 * 1024, /* SRV_HEAD_MAX, what the daemon keeps of each header and parameter,
                                           the head of the response: all of them at their largest */
    HTTP_URI_MAX = SRV_HEAD_TARGET_MAX + 1,
    HTTP_IDLE_S_MAX = 15,         /* a connection on which nothing moves */
    HTTP_HALF_MS_MAX = 13500,     /* a request that has stopped halfway: before the daemon's idle clock, which
                                     closes without an answer */
    HTTP_REQUEST_MS_MAX = 20000,  /* until a request has come and its answer gone: for who drips bytes */
    HTTP_SWALLOW_MAX = 64 * 1024, /* bytes read on behind a body that is too large, or of one that is refused,
                                     before the line is cut */
    HTTP_JOB_STEPS_MAX = 100000,  /* of a job; the setting job_steps_max ends it long before */
    HTTP_STEPS_MAX = 6,           /* database and worker steps of one request */
    HTTP_BUSY_RETRY_S = 5, /* who finds the workers' queue full is told to wait so long: it is about what
                              a full one takes */
    HTTP_STOP_MS_MAX = 3000,
    HTTP_STREAMS_MAX = 64,       /* lists that go out whole on one loop */
    HTTP_PLAYER_STREAMS_MAX = 2, /* of these, those of one player */
};

/* What pages may be styled by: files from here, and no text of a page but an empty attribute `style` (the
 * hash), which dialogs leave behind. */
#define CSP_STYLES                                                                                           \
    "style-src 'self'; style-src-attr 'unsafe-hashes' "                                                      \
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"

enum { HTTP_CSP_MAX = 1024 + SRV_SOCKETS_MAX };

struct srv_heads;
struct srv_http_workers;
struct srv_standby;

struct srv_http {
    /* Constant after the start. */
    char *addr, *db, *db_read, *web_dir, *ws_url, *node, *origins;
    struct api_webauthn_site passkeys;
    struct srv_proxies proxies;
    void (*sockets)(void *ctx, char list[SRV_SOCKETS_MAX]);
    struct srv_heads *heads; /* NULL: documents go out as they were built */
    int64_t log_reads;       /* one of so many reads that went well is logged; 0: none */
    int64_t log_lines;       /* lines of requests a second, of each loop */
    bool dev, https;
    uint8_t dev_seed[32]; /* when there is one: env.dev_seed points here */
    struct api_env env;
    struct api_rate_limits *limits;       /* NULL: off */
    struct srv_traces *traces;            /* NULL: none are sent */
    struct srv_http_workers *workers;     /* for what needs the processor */
    struct srv_http_workers *fetchers;    /* for what waits for other servers */
    struct srv_http_workers *identifiers; /* the same for who says who somebody is */
    struct srv_http_loop *loops[HTTP_LOOPS_MAX];
    int loops_n;
    unsigned connections_max; /* of one loop */
    int port;
};

/* A connection: bounded in time, however slowly bytes drip in. */
struct srv_http_conn {
    struct srv_http_conn *prev, *next;
    int fd;
    int64_t since_ms; /* monotonic: its last request began or ended */
    bool waiting;     /* suspended: the time is ours */
    bool answering;   /* a response is on its way out */
    struct srv_http_guard guard;
    uint64_t requests_n; /* the daemon began with */
    bool counted;        /* in loop->addresses, by its bucket */
    struct addr bucket;
};

struct srv_http_loop {
    struct srv_http *http;
    bool first;    /* the one that also cleans up in the database, */
    bool settled;  /* and has been there for a while */
    int listen_fd; /* -1 once the daemon or the stop has taken it */
    pthread_t thread;
    bool started;
    struct ev_loop *ev;
    ev_io readable;
    ev_timer timeout, sweep, purge, follow, revoked;
    ev_async wake;
    struct MHD_Daemon *daemon;
    struct db_pipe *pipe;
    struct srv_standby *standby; /* NULL: none is named */
    struct db_pipe_stats told;   /* what the metrics know of it */
    bool told_up;
    struct api_token_cache *tokens;
    struct api_key_cache *keys;
    char *scratch;        /* API_REPLY_MAX bytes: the answer that is being written */
    struct ring returned; /* requests a worker is done with */
    uint8_t random[1024]; /* random bytes in stock, for trace ids */
    size_t random_n;
    struct srv_http_conn *conns;
    struct srv_tally *addresses;      /* connections of each; NULL: no address has a bound */
    struct srv_http_request *waiting; /* suspended requests */
    struct srv_http_request *streams; /* whose answer is a stream */
    int requests_n;                   /* alive, suspended or not */
    atomic_bool stop;                 /* set from outside */
    bool exporting;          /* a step of a file of own data is on its way, or rests before the next one */
    int64_t export_began_ns; /* that step */
    ev_timer export_rest;
    uint64_t revoked_seen[API_REVOKED_KINDS_N]; /* changes of the lists when they were last asked for */
    int revoked_reading;                        /* of the lists */
    atomic_bool revoked_asked;                  /* from outside: they are to be read */
    bool stopping;
    int64_t stop_at_ms;
    struct srv_access access;
};

/* --- loop.c --- */

/* Starts the thread; it owns listen_fd from here on. NULL: error says why. */
struct srv_http_loop *srv_http_loop_start(struct srv_http *http, int listen_fd, char error[HTTP_ERROR_MAX]);
/* Asks it to stop; srv_http_loop_join waits for its thread. */
void srv_http_loop_stop(struct srv_http_loop *loop);
void srv_http_loop_join(struct srv_http_loop *loop);
/* After the workers have ended: the last of them may still be about to wake it. */
void srv_http_loop_free(struct srv_http_loop *loop);
/* How many connections one address may have of those of a loop. */
size_t srv_http_address_max(unsigned connections_max);
/* Whether the daemon may take one more connection from there. */
enum MHD_Result srv_http_loop_admits(void *loop, const struct sockaddr *peer, socklen_t len);
/* A connection has begun (conn->bucket: whose it is); one has ended. */
void srv_http_loop_add(struct srv_http_loop *loop, struct srv_http_conn *conn, const struct sockaddr *peer);
void srv_http_loop_remove(struct srv_http_loop *loop, struct srv_http_conn *conn);
/* A request was resumed: the daemon has to run before the loop waits again. */
void srv_http_loop_kick(struct srv_http_loop *loop);

/* --- upkeep.c --- */

#define HTTP_STOP_TICK_S 0.02 /* how often a stop checks whether all is answered */
#define HTTP_UPKEEP_FIRST_S 3.
#define HTTP_UPKEEP_EVERY_S 30.
void srv_http_upkeep(struct ev_loop *ev, ev_timer *timer, int events);
/* What is followed closely: moves on boards, which who looks for a place adds up (often, then it is little
 * each time), files of own data. */
#define HTTP_FOLLOW_EVERY_S 5.
#define HTTP_EXPORT_REST_S_MIN 0.005 /* between two steps of such files: as long as the step took */
#define HTTP_EXPORT_REST_S_MAX 1.
void srv_http_export_rested(struct ev_loop *ev, ev_timer *timer, int events);
void srv_http_follow(struct ev_loop *ev, ev_timer *timer, int events);
/* Bans and ended sessions of other nodes. */
#define HTTP_REVOKED_EVERY_S 2.
void srv_http_on_revoked(struct ev_loop *ev, ev_timer *timer, int events);
/* Reads them if revoked_asked. */
void srv_http_read_revoked(struct srv_http_loop *loop);

/* Pages load from here alone, and talk to here and to the sockets. The engine is WebAssembly (wasm/): it may
 * be compiled, a text may not; long thoughts have a thread of their own. framed: any page may show it in a
 * frame. */
void srv_http_csp(const struct srv_http *http, bool framed, char csp[HTTP_CSP_MAX]);

#endif
