/* Files and folders that keys name; see config.h. Other files read the secrets (server/keys/secret.c,
 * server/outbound/push.c, server/keys/oidc_load.c). Main thread. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bug.h"
#include "base/log.h"
#include "net/certificates.h"
#include "server/config_in.h"

static bool fail(char *error, const char *key, const char *path, const char *what)
{
    (void)snprintf(error, SRV_ERROR_MAX, "%s: %.200s %s", key, path, what);
    return false;
}

/* Whether a folder exists and can be entered, and written to if required. */
static bool check_folder(const char *key, const char *path, bool write, char *error)
{
    struct stat what;
    if (stat(path, &what) != 0) {
        (void)snprintf(error, SRV_ERROR_MAX, "%s: %.200s: %s; create the folder, or name another", key, path,
                       strerror(errno));
        return false;
    }
    if (!S_ISDIR(what.st_mode))
        return fail(error, key, path, "is no folder");
    if (access(path, write ? W_OK | X_OK : X_OK) == 0)
        return true;
    (void)snprintf(error, SRV_ERROR_MAX, "%s: the server is not permitted to %s %.200s: %s", key,
                   write ? "write to" : "enter", path, strerror(errno));
    return false;
}

/* Creates a missing folder, or checks that its parent is writable. */
static bool provide_folder(const char *key, const char *path, bool make, char *error)
{
    char above[SRV_TEXT_MAX];
    (void)snprintf(above, sizeof(above), "%s", path);
    char *slash = strrchr(above, '/');
    if (slash && slash != above)
        *slash = '\0';
    else
        (void)snprintf(above, sizeof(above), "%s", slash ? "/" : ".");
    if (access(path, F_OK) == 0)
        return check_folder(key, path, true, error);
    if (!make)
        return check_folder(key, above, true, error);
    if (mkdir(path, 0700) == 0 || errno == EEXIST)
        return check_folder(key, path, true, error);
    (void)snprintf(error, SRV_ERROR_MAX, "%s: cannot create %.200s: %s", key, path, strerror(errno));
    return false;
}

/* The server writes emails to files only if smtp_url is not set. The default is var/mail below the working
 * directory. */
static bool check_mail_dir(const struct srv_config *config, bool make, char *error)
{
    const char *path = config->mail_dir;
    if (config->smtp_url[0])
        return true;
    if (srv_key_source(config, "mail_dir") != SRV_FROM_DEFAULT)
        return config->dev ? provide_folder("mail_dir", path, make, error)
                           : check_folder("mail_dir", path, true, error);
    if (access("var", F_OK) != 0 && !make)
        return check_folder("mail_dir", ".", true, error);
    if (mkdir("var", 0700) != 0 && errno != EEXIST) {
        (void)snprintf(error, SRV_ERROR_MAX,
                       "mail_dir: cannot create %.200s: %s; set smtp_url, or name a folder", path,
                       strerror(errno));
        return false;
    }
    return provide_folder("mail_dir", path, make, error);
}

/* The default is the output folder of the page build, which may not exist yet. */
static bool check_web_dir(const struct srv_config *config, char *error)
{
    char index[SRV_TEXT_MAX + 16];
    const char *path = config->web_dir;
    if (path[0] == '\0')
        return true;
    (void)snprintf(index, sizeof(index), "%s/index.html", path);
    if (srv_key_source(config, "web_dir") == SRV_FROM_DEFAULT) {
        if (access(index, R_OK) != 0)
            LOG_AT(config->dev ? LOG_INFO : LOG_WARN, "page_missing", LOG_TEXT("web_dir", path));
        return true;
    }
    if (!check_folder("web_dir", path, false, error))
        return false;
    if (access(index, R_OK) == 0)
        return true;
    return fail(error, "web_dir", path,
                "has no index.html that the server may read; build the page, or empty the key");
}

/* The file must contain at least one PEM certificate. */
static bool check_certificates(const char *key, const char *path, char *error)
{
    struct stat what;
    if (path[0] == '\0')
        return true;
    FILE *file = fopen(path, "re");
    if (!file) {
        (void)snprintf(error, SRV_ERROR_MAX, "%s: cannot read %.200s: %s", key, path, strerror(errno));
        return false;
    }
    bool is_file = fstat(fileno(file), &what) == 0 && !S_ISDIR(what.st_mode);
    bool found = is_file && net_certificates_in(file);
    (void)fclose(file);
    return found ||
           fail(error, key, path,
                is_file ? "contains no PEM certificate" : "is a folder; give the path of the file in it");
}

bool srv_config_paths(const struct srv_config *config, bool make, char error[SRV_ERROR_MAX])
{
    const char *state = config->state_dir;
    bool state_ok = state[0] == '\0' || (config->dev ? provide_folder("state_dir", state, make, error)
                                                     : check_folder("state_dir", state, false, error));
    return state_ok && check_web_dir(config, error) && check_mail_dir(config, make, error) &&
           check_certificates("smtp_ca_file", config->smtp_ca_file, error) &&
           check_certificates("bus_ca", config->bus_ca, error);
}
