/* Listening sockets; see listen.h. */
#include "server/edge/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Connections queued in the kernel, which may limit it further (net.core.somaxconn). */
enum { BACKLOG = 4096 };

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

/* -1 with errno. */
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

/* getaddrinfo accepts more forms: * and 127.1. A zone (fe80::1%eth0) depends on the machine. */
bool srv_listen_addr_ok(const char *addr)
{
    char host[INET6_ADDRSTRLEN];
    struct in6_addr out;
    size_t len = strcspn(addr, "%");
    if (len >= sizeof(host))
        return false;
    memcpy(host, addr, len);
    host[len] = '\0';
    struct addrinfo *where = resolve(addr, 0);
    if (where)
        freeaddrinfo(where);
    return where && (inet_pton(AF_INET, host, &out) == 1 || inet_pton(AF_INET6, host, &out) == 1);
}

int srv_listen(const char *front, const char *addr, int port, bool shared, char *error, size_t error_cap)
{
    struct addrinfo *where = resolve(addr, port);
    if (!where) {
        (void)snprintf(error, error_cap, "%s_addr: \"%.60s\" is not a numeric address", front, addr);
        return -1;
    }
    int fd = listen_on(where, shared);
    if (fd < 0)
        (void)snprintf(error, error_cap, "%s_port: cannot listen on %.60s port %d: %s", front, addr, port,
                       strerror(errno));
    freeaddrinfo(where);
    return fd;
}

int srv_listen_port(int fd)
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
