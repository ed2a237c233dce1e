/* The public URL of a node's sockets: its form, and its origin for the Content-Security-Policy of pages.
 * Any thread. */
#ifndef RUMMYD_SERVER_WS_URL_H
#define RUMMYD_SERVER_WS_URL_H

#include <stdbool.h>
#include <stddef.h>

enum { SRV_SOCKETS_MAX = 2048 }; /* bytes of a list of origins */

/* Whether the URL consists only of ws:// or wss://, a host that other machines can reach, and optionally a
 * port and a path. If not, error is one sentence. */
bool srv_ws_url_fits(const char *url, char *error, size_t error_cap);
/* Length of the URL's scheme, host, and port. */
size_t srv_ws_url_origin(const char *url);
/* Adds the URL's origin to a space-separated list, unless the list already has it or has no space for
 * it. */
void srv_ws_url_list(char list[SRV_SOCKETS_MAX], const char *url);

#endif
