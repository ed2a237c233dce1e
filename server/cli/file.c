/* Reading a whole file for the subcommands that check files. Main thread. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "server/cli/cmd.h"

enum { FIRST_BYTES = 64 * 1024 };

/* Reads to the end into a growing buffer; returns 0 or an errno. */
static int read_on(FILE *file, char **text, size_t *len)
{
    size_t room = 0;
    ASSERT(*text == NULL && *len == 0);
    do {
        room = room == 0 ? FIRST_BYTES : 2 * room;
        char *more = realloc(*text, room);
        if (!more)
            return ENOMEM;
        *text = more;
        *len += fread(more + *len, 1, room - *len, file);
    } while (*len == room && room <= SRV_FILE_BYTES_MAX);
    if (ferror(file))
        return EIO;
    return *len > SRV_FILE_BYTES_MAX ? EFBIG : 0;
}

char *srv_cmd_read_whole(const char *path, size_t *len)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "re");
    char *text = NULL;
    *len = 0;
    if (!file)
        return NULL;
    int problem = read_on(file, &text, len);
    if (!standard)
        (void)fclose(file);
    if (problem == 0)
        return text;
    free(text);
    errno = problem;
    return NULL;
}

const char *srv_cmd_read_problem(int problem)
{
    _Static_assert(SRV_FILE_BYTES_MAX == 64 * 1024 * 1024, "as the sentence and docs/records.md say");
    ASSERT(problem != 0);
    return problem == EFBIG ? "the file is larger than the limit of 64 MiB" : strerror(problem);
}
