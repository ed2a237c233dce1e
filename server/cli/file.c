/* Reading a whole file for the subcommands that check files. Main thread. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/cli/cmd.h"

enum { FILE_BYTES_MAX = 8 * 1024 * 1024 };

char *srv_cmd_read_whole(const char *path, size_t *len)
{
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(path, "re");
    if (!file)
        return NULL;
    char *text = malloc(FILE_BYTES_MAX);
    *len = text ? fread(text, 1, FILE_BYTES_MAX, file) : 0;
    int problem = ferror(file) ? EIO : *len == FILE_BYTES_MAX ? EFBIG : 0;
    if (!is_stdin)
        (void)fclose(file);
    if (text && problem == 0)
        return text;
    free(text);
    errno = text ? problem : ENOMEM;
    return NULL;
}
