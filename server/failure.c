/* See failure.h. */
#include "server/failure.h"

#include <stdarg.h>
#include <stdio.h>

int srv_fail(int code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    (void)fputs("rummyd: ", stderr);
    (void)vfprintf(stderr, fmt, args);
    (void)fputs("\n", stderr);
    va_end(args);
    return code;
}
