/* The one way a subcommand says why it failed; see cmd.h. Main thread. */
#include <stdarg.h>
#include <stdio.h>

#include "server/cmd.h"

int cmd_error(int code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    (void)fputs("rummyd: ", stderr);
    (void)vfprintf(stderr, fmt, args);
    (void)fputs("\n", stderr);
    va_end(args);
    return code;
}
