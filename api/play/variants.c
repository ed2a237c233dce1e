/* GET /v1/variants: the variants. The engine is behind a port. REST loops. */
#include "api/core/operations.h"
#include "base/bug.h"

static enum api_next begin_variants(struct api_request *request)
{
    struct buf *out = api_reply_open(request, 200);
    json_key(out, "items");
    request->env->ports.variants_write(request->env->ports.ctx, out);
    json_close(out, '}');
    return API_DONE;
}

API_OPERATION(listVariants) = {.begin = begin_variants};
