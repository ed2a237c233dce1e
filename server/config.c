/* Reads the configuration: the file and the flags; see config.h. Main thread, before other threads start. */
#include "server/config.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "server/config_in.h"

/* Fits the longest value with its key and a comment. */
enum { SRV_LINE_MAX = 2 * SRV_TEXT_MAX };

/* Strips white space at both ends, in place. */
static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t len = strlen(text);
    while (len > 0 && isspace((unsigned char)text[len - 1]))
        text[--len] = '\0';
    return text;
}

static const char *upper(const char *name, char out[64])
{
    size_t n = 0;
    for (; n < 63 && name[n]; n++)
        out[n] = (char)toupper((unsigned char)name[n]);
    out[n] = '\0';
    return out;
}

/* Extracts the value of a line in place: the text between quotes, with \" and \\ as escapes, or everything
 * before a # that follows white space. NULL: `error` is set. */
static char *cut_value(char *text, const char *name, char *error)
{
    if (text[0] == '"') {
        char *to = text, *from = text + 1;
        while (*from && *from != '"') {
            from += from[0] == '\\' && (from[1] == '"' || from[1] == '\\');
            *to++ = *from++;
        }
        const char *rest = from + (*from == '"');
        rest += strspn(rest, " \t");
        if (*from != '"' || (*rest && *rest != '#')) {
            (void)snprintf(error, SRV_ERROR_MAX, "%.60s: %s", name,
                           *from ? "only a comment may follow the closing quote"
                                 : "the closing quote is missing");
            return NULL;
        }
        *to = '\0';
        return text;
    }
    size_t len = strlen(text);
    if (len > 1 && text[0] == '\'' && text[len - 1] == '\'') {
        (void)snprintf(error, SRV_ERROR_MAX,
                       "%.60s: is in single quotes, which would be part of the value; use double quotes",
                       name);
        return NULL;
    }
    for (char *p = text; *p; p++)
        if (*p == '#' && (p == text || isspace((unsigned char)p[-1]))) {
            *p = '\0';
            break;
        }
    return trim(text);
}

static bool refuse_secret(struct srv_config *config, const char *name, char *error)
{
    if (!srv_secret_place(config, name))
        return false;
    (void)snprintf(error, SRV_ERROR_MAX, "%.60s: must not be in this file; use %.60s_file or RUMMYD_%.60s",
                   name, name, upper(name, (char[64]){0}));
    return true;
}

/* lines: per key, the line number that sets it, or 0. */
static bool set_line(struct srv_config *config, char *line, int number, int *lines, char *error)
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
    if (refuse_secret(config, name, error))
        return false;
    const struct srv_key *key = srv_key_find(name, strlen(name));
    if (!key) {
        (void)snprintf(error, SRV_ERROR_MAX, "%.60s: unknown key", name);
        return false;
    }
    int *before = &lines[srv_key_index(key)];
    if (*before) {
        (void)snprintf(error, SRV_ERROR_MAX, "%s: is already on line %d; keep one of them", key->name,
                       *before);
        return false;
    }
    *before = number;
    value = cut_value(value, key->name, error);
    return value && srv_key_set(config, key, value, SRV_FROM_FILE, error);
}

/* fopen also opens folders, so check the file type. */
static FILE *open_file(const char *path, char *error)
{
    struct stat what;
    FILE *file = fopen(path, "re");
    if (!file) {
        (void)snprintf(error, SRV_ERROR_MAX, "config: cannot read %.200s: %s", path, strerror(errno));
        return NULL;
    }
    if (fstat(fileno(file), &what) != 0 || !S_ISDIR(what.st_mode))
        return file;
    (void)fclose(file);
    (void)snprintf(error, SRV_ERROR_MAX, "config: %.200s is a folder; give the path of the file in it", path);
    return NULL;
}

static bool read_file(struct srv_config *config, const char *path, char *error)
{
    FILE *file = open_file(path, error);
    if (!file)
        return false;
    char *line = NULL, why[SRV_ERROR_MAX];
    size_t cap = 0;
    ssize_t len = 0;
    bool ok = true;
    int number = 0, lines[SRV_CONFIG_KEYS_MAX] = {0};
    while (ok && (len = getline(&line, &cap, file)) > 0) {
        number++;
        why[0] = '\0';
        bool fits = number <= SRV_CONFIG_LINES_MAX && len < SRV_LINE_MAX && strlen(line) == (size_t)len;
        char *from = number == 1 && strncmp(line, "\xEF\xBB\xBF", 3) == 0 ? line + 3 : line;
        ok = fits && set_line(config, from, number, lines, why);
        if (!ok)
            (void)snprintf(error, SRV_ERROR_MAX, "%.150s line %d: %.200s", path, number,
                           why[0] ? why : "too long a line, too many of them, or a NUL in it");
    }
    if (ok && ferror(file)) {
        ok = false;
        (void)snprintf(error, SRV_ERROR_MAX, "config: cannot read all of %.200s", path);
    }
    free(line);
    (void)fclose(file);
    return ok;
}

/* A flag split into its parts: --name value, --name=value, or a bare --dev. */
struct flag {
    const char *name;
    size_t len;
    const char *value; /* NULL when missing */
    int used;          /* words consumed */
};

static struct flag cut_flag(int args_n, char *const *args, int i)
{
    const char *name = args[i] + 2, *equals = strchr(name, '=');
    if (equals)
        return (struct flag){name, (size_t)(equals - name), equals + 1, 1};
    size_t len = strlen(name);
    const struct srv_key *key = srv_key_find(name, len);
    bool next_is_value = i + 1 < args_n && strncmp(args[i + 1], "--", 2) != 0;
    if (key && key->kind == SRV_KEY_SWITCH) {
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

/* The flags are read twice, because --config names a file whose values the other flags override. */
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
            (void)snprintf(error, SRV_ERROR_MAX, "config: requires a file name");
            return false;
        }
        *path = flag.value;
    }
    return true;
}

static bool refuse_flag(struct srv_config *config, const struct flag *flag, char *error)
{
    char name[64];
    (void)snprintf(name, sizeof(name), "%.*s", (int)(flag->len < 60 ? flag->len : 60), flag->name);
    if (srv_secret_place(config, name))
        (void)snprintf(error, SRV_ERROR_MAX,
                       "--%s: unknown flag, because other users can see flags; use --%s_file or RUMMYD_%s",
                       name, name, upper(name, (char[64]){0}));
    else
        (void)snprintf(error, SRV_ERROR_MAX, "--%s: unknown flag", name);
    return false;
}

static bool read_flags(struct srv_config *config, int args_n, char *const *args, const char **words,
                       size_t words_max, size_t *words_n, char *error)
{
    for (int i = 0; i < args_n;) {
        if (strncmp(args[i], "--", 2) != 0) {
            if (*words_n == words_max) {
                (void)snprintf(error, SRV_ERROR_MAX, "unexpected argument \"%.60s\"", args[i]);
                return false;
            }
            words[(*words_n)++] = args[i++];
            continue;
        }
        struct flag flag = cut_flag(args_n, args, i);
        i += flag.used;
        if (is_config_flag(&flag))
            continue;
        const struct srv_key *key = srv_key_find(flag.name, flag.len);
        if (!key)
            return refuse_flag(config, &flag, error);
        if (!flag.value) {
            (void)snprintf(error, SRV_ERROR_MAX, "%s: a value must follow", key->name);
            return false;
        }
        if (!srv_key_set(config, key, flag.value, SRV_FROM_FLAG, error))
            return false;
    }
    return true;
}

/* The page of `make install`; a program in a build folder keeps the default. */
static void use_installed_page(struct srv_config *config)
{
    char path[SRV_TEXT_MAX];
    if (srv_key_source(config, "web_dir") == SRV_FROM_DEFAULT && config->web_dir[0] &&
        srv_installed("web", path))
        memcpy(config->web_dir, path, sizeof(config->web_dir));
}

enum srv_config_result srv_config_read(struct srv_config *config, int args_n, char *const *args,
                                       char *const *env, const char **words, size_t words_max,
                                       size_t *words_n, char error[SRV_ERROR_MAX])
{
    memset(config, 0, sizeof(*config));
    *words_n = 0;
    error[0] = '\0';
    srv_config_defaults(config);
    const char *path = NULL;
    for (char *const *e = env; *e; e++)
        if (strncmp(*e, "RUMMYD_CONFIG=", 14) == 0 && (*e)[14] != '\0')
            path = *e + 14;
    if (!find_file(args_n, args, &path, error))
        return SRV_CONFIG_USAGE;
    if (path && !read_file(config, path, error))
        return SRV_CONFIG_FAILED;
    if (!srv_config_read_env(config, env, error))
        return SRV_CONFIG_FAILED;
    if (!read_flags(config, args_n, args, words, words_max, words_n, error))
        return SRV_CONFIG_USAGE;
    use_installed_page(config);
    return srv_config_check(config, error) ? SRV_CONFIG_OK : SRV_CONFIG_FAILED;
}
