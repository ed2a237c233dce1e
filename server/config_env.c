/* RUMMYD_* of the environment; see config_in.h. Orchestrators and our own scripts set other variables with
 * this prefix; these must not prevent startup. A name that resembles a key is an error. Main thread. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/bug.h"
#include "base/log.h"
#include "server/config_in.h"

enum { NAME_MAX_BYTES = 64, TYPOS_MAX = 2, TYPOS_NAME_MIN = 5 };

static bool ends_with(const char *text, const char *end)
{
    size_t len = strlen(text), n = strlen(end);
    return len >= n && strcmp(text + len - n, end) == 0;
}

/* Matches "8080_tcp" and "8080_tcp_addr"; rest: the part after "port_". */
static bool is_port_of_link(const char *rest)
{
    static const char *const ends[] = {"_tcp", "_udp", "_sctp"}, *const of[] = {"", "_addr", "_port",
                                                                                "_proto"};
    size_t digits = strspn(rest, "0123456789");
    for (size_t i = 0; digits > 0 && i < ARRAY_LEN(ends); i++)
        for (size_t j = 0; j < ARRAY_LEN(of); j++) {
            size_t n = strlen(ends[i]);
            if (strncmp(rest + digits, ends[i], n) == 0 && strcmp(rest + digits + n, of[j]) == 0)
                return true;
        }
    return false;
}

/* Kubernetes sets such variables in every container for a Service whose name begins with rummyd
 * (enableServiceLinks): RUMMYD_SERVICE_HOST, RUMMYD_PORT=tcp://…, RUMMYD_0_PORT_8081_TCP_ADDR. A Service
 * `rummyd-http` even sets RUMMYD_HTTP_PORT, which is a key; its value distinguishes it. */
static bool is_service_link(const char *name, const char *value)
{
    if (ends_with(name, "service_host") || strstr(name, "service_port"))
        return true;
    if (ends_with(name, "port") && (strncmp(value, "tcp://", 6) == 0 || strncmp(value, "udp://", 6) == 0 ||
                                    strncmp(value, "sctp://", 7) == 0))
        return true;
    for (const char *at = strstr(name, "port_"); at; at = strstr(at + 1, "port_"))
        if (is_port_of_link(at + 5))
            return true;
    return false;
}

/* Used by the jobs, the SDKs, and the container scripts. */
static bool is_of_our_scripts(const char *name)
{
    static const char *const names[] = {"url",   "api_key",        "api_key_file", "job_pause_s",
                                        "token", "owner_password", "password",     "read_password"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Edit distance (Levenshtein). */
static size_t distance(const char *a, const char *b)
{
    size_t row[NAME_MAX_BYTES + 1], n = strlen(b);
    ASSERT(n <= NAME_MAX_BYTES);
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            size_t best = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            best = best < row[j] + 1 ? best : row[j] + 1;
            row[j + 1] = best < diagonal + 1 ? best : diagonal + 1;
        }
    }
    return row[n];
}

/* Lists the valid names: keys, then secrets, then `config`. */
static const char *known_name(size_t i)
{
    size_t keys = 0;
    while (srv_key_name(keys))
        keys++;
    if (i < keys)
        return srv_key_name(i);
    const char *secret = srv_secret_name(i - keys);
    return secret ? secret : i == keys + SRV_SECRETS ? "config" : NULL;
}

/* Returns the key that the user probably meant. NULL: the name resembles none. Names that differ only in
 * `_file` count as equal: RUMMYD_VAPID_KEY, RUMMYD_CONFIG_FILE. */
static const char *near_key(const char *name)
{
    size_t best = strlen(name) >= TYPOS_NAME_MIN ? TYPOS_MAX + 1 : 2, len = strlen(name);
    const char *found = NULL, *key;
    for (size_t i = 0; (key = known_name(i)); i++) {
        size_t n = distance(name, key), shared = len < strlen(key) ? len : strlen(key);
        if (strncmp(name, key, shared) == 0 &&
            (strcmp(name + shared, "_file") == 0 || strcmp(key + shared, "_file") == 0))
            n = 0;
        if (n < best) {
            best = n;
            found = key;
        }
    }
    return found;
}

static void upper(const char *name, char out[NAME_MAX_BYTES])
{
    size_t n = 0;
    for (; n < NAME_MAX_BYTES - 1 && name[n]; n++)
        out[n] = (char)toupper((unsigned char)name[n]);
    out[n] = '\0';
}

/* name: in lower case. */
static bool refuse_or_ignore(const char *name, const char *value, char *error)
{
    char given[NAME_MAX_BYTES + 8], meant[NAME_MAX_BYTES] = "";
    if (is_service_link(name, value) || is_of_our_scripts(name))
        return true;
    (void)memcpy(given, "RUMMYD_", 8);
    upper(name, given + 7);
    const char *key = near_key(name);
    if (!key) {
        log_warn("environment_ignored", LOG_TEXT("variable", given),
                 LOG_TEXT("why", "unknown key; `rummyd help` lists all keys"));
        return true;
    }
    upper(key, meant);
    (void)snprintf(error, SRV_ERROR_MAX, "%s: unknown key; did you mean RUMMYD_%s?", given, meant);
    return false;
}

/* Sets a secret from an environment variable, which overrides a file named in the configuration file. */
static bool set_secret(struct srv_config *config, const char *name, char *secret, const char *value,
                       char *error)
{
    char file[NAME_MAX_BYTES + 8];
    size_t len = strlen(value);
    (void)snprintf(file, sizeof(file), "%s_file", name);
    const struct srv_key *key = srv_key_find(file, strlen(file));
    ASSERT(key);
    if (len >= SRV_SECRET_MAX) {
        (void)snprintf(error, SRV_ERROR_MAX, "%s: longer than %d bytes", name, SRV_SECRET_MAX - 1);
        return false;
    }
    if (len == 0) /* a compose file sets an empty value if .env lacks the variable */
        return true;
    if (srv_key_source(config, file) == SRV_FROM_ENV) {
        (void)snprintf(error, SRV_ERROR_MAX,
                       "%s: the environment also names a file for it (%s); keep only one of the two", name,
                       file);
        return false;
    }
    for (const char *p = value; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7F || (*p == '#' && p > value && p[-1] == ' ')) {
            (void)snprintf(
                error, SRV_ERROR_MAX,
                "%s: contains a control character or \" #\"; comments are not possible in the environment",
                name);
            return false;
        }
    memcpy(secret, value, len + 1);
    return srv_key_set(config, key, "", SRV_FROM_FILE, error);
}

bool srv_config_read_env(struct srv_config *config, char *const *env, char error[SRV_ERROR_MAX])
{
    static const char prefix[] = "RUMMYD_";
    for (; *env; env++) {
        if (strncmp(*env, prefix, sizeof(prefix) - 1) != 0)
            continue;
        const char *from = *env + sizeof(prefix) - 1, *equals = strchr(from, '=');
        if (!equals)
            continue;
        const char *value = equals + 1;
        char name[NAME_MAX_BYTES] = {0};
        for (size_t i = 0; from + i < equals && i < sizeof(name) - 1; i++)
            name[i] = (char)tolower((unsigned char)from[i]);
        char *secret = srv_secret_place(config, name);
        const struct srv_key *key = srv_key_find(name, strlen(name));
        if (strcmp(name, "config") == 0)
            continue;
        if (secret && !set_secret(config, name, secret, value, error))
            return false;
        if (key && is_service_link(name, value)) {
            log_warn("environment_ignored", LOG_TEXT("variable", name),
                     LOG_TEXT("why", "the value is a service link of Kubernetes (enableServiceLinks)"));
            continue;
        }
        if (key && !srv_key_set(config, key, value, SRV_FROM_ENV, error))
            return false;
        if (!key && !secret && !refuse_or_ignore(name, value, error))
            return false;
    }
    return true;
}
