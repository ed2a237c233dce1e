/* `rummyd setup`: runs the script of that name that `make install` puts next to the page. It is a script
 * because it calls the system's own tools: PostgreSQL's, systemd's, and those that create users. Main thread.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/bug.h"
#include "server/cli/cmd.h"
#include "server/config.h"

enum { SETUP_WORDS_MAX = 20 };

int srv_cmd_setup(int args_n, char *const *args)
{
    char path[SRV_TEXT_MAX];
    char *words[SETUP_WORDS_MAX + 2] = {path};
    if (args_n > SETUP_WORDS_MAX)
        return srv_fail(SRV_EXIT_USAGE, "setup: too many arguments");
    if (!srv_installed("setup", path))
        return srv_fail(SRV_EXIT_FAILED,
                        "setup: this program is not installed; install the package, or run make install");
    for (int i = 0; i < args_n; i++)
        words[i + 1] = args[i];
    (void)execv(path, words);
    return srv_fail(SRV_EXIT_FAILED, "setup: cannot run %.300s: %s", path, strerror(errno));
}
