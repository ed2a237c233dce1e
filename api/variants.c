/* GET /v1/variants: the variants. The engine's part is behind a port. REST loops. */
#include "api/resources.h"
#include "base/bug.h"

static enum api_next begin_variants(struct api_request *request)
{
    struct buf *out = api_reply_open(request, 200);
    json_key(out, "items");
    request->env->ports.variants_write(request->env->ports.ctx, out);
    json_close(out, '}');
    return API_DONE;
}

const struct api_route api_variants_routes[] = {
    {.method = "GET",
     .path = "/v1/variants",
     .id = "listVariants",
     .tagged = true,
     .role = API_ANYONE,
     .rate = API_RATE_READ,
     .begin = begin_variants},
};
const size_t api_variants_routes_n = ARRAY_LEN(api_variants_routes);
