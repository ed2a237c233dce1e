/* Headers of every response; see reply_headers.h. */
#include "server/http/reply_headers.h"

#include "base/bug.h"
#include "server/http/cors.h"

#include <stdio.h>

static void put(struct MHD_Response *response, const char *name, const char *value)
{
    (void)MHD_add_response_header(response, name, value); /* fails only if memory runs out */
}

static void put_limit(struct MHD_Response *response, const struct api_rate_state *limit)
{
    char text[128];
    if (!limit->name)
        return;
    (void)snprintf(text, sizeof(text), "\"%s\";q=%lld;w=%lld", limit->name, (long long)limit->quota,
                   (long long)limit->window_s);
    put(response, "RateLimit-Policy", text);
    (void)snprintf(text, sizeof(text), "\"%s\";r=%lld;t=%lld", limit->name, (long long)limit->remaining,
                   (long long)limit->full_s);
    put(response, "RateLimit", text);
}

/* Security headers of every response. The Content-Security-Policy depends on the content and is set
 * elsewhere. */
static void put_security(const struct srv_http *http, struct MHD_Response *response)
{
    static const struct {
        const char *name, *value;
    } always[] = {
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        /* Disables features that the page does not use, so that injected code cannot use them either. Only
         * the page itself may use passkeys, even in a frame. */
        {"Permissions-Policy",
         "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), "
         "magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-create=(self), "
         "publickey-credentials-get=(self), usb=()"},
    };
    for (size_t i = 0; i < ARRAY_LEN(always); i++)
        put(response, always[i].name, always[i].value);
    if (http->https)
        put(response, "Strict-Transport-Security", "max-age=31536000; includeSubDomains");
}

void srv_http_reply_headers(struct srv_http_request *request, struct MHD_Response *response)
{
    put(response, "X-Trace-Id", request->api.trace_id);
    put_security(request->loop->http, response);
    if (request->loop->http->origins[0] || request->loop->http->dev)
        put(response, "Vary", "Origin");
    if (request->origin) {
        put(response, "Access-Control-Allow-Origin", request->origin);
        put(response, "Access-Control-Expose-Headers", CORS_RESPONSE_HEADERS);
    }
    put_limit(response, &request->limit);
    if (request->api.repeated)
        put(response, "Idempotency-Replayed", "true");
    if (request->loop->stopping || request->last)
        put(response, "Connection", "close");
}
