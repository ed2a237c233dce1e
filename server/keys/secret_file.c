/* Reads files that keys name; see secret_file.h. */
#include "server/keys/secret_file.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"

/* Whether only its owner can access the file. Files from systemd (LoadCredential) are always private; the
 * access list of their folder looks like group permissions. */
static bool is_private(const char *path)
{
    struct stat stat_of;
    const char *handed = getenv("CREDENTIALS_DIRECTORY");
    size_t len = handed ? strlen(handed) : 0;
    if (len > 0 && strncmp(path, handed, len) == 0 && path[len] == '/' && !strstr(path, "/../"))
        return true;
    return stat(path, &stat_of) != 0 || !S_ISREG(stat_of.st_mode) ||
           (stat_of.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

bool srv_secret_private(const char *key, const char *path, bool dev, char error[SRV_ERROR_MAX])
{
    if (is_private(path))
        return true;
    if (dev) {
        log_warn("secret_open_to_others", LOG_TEXT("key", key));
        return true;
    }
    (void)snprintf(error, SRV_ERROR_MAX, "%s: other users can read or change %.200s; run chmod 600", key,
                   path);
    return false;
}

/* Reads a secret file without its final newline. Returns its length, or -1 if it cannot be read or is too
 * long. */
static int read_secret(const char *path, char out[SRV_SECRET_MAX])
{
    FILE *file = fopen(path, "re");
    if (!file)
        return -1;
    size_t n = fread(out, 1, SRV_SECRET_MAX - 1, file);
    bool whole = !ferror(file) && (feof(file) || fgetc(file) == EOF);
    (void)fclose(file);
    while (n > 0 && (out[n - 1] == '\n' || out[n - 1] == '\r'))
        n--;
    out[n] = '\0';
    return whole ? (int)n : -1;
}

bool srv_secret_read(const char *name, const char *path, char out[SRV_SECRET_MAX], char error[SRV_ERROR_MAX])
{
    int len = read_secret(path, out);
    if (len < 0) {
        (void)snprintf(error, SRV_ERROR_MAX, "%s: cannot read %.200s, or it exceeds %d bytes", name, path,
                       SRV_SECRET_MAX - 1);
        return false;
    }
    if (len == 0) {
        (void)snprintf(error, SRV_ERROR_MAX, "%s: %.200s is empty; write the secret to it", name, path);
        return false;
    }
    for (int i = 0; i < len; i++)
        if ((unsigned char)out[i] < ' ' || out[i] == 0x7F) {
            (void)snprintf(
                error, SRV_ERROR_MAX,
                "%s: %.200s contains a line break or control character; it must contain only the secret, "
                "in printable characters",
                name, path);
            sodium_memzero(out, SRV_SECRET_MAX);
            return false;
        }
    return true;
}

char *srv_file_read(const char *key, const char *path, size_t *len, char error[SRV_ERROR_MAX])
{
    FILE *file = fopen(path, "re");
    char *bytes = file ? malloc(SRV_FILE_MAX + 1) : NULL;
    *len = bytes ? fread(bytes, 1, SRV_FILE_MAX + 1, file) : 0;
    bool whole = bytes && !ferror(file) && *len <= SRV_FILE_MAX;
    if (file)
        (void)fclose(file);
    if (whole)
        return bytes;
    (void)snprintf(error, SRV_ERROR_MAX, "%s: cannot read %.200s, or it exceeds %d bytes", key, path,
                   SRV_FILE_MAX);
    free(bytes);
    return NULL;
}
