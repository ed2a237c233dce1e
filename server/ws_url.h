/* The public address of a node's sockets: its form, and what of it the policy of pages names. Any thread. */
#ifndef RUMMYD_SERVER_WS_URL_H
#define RUMMYD_SERVER_WS_URL_H

#include <stdbool.h>
#include <stddef.h>

enum { SRV_SOCKETS_MAX = 2048 }; /* bytes of a list of origins */

/* It is ws:// or wss://, a host that others could mean, perhaps a port and a path, and nothing else. false
 * and one sentence in error. */
bool srv_ws_url_fits(const char *url, char *error, size_t error_cap);
/* How much of it is scheme, host and port. */
size_t srv_ws_url_origin(const char *url);
/* Adds its origin to a list of them, separated by blanks, unless it stands there or there is no room. */
void srv_ws_url_list(char list[SRV_SOCKETS_MAX], const char *url);

#endif
