/* Listening sockets. Any thread. */
#ifndef RUMMYD_SERVER_LISTEN_H
#define RUMMYD_SERVER_LISTEN_H

#include <stdbool.h>
#include <stddef.h>

/* Whether addr is a numeric address that can be bound. */
bool srv_listen_addr_ok(const char *addr);
/* Creates a nonblocking listening socket on a numeric IPv4 or IPv6 address; port 0: any free port. shared:
 * other sockets of this user may listen on the same port. front: "http" or "ws", the prefix of the error
 * text. -1: error has the reason. */
int srv_listen(const char *front, const char *addr, int port, bool shared, char *error, size_t error_cap);
/* The port that the socket listens on. */
int srv_listen_port(int fd);

#endif
