/* `rummyd metrics`: prints all metrics as a Markdown page, docs/metrics.md; scripts/check contracts fails if
 * that file is stale. */
#include <stdio.h>

#include "base/bug.h"
#include "server/cli/cmd.h"
#include "server/operations/metrics.h"

int srv_cmd_metrics(int args_n, char *const *args)
{
    static char memory[METRICS_TEXT_MAX];
    (void)args;
    if (args_n > 0)
        return srv_fail(SRV_EXIT_USAGE, "metrics takes no arguments");
    struct buf out = buf_on(memory, sizeof(memory));
    srv_metrics_describe(&out);
    ASSERT(!out.full);
    (void)printf("%.*s", (int)out.len, out.data);
    return SRV_EXIT_OK;
}
