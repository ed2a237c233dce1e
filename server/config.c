/* Configuration as a table of keys; see config.h. Main thread, before other threads start. */
#include "server/config.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/text.h"
#include "server/config_in.h"

#include <sodium.h>
#include <sys/stat.h>

enum kind { TEXT, NUMBER, SWITCH };

struct srv_key {
    const char *name;
    enum kind kind;
    size_t offset;
    int64_t min, max; /* of a number, or of a text's length */
    const char *initial;
    const char *meaning;
};

/* Fits the longest text, its key, and a comment. */
enum { SRV_LINE_MAX = 2 * SRV_TEXT_MAX };

/* Help: the width of a line, and where meanings begin, after the longest key. */
enum { HELP_COLUMNS = 100, HELP_INDENT = 28 };

#define KEY_GROUP(k, heading)
#define TEXT_KEY(k, min_len, initial, meaning)                                                               \
    INIT(#k, TEXT, offsetof(struct srv_config, k), min_len, SRV_TEXT_MAX - 1, initial, meaning),
#define NUMBER_KEY(k, min, max, initial, meaning)                                                            \
    INIT(#k, NUMBER, offsetof(struct srv_config, k), min, max, initial, meaning),
#define SWITCH_KEY(k, initial, meaning)                                                                      \
    INIT(#k, SWITCH, offsetof(struct srv_config, k), 0, 0, initial, meaning),

static const struct srv_key keys[] = {
#include "server/config_keys.def"
};
#undef KEY_GROUP
#undef TEXT_KEY
#undef NUMBER_KEY
#undef SWITCH_KEY

#define KEY_GROUP(k, heading) INIT(#k, heading),
#define TEXT_KEY(k, min_len, initial, meaning)
#define NUMBER_KEY(k, min, max, initial, meaning)
#define SWITCH_KEY(k, initial, meaning)

static const struct {
    const char *first_key, *heading;
} groups[] = {
#include "server/config_keys.def"
};
_Static_assert(ARRAY_LEN(keys) <= SRV_CONFIG_KEYS_MAX, "raise SRV_CONFIG_KEYS_MAX");

const struct srv_key *srv_key_find(const char *name, size_t len)
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

const char *srv_key_name(size_t i)
{
    return i < ARRAY_LEN(keys) ? keys[i].name : NULL;
}

enum srv_source srv_key_source(const struct srv_config *config, const char *name)
{
    const struct srv_key *key = srv_key_find(name, strlen(name));
    ASSERT(key);
    return (enum srv_source)config->source[key - keys];
}

static bool has_control(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7F)
            return true;
    return false;
}

static bool set_value(struct srv_config *config, const struct srv_key *key, const char *value, char *error)
{
    char *at = (char *)config + key->offset;
    switch (key->kind) {
    case TEXT: {
        size_t len = strlen(value);
        if (len < (size_t)key->min || len > (size_t)key->max || !text_utf8_ok(value, len) ||
            has_control(value)) {
            (void)snprintf(error, SRV_ERROR_MAX,
                           "%s: must have %d to %d bytes of UTF-8 without control characters (got %zu)",
                           key->name, (int)key->min, (int)key->max, len);
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

/* Whether a file would treat part of it as a comment. */
static bool has_comment(const char *value)
{
    for (const char *p = strchr(value, '#'); p; p = strchr(p + 1, '#'))
        if (p > value && isspace((unsigned char)p[-1]))
            return true;
    return false;
}

/* X_file from a stronger source overrides X from a weaker one; within the same source (the environment) only
 * one may be set. */
static bool drop_weaker_secret(struct srv_config *config, const struct srv_key *key, enum srv_source source,
                               char *error)
{
    char name[64];
    size_t len = strlen(key->name);
    if (len <= 5 || len >= sizeof(name) || strcmp(key->name + len - 5, "_file") != 0)
        return true;
    (void)snprintf(name, sizeof(name), "%.*s", (int)(len - 5), key->name);
    char *secret = srv_secret_place(config, name);
    if (!secret || secret[0] == '\0')
        return true;
    if (source == SRV_FROM_ENV) {
        (void)snprintf(error, SRV_ERROR_MAX,
                       "%s: the environment has the secret itself too; keep only one of the two", key->name);
        return false;
    }
    sodium_memzero(secret, SRV_SECRET_MAX);
    return true;
}

bool srv_key_set(struct srv_config *config, const struct srv_key *key, const char *value,
                 enum srv_source source, char error[SRV_ERROR_MAX])
{
    if (source >= SRV_FROM_ENV && has_comment(value)) {
        (void)snprintf(
            error, SRV_ERROR_MAX,
            "%s: has \" #\" in it, and comments are possible only in a file; take the comment away, "
            "or put the value into the file between quotes",
            key->name);
        return false;
    }
    if (!set_value(config, key, value, error))
        return false;
    config->source[key - keys] = (uint8_t)(value[0] ? source : SRV_FROM_DEFAULT);
    return value[0] == '\0' || drop_weaker_secret(config, key, source, error);
}

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

/* Secrets are not keys: only the environment and separate files may hold them. */
#define SECRET(name) INIT(#name, offsetof(struct srv_config, name))
static const struct {
    const char *name;
    size_t offset;
} secrets[] = {
    SECRET(jwt_secret),    SECRET(stripe_key),    SECRET(stripe_webhook_secret),
    SECRET(smtp_password), SECRET(paypal_secret), SECRET(sms_secret),
};
_Static_assert(ARRAY_LEN(secrets) == SRV_SECRETS, "change SRV_SECRETS");

char *srv_secret_place(struct srv_config *config, const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(secrets); i++)
        if (strcmp(secrets[i].name, name) == 0)
            return (char *)config + secrets[i].offset;
    return NULL;
}

const char *srv_secret_name(size_t i)
{
    return i < ARRAY_LEN(secrets) ? secrets[i].name : NULL;
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
                       "%.60s: is between single quotes, which would be part of it; use double quotes", name);
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
    (void)snprintf(error, SRV_ERROR_MAX, "%.60s: not in this file; use %.60s_file or RUMMYD_%.60s", name,
                   name, upper(name, (char[64]){0}));
    return true;
}

/* lines: for each key, the line that already sets it, or 0. */
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
    int *before = &lines[key - keys];
    if (*before) {
        (void)snprintf(error, SRV_ERROR_MAX, "%s: is on line %d already; keep one of them", key->name,
                       *before);
        return false;
    }
    *before = number;
    value = cut_value(value, key->name, error);
    return value && srv_key_set(config, key, value, SRV_FROM_FILE, error);
}

/* fopen also succeeds on a folder. */
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
    (void)snprintf(error, SRV_ERROR_MAX, "config: %.200s is a folder; name the file in it", path);
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
    int number = 0, lines[ARRAY_LEN(keys)] = {0};
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
        (void)snprintf(error, SRV_ERROR_MAX, "config: cannot read %.200s to its end", path);
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

/* Two passes over the flags, because they override the file that they name. */
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

static bool refuse_flag(struct srv_config *config, const struct flag *flag, char *error)
{
    char name[64];
    (void)snprintf(name, sizeof(name), "%.*s", (int)(flag->len < 60 ? flag->len : 60), flag->name);
    if (srv_secret_place(config, name))
        (void)snprintf(
            error, SRV_ERROR_MAX,
            "--%s: there is no such flag, because other users can see flags; use --%s_file or RUMMYD_%s",
            name, name, upper(name, (char[64]){0}));
    else
        (void)snprintf(error, SRV_ERROR_MAX, "--%s: there is no such flag", name);
    return false;
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

enum srv_config_result srv_config_read(struct srv_config *config, int args_n, char *const *args,
                                       char *const *env, const char **words, size_t words_max,
                                       size_t *words_n, char error[SRV_ERROR_MAX])
{
    memset(config, 0, sizeof(*config));
    *words_n = 0;
    error[0] = '\0';
    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        ASSERT(srv_key_set(config, &keys[i], keys[i].initial, SRV_FROM_DEFAULT, error));
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
    return srv_config_check(config, error) ? SRV_CONFIG_OK : SRV_CONFIG_FAILED;
}

/* Prints the words of text from the given column on, in lines of at most HELP_COLUMNS. Returns the column. */
static size_t print_words(const char *text, size_t column)
{
    while (*text) {
        size_t len = strcspn(text, " ");
        if (column + 1 + len > HELP_COLUMNS) {
            (void)printf("\n%*s", HELP_INDENT, "");
            column = HELP_INDENT;
        }
        (void)printf(" %.*s", (int)len, text);
        column += 1 + len;
        text += len + strspn(text + len, " ");
    }
    return column;
}

static void print_key(const struct srv_key *key)
{
    char initial[SRV_TEXT_MAX + 16];
    (void)printf("  %-*s", HELP_INDENT - 2, key->name);
    size_t column = print_words(key->meaning, HELP_INDENT);
    (void)snprintf(initial, sizeof(initial), "(default: %s)", key->initial);
    if (key->initial[0])
        (void)print_words(initial, column);
    (void)printf("\n");
}

void srv_config_help(void)
{
    (void)printf("\nkeys (file `key = value` < environment RUMMYD_<KEY> < flag --<key> <value>):\n"
                 "  %-*s file with `key = value` lines\n",
                 HELP_INDENT - 2, "config");
    for (size_t i = 0, group = 0; i < ARRAY_LEN(keys); i++) {
        if (group < ARRAY_LEN(groups) && strcmp(groups[group].first_key, keys[i].name) == 0)
            (void)printf("\n%s:\n", groups[group++].heading);
        print_key(&keys[i]);
    }
}
