/* Starts and stops the HTTP front: the listening sockets, the workers, the loops. See http.h.
 * Main thread. */
#include "server/http/http.h"

#include "api/bans.h"
#include "api/overdue.h"
#include "api/rooms.h"
#include "api/shop_packs.h"
#include "base/bug.h"
#include "base/log.h"
#include "server/http/request.h"
#include "server/metrics.h"
#include "server/version.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define BACKLOG 512
#define WORKERS_N 2
#define FETCHERS_N 4

extern const struct embed_file srv_contracts[];
extern const size_t srv_contracts_n;

/* --- sockets --- */

/* A listening socket, or -1 with errno. */
static int listen_on(const struct addrinfo *where, bool shared)
{
    int fd = socket(where->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const int on = 1;
    if (fd < 0)
        return -1;
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0 ||
        (shared && setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on)) != 0) ||
        bind(fd, where->ai_addr, where->ai_addrlen) != 0 || listen(fd, BACKLOG) != 0) {
        int why = errno;
        (void)close(fd);
        errno = why;
        return -1;
    }
    return fd;
}

static int port_of(int fd)
{
    union {
        struct sockaddr any;
        struct sockaddr_in in;
        struct sockaddr_in6 in6;
    } bound = {0};
    socklen_t len = sizeof(bound);
    if (getsockname(fd, &bound.any, &len) != 0)
        return -1;
    return ntohs(bound.any.sa_family == AF_INET ? bound.in.sin_port : bound.in6.sin6_port);
}

static struct addrinfo *resolve(const char *addr, int port)
{
    char service[8];
    struct addrinfo *found = NULL;
    const struct addrinfo hints = {.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV,
                                   .ai_family = AF_UNSPEC,
                                   .ai_socktype = SOCK_STREAM};
    (void)snprintf(service, sizeof(service), "%d", port);
    return getaddrinfo(addr, service, &hints, &found) == 0 ? found : NULL;
}

/* One socket for each loop. A port that is shared among ours is first taken alone: otherwise a second
 * server of the same user would join in unseen. */
static bool listen_all(struct srv_http *http, int port, int loops_n, int fds[HTTP_LOOPS_MAX], char *error)
{
    struct addrinfo *where = resolve(http->addr, port);
    if (!where) {
        (void)snprintf(error, HTTP_ERROR_MAX, "http_addr: %.100s is no numeric address", http->addr);
        return false;
    }
    fds[0] = listen_on(where, false);
    bool ok = fds[0] >= 0;
    if (ok)
        http->port = port_of(fds[0]);
    if (ok && loops_n > 1) {
        (void)close(fds[0]);
        freeaddrinfo(where);
        where = resolve(http->addr, http->port);
        for (int i = 0; i < loops_n; i++)
            fds[i] = ok && where ? listen_on(where, true) : -1;
        for (int i = 0; i < loops_n; i++)
            ok = ok && fds[i] >= 0;
    }
    if (!ok)
        (void)snprintf(error, HTTP_ERROR_MAX, "http_port: cannot listen on %.100s port %d: %s", http->addr,
                       port, strerror(errno));
    for (int i = 0; !ok && i < loops_n; i++)
        if (fds[i] >= 0)
            (void)close(fds[i]);
    if (where)
        freeaddrinfo(where);
    return ok;
}

/* --- configuration --- */

/* "a, b" to copies. false: too many, or no memory. */
static bool split(const char *list, char *out[HTTP_PROXIES_MAX], size_t *n)
{
    while (list && *list) {
        list += strspn(list, ", ");
        size_t len = strcspn(list, ", ");
        if (len == 0)
            break;
        if (*n == HTTP_PROXIES_MAX || !(out[*n] = strndup(list, len)))
            return false;
        ++*n;
        list += len;
    }
    return true;
}

/* Pages load from here alone, and talk to here and to the sockets. */
static void make_csp(struct srv_http *http)
{
    char sockets[512];
    const char *start = strstr(http->ws_url, "://");
    size_t len = start ? (size_t)(start + 3 - http->ws_url) + strcspn(start + 3, "/") : 0;
    (void)snprintf(sockets, sizeof(sockets), "%.*s", (int)len, http->ws_url);
    (void)snprintf(http->csp, sizeof(http->csp),
                   "default-src 'self'; connect-src 'self' %s; img-src 'self' data: blob:; style-src 'self' "
                   "'unsafe-inline'; media-src 'self' data:; object-src 'none'; base-uri 'none'; form-action "
                   "'self'; frame-ancestors 'none'",
                   sockets);
}

static bool copy_config(struct srv_http *http, const struct srv_http_config *config, char *error)
{
    http->addr = strdup(config->addr);
    http->db = strdup(config->db);
    http->web_dir = strdup(config->web_dir ? config->web_dir : "");
    http->ws_url = strdup(config->ws_url);
    http->node = strdup(config->node);
    http->origins = strdup(config->origins ? config->origins : "");
    http->dev = config->dev;
    if (config->dev_seed)
        memcpy(http->dev_seed, config->dev_seed, sizeof(http->dev_seed));
    if (!http->addr || !http->db || !http->web_dir || !http->ws_url || !http->node || !http->origins) {
        (void)snprintf(error, HTTP_ERROR_MAX, "http: out of memory");
        return false;
    }
    size_t len = strlen(http->ws_url);
    if (len > 0 && http->ws_url[len - 1] == '/')
        http->ws_url[len - 1] = '\0';
    if (!split(config->proxies, http->proxies, &http->proxies_n)) {
        (void)snprintf(error, HTTP_ERROR_MAX, "proxies: more than %d entries", HTTP_PROXIES_MAX);
        return false;
    }
    make_csp(http);
    http->env = (struct api_env){.ports = config->ports,
                                 .ws_url = http->ws_url,
                                 .node = http->node,
                                 .version = srv_version,
                                 .dev_seed = config->dev_seed ? http->dev_seed : NULL,
                                 .rooms = api_rooms_new(),
                                 .overdue = api_overdue_new(),
                                 .packs = api_packs_new(),
                                 .bans = api_bans_new(),
                                 .pay = config->pay,
                                 .documents = srv_contracts,
                                 .documents_n = srv_contracts_n,
                                 .metrics_write = srv_metrics_write};
    if (!http->env.rooms || !http->env.overdue || !http->env.packs || !http->env.bans) {
        (void)snprintf(error, HTTP_ERROR_MAX, "http: out of memory");
        return false;
    }
    http->env.keys = *config->keys;
    http->env.ports.header = srv_rest_header;
    return true;
}

/* --- start and stop --- */

static void free_http(struct srv_http *http)
{
    srv_http_workers_free(http->workers);
    srv_http_workers_free(http->fetchers);
    api_rate_limits_free(http->limits);
    api_rooms_free(http->env.rooms);
    api_overdue_free(http->env.overdue);
    api_packs_free(http->env.packs);
    api_bans_free(http->env.bans);
    for (size_t i = 0; i < http->proxies_n; i++)
        free(http->proxies[i]);
    free(http->addr);
    free(http->db);
    free(http->web_dir);
    free(http->ws_url);
    free(http->node);
    free(http->origins);
    sodium_memzero(&http->env.keys, sizeof(http->env.keys));
    free(http);
}

void srv_http_stop(struct srv_http *http)
{
    if (!http)
        return;
    for (int i = 0; i < http->loops_n; i++)
        if (http->loops[i])
            srv_http_loop_stop(http->loops[i]);
    for (int i = 0; i < http->loops_n; i++)
        if (http->loops[i])
            srv_http_loop_join(http->loops[i]);
    srv_http_workers_free(http->workers);
    srv_http_workers_free(http->fetchers);
    http->workers = http->fetchers = NULL;
    for (int i = 0; i < http->loops_n; i++)
        if (http->loops[i])
            srv_http_loop_free(http->loops[i]);
    free_http(http);
}

static bool start_threads(struct srv_http *http, const int fds[HTTP_LOOPS_MAX], char *error)
{
    http->workers = srv_http_workers_new(WORKERS_N);
    http->fetchers = srv_http_workers_new(FETCHERS_N);
    bool ok = http->workers && http->fetchers;
    if (!ok)
        (void)snprintf(error, HTTP_ERROR_MAX, "http: cannot start the workers");
    for (int i = 0; i < http->loops_n; i++) {
        if (ok)
            http->loops[i] = srv_http_loop_start(http, fds[i], error);
        else
            (void)close(fds[i]);
        ok = ok && http->loops[i];
    }
    return ok;
}

struct srv_http *srv_http_start(const struct srv_http_config *config, char error[HTTP_ERROR_MAX])
{
    ASSERT(config->loops > 0 && config->loops <= HTTP_LOOPS_MAX);
    struct srv_http *http = calloc(1, sizeof(*http));
    int fds[HTTP_LOOPS_MAX] = {-1, -1, -1, -1};
    if (!http) {
        (void)snprintf(error, HTTP_ERROR_MAX, "http: out of memory");
        return NULL;
    }
    json_object_seed(0); /* before there are threads */
    (void)signal(SIGPIPE, SIG_IGN);
    if (config->rate_limits && !(http->limits = api_rate_limits_new())) {
        (void)snprintf(error, HTTP_ERROR_MAX, "http: out of memory");
        free_http(http);
        return NULL;
    }
    if (!copy_config(http, config, error) || !listen_all(http, config->port, config->loops, fds, error)) {
        free_http(http);
        return NULL;
    }
    http->loops_n = config->loops;
    /* Signals are the main thread's. */
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    bool ok = start_threads(http, fds, error);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!ok) {
        srv_http_stop(http);
        return NULL;
    }
    log_info("http_listening", LOG_TEXT("addr", http->addr), LOG_NUM("port", http->port),
             LOG_NUM("loops", http->loops_n));
    return http;
}

int srv_http_port(const struct srv_http *http)
{
    return http->port;
}
