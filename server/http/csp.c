/* The Content-Security-Policy of pages; see csp.h. */
#include "server/http/csp.h"

#include <stdio.h>

void srv_http_csp(const struct srv_http *http, bool framed, char csp[HTTP_CSP_MAX])
{
    char sockets[SRV_SOCKETS_MAX];
    http->sockets(http->env.ports.ctx, sockets);
    (void)snprintf(
        csp, HTTP_CSP_MAX,
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; manifest-src "
        "'self'; connect-src 'self' %s; img-src 'self' data: blob:; " CSP_STYLES
        "; media-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors %s",
        sockets, framed ? "*" : "'none'");
}
