/* Listening sockets. Any thread. */
#ifndef RUMMYD_SERVER_LISTEN_H
#define RUMMYD_SERVER_LISTEN_H

#include <stdbool.h>
#include <stddef.h>

/* Whether it is a numeric address. */
bool srv_listen_addr_ok(const char *addr);
/* A listening socket that does not block, on a numeric IPv4 or IPv6 address; port 0: any free one. shared:
 * others of this user may listen there, too. front: "http" or "ws", which the sentence in error begins with.
 * -1: error says why. */
int srv_listen(const char *front, const char *addr, int port, bool shared, char *error, size_t error_cap);
/* The port it listens on. */
int srv_listen_port(int fd);

#endif
