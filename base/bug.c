/* The only function that aborts the process. Any thread. */
#include "base/bug.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void base_bug(const char *file, int line, const char *text)
{
    (void)fprintf(stderr, "%s:%d: bug: %s\n", file, line, text);
    abort();
}
