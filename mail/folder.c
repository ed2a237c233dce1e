/* Writes emails into a folder; see folder.h. */
#include "mail/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 1024 };

static bool write_all(int fd, const char *text, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, text, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text += n;
        len -= (size_t)n;
    }
    return true;
}

/* Writes the file completely and to disk, or not at all. */
static bool put(int dir, const char *name, const char *text, size_t len)
{
    char part[MAIL_ID_MAX + 16];
    (void)snprintf(part, sizeof(part), "%s.part", name);
    int fd = openat(dir, part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return false;
    bool ok = write_all(fd, text, len) && fsync(fd) == 0;
    int error = errno;
    ok = close(fd) == 0 && ok;
    ok = ok && renameat(dir, part, dir, name) == 0 && fsync(dir) == 0;
    if (!ok) {
        (void)unlinkat(dir, part, 0);
        errno = error;
    }
    return ok;
}

/* Opens the folder; creates it and its parent ("var" of "var/mail") if necessary. */
static int open_folder(const char *folder)
{
    char above[PATH_BYTES];
    (void)snprintf(above, sizeof(above), "%s", folder);
    char *slash = strrchr(above, '/');
    if (slash && slash != above) {
        *slash = '\0';
        (void)mkdir(above, 0700);
    }
    (void)mkdir(folder, 0700); /* an error makes the next call fail */
    return open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

void mail_folder_put(const char *folder, const char *id, const char *text, size_t len,
                     struct mail_result *result)
{
    char name[MAIL_ID_MAX + 8];
    (void)snprintf(name, sizeof(name), "%s.eml", id);
    int dir = open_folder(folder);
    if (dir >= 0 && put(dir, name, text, len))
        result->outcome = MAIL_SENT;
    else
        (void)snprintf(result->why, sizeof(result->why), "mail_dir: %.100s", strerror(errno));
    if (dir >= 0)
        (void)close(dir);
}
