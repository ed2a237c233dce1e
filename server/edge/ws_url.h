/* The public URL of a node's sockets: its form, and the part that the Content-Security-Policy of pages names.
 * Any thread. */
#ifndef RUMMYD_SERVER_WS_URL_H
#define RUMMYD_SERVER_WS_URL_H

#include <stdbool.h>
#include <stddef.h>

enum { SRV_SOCKETS_MAX = 2048 }; /* bytes of a list of origins */

/* Whether it is ws:// or wss://, a host that other machines can resolve, optionally a port and a path, and
 * nothing else. false and one sentence in error. */
bool srv_ws_url_fits(const char *url, char *error, size_t error_cap);
/* Length of its scheme, host, and port. */
size_t srv_ws_url_origin(const char *url);
/* Adds its origin to a space-separated list, unless it is already there or does not fit. */
void srv_ws_url_list(char list[SRV_SOCKETS_MAX], const char *url);

#endif
