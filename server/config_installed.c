/* Where `make install` puts the files of the program; see config.h. Any thread. */
#include "server/config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool srv_installed(const char *file, char path[SRV_TEXT_MAX])
{
    char program[SRV_TEXT_MAX];
    ssize_t len = readlink("/proc/self/exe", program, sizeof(program) - 1);
    if (len <= 0 || (size_t)len >= sizeof(program) - 1)
        return false;
    program[len] = '\0';
    char *slash = strrchr(program, '/');
    if (!slash)
        return false;
    *slash = '\0';
    char *folder = strrchr(program, '/');
    if (!folder || strcmp(folder, "/bin") != 0)
        return false;
    *folder = '\0';
    int written = snprintf(path, SRV_TEXT_MAX, "%s/share/rummyd/%s", program, file);
    return written > 0 && written < SRV_TEXT_MAX;
}
