/* Listening sockets. Any thread. */
#ifndef RUMMYD_SERVER_LISTEN_H
#define RUMMYD_SERVER_LISTEN_H

#include <stdbool.h>
#include <stddef.h>

/* Whether it is a numeric address. */
bool srv_listen_addr_ok(const char *addr);
/* Creates a nonblocking listening socket on a numeric IPv4 or IPv6 address; port 0: any free one. shared:
 * other sockets of this user may listen there, too. front: "http" or "ws", which begins the sentence in
 * error. -1: error has the reason. */
int srv_listen(const char *front, const char *addr, int port, bool shared, char *error, size_t error_cap);
/* The port it listens on. */
int srv_listen_port(int fd);

#endif
