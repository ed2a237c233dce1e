/* `rummyd routes`: prints the endpoint table as JSON, for the test that compares it with openapi.yaml. */
#include "api/core/route.h"
#include "base/bug.h"
#include "server/cli/cmd.h"

#include <stdio.h>

int srv_cmd_routes(int args_n, char *const *args)
{
    static char memory[64 * 1024];
    (void)args;
    if (args_n > 0)
        return srv_fail(SRV_EXIT_USAGE, "routes takes no arguments");
    struct buf out = buf_on(memory, sizeof(memory));
    api_routes_write(&out);
    ASSERT(!out.full);
    (void)printf("%.*s\n", (int)out.len, out.data);
    return SRV_EXIT_OK;
}
