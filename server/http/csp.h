/* The Content-Security-Policy of pages. */
#ifndef RUMMYD_SERVER_HTTP_CSP_H
#define RUMMYD_SERVER_HTTP_CSP_H

#include "server/http/loop.h"

/* Pages may use style files of this origin, and no inline style except an empty `style` attribute (the
 * hash), which dialogs leave behind. */
#define CSP_STYLES                                                                                           \
    "style-src 'self'; style-src-attr 'unsafe-hashes' "                                                      \
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"

enum { HTTP_CSP_MAX = 1024 + SRV_SOCKETS_MAX };

/* Pages load only from this origin, and connect only to it and to the sockets. They may compile
 * WebAssembly, because the engine is a module (wasm/), but not evaluate text. They may start workers for
 * long searches. framed: any page may show the document in a frame. */
void srv_http_csp(const struct srv_http *http, bool framed, char csp[HTTP_CSP_MAX]);

#endif
