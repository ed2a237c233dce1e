/* Configuration as a table of keys; see config.h. Main thread, before any other starts. */
#include "server/config.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/text.h"
#include "db/grants.h"
#include "db/journal.h"
#include "mail/transport.h"
#include "server/passkey_site.h"
#include "server/ws_url.h"

enum kind { TEXT, NUMBER, SWITCH };
enum source { FROM_DEFAULT, FROM_FILE, FROM_ENV, FROM_FLAG };

struct key {
    const char *name;
    enum kind kind;
    size_t offset;
    int64_t min, max; /* of a number; of a text's length */
    const char *initial;
    const char *meaning;
};

#define TEXT_KEY(k, min_len, initial, meaning)                                                               \
    INIT(#k, TEXT, offsetof(struct srv_config, k), min_len, SRV_TEXT_MAX - 1, initial, meaning)
#define NUMBER_KEY(k, min, max, initial, meaning)                                                            \
    INIT(#k, NUMBER, offsetof(struct srv_config, k), min, max, initial, meaning)
#define SWITCH_KEY(k, initial, meaning)                                                                      \
    INIT(#k, SWITCH, offsetof(struct srv_config, k), 0, 0, initial, meaning)

static const struct key keys[] = {
#include "server/config_keys.def"
};

static const struct key *find_key(const char *name, size_t len)
{
    char plain[64];
    if (len == 0 || len >= sizeof(plain))
        return NULL;
    for (size_t i = 0; i < len; i++)
        plain[i] = name[i] == '-' ? '_' : name[i];
    plain[len] = '\0';
    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        if (strcmp(keys[i].name, plain) == 0)
            return &keys[i];
    return NULL;
}

static bool set_value(struct srv_config *config, const struct key *key, const char *value, char *error)
{
    char *at = (char *)config + key->offset;
    switch (key->kind) {
    case TEXT: {
        size_t len = strlen(value);
        if (len < (size_t)key->min || len > (size_t)key->max || !text_utf8_ok(value, len)) {
            (void)snprintf(error, SRV_ERROR_MAX, "%s: must have %d to %d bytes of UTF-8", key->name,
                           (int)key->min, (int)key->max);
            return false;
        }
        memcpy(at, value, len + 1);
        return true;
    }
    case NUMBER: {
        int64_t number;
        if (!text_i64(value, key->min, key->max, &number)) {
            (void)snprintf(error, SRV_ERROR_MAX, "%s: \"%.60s\" is not a whole number from %lld to %lld",
                           key->name, value, (long long)key->min, (long long)key->max);
            return false;
        }
        memcpy(at, &number, sizeof(number));
        return true;
    }
    case SWITCH: {
        bool on = strcmp(value, "on") == 0, off = strcmp(value, "off") == 0;
        if (!on && !off) {
            (void)snprintf(error, SRV_ERROR_MAX, "%s: must be on or off, not \"%.60s\"", key->name, value);
            return false;
        }
        memcpy(at, &on, sizeof(on));
        return true;
    }
    }
    BUG("unknown kind of key");
}

/* Cuts white space at both ends, in place. */
static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t len = strlen(text);
    while (len > 0 && isspace((unsigned char)text[len - 1]))
        text[--len] = '\0';
    return text;
}

/* Secrets are no keys: only the environment and files of their own may hold them. NULL: no such secret. */
static char *find_secret(struct srv_config *config, const char *name)
{
    const struct {
        const char *name;
        char *value;
    } secrets[] = {
        {"jwt_secret", config->jwt_secret},
        {"stripe_key", config->stripe_key},
        {"stripe_webhook_secret", config->stripe_webhook_secret},
        {"smtp_password", config->smtp_password},
        {"paypal_secret", config->paypal_secret},
        {"sms_secret", config->sms_secret},
    };
    for (size_t i = 0; i < ARRAY_LEN(secrets); i++)
        if (strcmp(secrets[i].name, name) == 0)
            return secrets[i].value;
    return NULL;
}

static const char *upper(const char *name, char out[64])
{
    size_t n = 0;
    for (; n < 63 && name[n]; n++)
        out[n] = (char)toupper((unsigned char)name[n]);
    out[n] = '\0';
    return out;
}

static bool set_line(struct srv_config *config, char *line, char *error)
{
    char *text = trim(line);
    if (*text == '\0' || *text == '#')
        return true;
    char *equals = strchr(text, '=');
    if (!equals) {
        (void)snprintf(error, SRV_ERROR_MAX, "\"%.60s\" is not `key = value`", text);
        return false;
    }
    *equals = '\0';
    char *name = trim(text), *value = trim(equals + 1);
    if (find_secret(config, name)) {
        (void)snprintf(error, SRV_ERROR_MAX, "%.60s: not in this file; use %.60s_file or RUMMYD_%.60s", name,
                       name, upper(name, (char[64]){0}));
        return false;
    }
    const struct key *key = find_key(name, strlen(name));
    if (!key) {
        (void)snprintf(error, SRV_ERROR_MAX, "%.60s: there is no such key", name);
        return false;
    }
    return set_value(config, key, value, error);
}

static bool read_file(struct srv_config *config, const char *path, char *error)
{
    FILE *file = fopen(path, "re");
    if (!file) {
        (void)snprintf(error, SRV_ERROR_MAX, "config: cannot read %.200s: %s", path, strerror(errno));
        return false;
    }
    char line[SRV_TEXT_MAX + 128], why[SRV_ERROR_MAX];
    bool ok = true;
    int number = 0;
    while (ok && fgets(line, sizeof(line), file)) {
        number++;
        why[0] = '\0';
        ok = number <= SRV_CONFIG_LINES_MAX && (strchr(line, '\n') || feof(file)) &&
             set_line(config, line, why);
        if (!ok)
            (void)snprintf(error, SRV_ERROR_MAX, "%.150s line %d: %.200s", path, number,
                           why[0] ? why : "too long a line or too many of them");
    }
    (void)fclose(file);
    return ok;
}

static bool read_env(struct srv_config *config, char *const *env, char *error)
{
    static const char prefix[] = "RUMMYD_";
    for (; *env; env++) {
        if (strncmp(*env, prefix, sizeof(prefix) - 1) != 0)
            continue;
        const char *name = *env + sizeof(prefix) - 1, *equals = strchr(name, '=');
        if (!equals)
            continue;
        size_t len = (size_t)(equals - name);
        char lower[64] = {0};
        for (size_t i = 0; i < len && i < sizeof(lower) - 1; i++)
            lower[i] = (char)tolower((unsigned char)name[i]);
        char *secret = find_secret(config, lower);
        if (secret) {
            if (strlen(equals + 1) >= SRV_SECRET_MAX) {
                (void)snprintf(error, SRV_ERROR_MAX, "%s: longer than %d bytes", lower, SRV_SECRET_MAX - 1);
                return false;
            }
            memcpy(secret, equals + 1, strlen(equals + 1) + 1);
            continue;
        }
        if (strcmp(lower, "config") == 0)
            continue;
        const struct key *key = find_key(lower, strlen(lower));
        if (!key) {
            (void)snprintf(error, SRV_ERROR_MAX, "RUMMYD_%.*s: there is no such key",
                           (int)(len < 60 ? len : 60), name);
            return false;
        }
        if (!set_value(config, key, equals + 1, error))
            return false;
    }
    return true;
}

/* A flag cut in its parts: --name value, --name=value, or a bare --dev. */
struct flag {
    const char *name;
    size_t len;
    const char *value; /* NULL when missing */
    int used;          /* words it took */
};

static struct flag cut_flag(int args_n, char *const *args, int i)
{
    const char *name = args[i] + 2, *equals = strchr(name, '=');
    if (equals)
        return (struct flag){name, (size_t)(equals - name), equals + 1, 1};
    size_t len = strlen(name);
    const struct key *key = find_key(name, len);
    bool next_is_value = i + 1 < args_n && strncmp(args[i + 1], "--", 2) != 0;
    if (key && key->kind == SWITCH) {
        if (next_is_value && (strcmp(args[i + 1], "on") == 0 || strcmp(args[i + 1], "off") == 0))
            return (struct flag){name, len, args[i + 1], 2};
        return (struct flag){name, len, "on", 1};
    }
    if (!next_is_value)
        return (struct flag){name, len, NULL, 1};
    return (struct flag){name, len, args[i + 1], 2};
}

static bool is_config_flag(const struct flag *flag)
{
    return flag->len == 6 && strncmp(flag->name, "config", 6) == 0;
}

/* Two passes over the flags, because the file they name is weaker than they are. */
static bool find_file(int args_n, char *const *args, const char **path, char *error)
{
    for (int i = 0; i < args_n;) {
        if (strncmp(args[i], "--", 2) != 0) {
            i++;
            continue;
        }
        struct flag flag = cut_flag(args_n, args, i);
        i += flag.used;
        if (!is_config_flag(&flag))
            continue;
        if (!flag.value) {
            (void)snprintf(error, SRV_ERROR_MAX, "config: a file name must follow");
            return false;
        }
        *path = flag.value;
    }
    return true;
}

static bool read_flags(struct srv_config *config, int args_n, char *const *args, const char **words,
                       size_t words_max, size_t *words_n, char *error)
{
    for (int i = 0; i < args_n;) {
        if (strncmp(args[i], "--", 2) != 0) {
            if (*words_n == words_max) {
                (void)snprintf(error, SRV_ERROR_MAX, "\"%.60s\" is one word too many here", args[i]);
                return false;
            }
            words[(*words_n)++] = args[i++];
            continue;
        }
        struct flag flag = cut_flag(args_n, args, i);
        i += flag.used;
        if (is_config_flag(&flag))
            continue;
        const struct key *key = find_key(flag.name, flag.len);
        if (!key) {
            (void)snprintf(error, SRV_ERROR_MAX, "--%.*s: there is no such flag",
                           (int)(flag.len < 60 ? flag.len : 60), flag.name);
            return false;
        }
        if (!flag.value) {
            (void)snprintf(error, SRV_ERROR_MAX, "%s: a value must follow", key->name);
            return false;
        }
        if (!set_value(config, key, flag.value, error))
            return false;
    }
    return true;
}

static void cut_last_slash(char *url)
{
    size_t len = strlen(url);
    if (len > 0 && url[len - 1] == '/')
        url[len - 1] = '\0';
}

/* "http://…" or "https://…", without a slash at its end. */
static bool check_http_url(const char *name, char *url, bool plain_ok, char *error)
{
    cut_last_slash(url);
    bool safe = strncmp(url, "https://", 8) == 0, plain = strncmp(url, "http://", 7) == 0;
    if (safe || (plain && plain_ok))
        return true;
    (void)snprintf(error, SRV_ERROR_MAX, "%s: must begin with https://%s", name,
                   plain_ok ? " or http://" : " (http:// with --dev only)");
    return false;
}

static bool check_urls(struct srv_config *config, char *error)
{
    if (config->ws_url[0] == '\0')
        (void)snprintf(config->ws_url, sizeof(config->ws_url), "ws://localhost:%lld",
                       (long long)config->ws_port);
    if (strlen(config->ws_url) > strlen("wss://"))
        cut_last_slash(config->ws_url);
    if (!srv_ws_url_fits(config->ws_url, error, SRV_ERROR_MAX))
        return false;
    if (config->public_url[0] == '\0')
        (void)snprintf(config->public_url, sizeof(config->public_url), "http://localhost:%lld",
                       (long long)config->http_port);
    return check_http_url("public_url", config->public_url, true, error) &&
           (config->otlp_endpoint[0] == '\0' ||
            check_http_url("otlp_endpoint", config->otlp_endpoint, true, error)) &&
           check_http_url("stripe_url", config->stripe_url, config->dev, error) &&
           check_http_url("paypal_url", config->paypal_url, config->dev, error) &&
           check_http_url("fcm_url", config->fcm_url, config->dev, error) &&
           check_http_url("apns_url", config->apns_url, config->dev, error) &&
           check_http_url("google_url", config->google_url, config->dev, error) &&
           check_http_url("google_token_url", config->google_token_url, config->dev, error);
}

static bool check_mail(struct srv_config *config, char *error)
{
    bool server = config->smtp_url[0] != '\0';
    if (server && !mail_url_ok(config->smtp_url)) {
        (void)snprintf(error, SRV_ERROR_MAX, "smtp_url: must be smtp://HOST[:PORT] or smtps://HOST[:PORT]");
        return false;
    }
    if (config->mail_from[0] == '\0' && !server)
        (void)snprintf(config->mail_from, sizeof(config->mail_from), "noreply@localhost.localdomain");
    if (!text_email_ok(config->mail_from)) {
        (void)snprintf(error, SRV_ERROR_MAX,
                       config->mail_from[0] == '\0' ? "mail_from: missing, while smtp_url is there"
                                                    : "mail_from: \"%.100s\" is no address",
                       config->mail_from);
        return false;
    }
    for (const char *p = config->mail_name; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7F || p - config->mail_name > SRV_MAIL_NAME_MAX) {
            (void)snprintf(error, SRV_ERROR_MAX, "mail_name: at most %d bytes, no control characters",
                           SRV_MAIL_NAME_MAX);
            return false;
        }
    return true;
}

static bool check_role(const char *key, const char *name, char *error)
{
    if (db_role_name_ok(name))
        return true;
    (void)snprintf(error, SRV_ERROR_MAX, "%s: \"%.60s\" is not 1 to %d small letters, digits and _", key,
                   name, DB_ROLE_MAX);
    return false;
}

static bool check_whole(struct srv_config *config, char *error)
{
    static const char *const levels[] = {"debug", "info", "warn", "error"};
    bool level_ok = false;
    for (size_t i = 0; i < ARRAY_LEN(levels); i++)
        level_ok = level_ok || strcmp(config->log_level, levels[i]) == 0;
    if (!level_ok) {
        (void)snprintf(error, SRV_ERROR_MAX, "log_level: must be debug, info, warn or error, not \"%.60s\"",
                       config->log_level);
        return false;
    }
    if (strcmp(config->http_addr, config->ws_addr) == 0 && config->http_port == config->ws_port) {
        (void)snprintf(error, SRV_ERROR_MAX, "ws_port: must differ from http_port");
        return false;
    }
    if (strlen(config->node) > DB_NODE_NAME_MAX) {
        (void)snprintf(error, SRV_ERROR_MAX, "node: at most %d bytes", DB_NODE_NAME_MAX);
        return false;
    }
    if (!config->journal && !config->dev) {
        (void)snprintf(error, SRV_ERROR_MAX, "journal: may be off with --dev only");
        return false;
    }
    if (config->dev_seed[0] != '\0' && !config->dev) {
        (void)snprintf(error, SRV_ERROR_MAX,
                       "dev_seed: with --dev only, for everybody can foresee its deals");
        return false;
    }
    return check_role("db_server_role", config->db_server_role, error) &&
           check_role("db_read_role", config->db_read_role, error) && check_urls(config, error) &&
           srv_config_unexposed(config, error) && check_mail(config, error) &&
           srv_passkey_site(config, &(struct api_webauthn_site){0}, error);
}

enum srv_config_result srv_config_read(struct srv_config *config, int args_n, char *const *args,
                                       char *const *env, const char **words, size_t words_max,
                                       size_t *words_n, char error[SRV_ERROR_MAX])
{
    memset(config, 0, sizeof(*config));
    *words_n = 0;
    error[0] = '\0';
    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        ASSERT(set_value(config, &keys[i], keys[i].initial, error));
    const char *path = NULL;
    for (char *const *e = env; *e; e++)
        if (strncmp(*e, "RUMMYD_CONFIG=", 14) == 0)
            path = *e + 14;
    if (!find_file(args_n, args, &path, error))
        return SRV_CONFIG_USAGE;
    if (path && !read_file(config, path, error))
        return SRV_CONFIG_FAILED;
    if (!read_env(config, env, error))
        return SRV_CONFIG_FAILED;
    if (!read_flags(config, args_n, args, words, words_max, words_n, error))
        return SRV_CONFIG_USAGE;
    return check_whole(config, error) ? SRV_CONFIG_OK : SRV_CONFIG_FAILED;
}

void srv_config_help(void)
{
    (void)printf("\nkeys (file `key = value` < environment RUMMYD_<KEY> < flag --<key> <value>):\n"
                 "  %-16s file of `key = value` lines\n",
                 "config");
    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        (void)printf("  %-16s %s%s%s%s\n", keys[i].name, keys[i].meaning, keys[i].initial[0] ? " (" : "",
                     keys[i].initial, keys[i].initial[0] ? ")" : "");
}
