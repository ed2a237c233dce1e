/* The Content-Security-Policy of pages. */
#ifndef RUMMYD_SERVER_HTTP_CSP_H
#define RUMMYD_SERVER_HTTP_CSP_H

#include "server/http/loop.h"

/* Styles that pages may use: files from here, and no inline style except an empty attribute `style` (the
 * hash), which dialogs leave behind. */
#define CSP_STYLES                                                                                           \
    "style-src 'self'; style-src-attr 'unsafe-hashes' "                                                      \
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"

enum { HTTP_CSP_MAX = 1024 + SRV_SOCKETS_MAX };

/* Pages load only from here, and connect only here and to the sockets. The engine is WebAssembly (wasm/),
 * which may be compiled; text may not be evaluated. Long searches run in a worker. framed: any page may show
 * it in a frame. */
void srv_http_csp(const struct srv_http *http, bool framed, char csp[HTTP_CSP_MAX]);

#endif
