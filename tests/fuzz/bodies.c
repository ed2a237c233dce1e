/* Bodies of REST requests: any bytes, checked against the spec of every endpoint. The result is either a
 * tree and its values, or a code and a list of faults in text that can be sent back. */
#include "api/core/route.h"
#include "base/bug.h"
#include "base/text.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct api_route *route;
    for (size_t i = 0; (route = api_route_at(i)) != NULL; i++) {
        if (!route->body)
            continue;
        struct api_spec_value values[API_SPEC_MEMBERS_MAX];
        struct api_spec_error error = {0};
        json_t *tree = NULL;
        if (api_spec_read(route->body, (const char *)data, size, &tree, values, &error)) {
            for (size_t m = 0; m < route->body->members_n; m++)
                ASSERT(values[m].set || !route->body->members[m].required);
            json_decref(tree);
        } else {
            ASSERT(tree == NULL);
            ASSERT(error.code != API_OK);
            static char text[64 * 1024];
            struct buf out = buf_on(text, sizeof(text));
            api_faults_write(&out, &error.faults);
            ASSERT(!out.full && text_utf8_ok(text, out.len));
        }
    }
    return 0;
}
