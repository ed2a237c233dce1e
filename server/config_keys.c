/* The table of keys and the buffers of secrets; see config_in.h. Main thread. */
#include "server/config_in.h"

#include <ctype.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base/bug.h"
#include "base/text.h"

/* Layout of the help: line width, column of the meanings (right of the longest key), and maximum length of
 * a meaning. */
enum { HELP_COLUMNS = 100, HELP_INDENT = 28, MEANING_MAX = 512 };

#define TEXT_KEY(k, length_min, initial, meaning)                                                            \
    INIT(#k, SRV_KEY_TEXT, offsetof(struct srv_config, k), length_min, SRV_TEXT_MAX - 1, initial, meaning),
#define NUMBER_KEY(k, min, max, initial, meaning)                                                            \
    INIT(#k, SRV_KEY_NUMBER, offsetof(struct srv_config, k), min, max, initial, meaning),
#define SWITCH_KEY(k, initial, meaning)                                                                      \
    INIT(#k, SRV_KEY_SWITCH, offsetof(struct srv_config, k), 0, 0, initial, meaning),
static const struct srv_key keys[] = {
#include "server/config_keys.def"
};

#define KEY_GROUP(k, heading) INIT(#k, heading),
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

size_t srv_key_index(const struct srv_key *key)
{
    ASSERT(key >= keys && key < keys + ARRAY_LEN(keys));
    return (size_t)(key - keys);
}

enum srv_source srv_key_source(const struct srv_config *config, const char *name)
{
    const struct srv_key *key = srv_key_find(name, strlen(name));
    ASSERT(key);
    return (enum srv_source)config->source[srv_key_index(key)];
}

const char *srv_config_text(const struct srv_config *config, const char *name)
{
    const struct srv_key *key = srv_key_find(name, strlen(name));
    ASSERT(key && key->kind == SRV_KEY_TEXT);
    return (const char *)config + key->offset;
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
    case SRV_KEY_TEXT: {
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
    case SRV_KEY_NUMBER: {
        int64_t number;
        if (!text_i64(value, key->min, key->max, &number)) {
            (void)snprintf(error, SRV_ERROR_MAX, "%s: \"%.60s\" is not a whole number from %lld to %lld",
                           key->name, value, (long long)key->min, (long long)key->max);
            return false;
        }
        memcpy(at, &number, sizeof(number));
        return true;
    }
    case SRV_KEY_SWITCH: {
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

/* Whether the parser of the file would treat part of the value as a comment. */
static bool has_comment(const char *value)
{
    for (const char *p = strchr(value, '#'); p; p = strchr(p + 1, '#'))
        if (p > value && isspace((unsigned char)p[-1]))
            return true;
    return false;
}

/* Secrets are not keys: only the environment and separate files may hold them. */
#define SECRET_KEY(k, ...) INIT(#k, offsetof(struct srv_config, k)),
static const struct {
    const char *name;
    size_t offset;
} secrets[] = {
#include "server/config_keys.def"
};
_Static_assert(ARRAY_LEN(secrets) == SRV_SECRETS, "of the same list");

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
                       "%s: the environment also contains the secret itself; keep only one of the two",
                       key->name);
        return false;
    }
    sodium_memzero(secret, SRV_SECRET_MAX);
    return true;
}

bool srv_key_set(struct srv_config *config, const struct srv_key *key, const char *value,
                 enum srv_source source, char error[SRV_ERROR_MAX])
{
    if (source >= SRV_FROM_ENV && has_comment(value)) {
        (void)snprintf(error, SRV_ERROR_MAX,
                       "%s: contains \" #\", and comments are possible only in a file; remove the comment, "
                       "or put the quoted value into the file",
                       key->name);
        return false;
    }
    if (!set_value(config, key, value, error))
        return false;
    config->source[srv_key_index(key)] = (uint8_t)(value[0] ? source : SRV_FROM_DEFAULT);
    return value[0] == '\0' || drop_weaker_secret(config, key, source, error);
}

void srv_config_defaults(struct srv_config *config)
{
    char error[SRV_ERROR_MAX];
    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        ASSERT(srv_key_set(config, &keys[i], keys[i].initial, SRV_FROM_DEFAULT, error));
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

/* Writes a meaning without its Markdown: drops backticks and links in parentheses, and keeps only the text
 * of other links. */
static void write_plain(const char *from, char *out, size_t cap)
{
    size_t len = 0;
    while (*from && len + 1 < cap) {
        bool aside = strncmp(from, " ([", 3) == 0;
        const char *text = from + (aside ? 3 : 1), *end = text + strcspn(text, "]");
        const char *close = (aside || *from == '[') && strncmp(end, "](", 2) == 0 ? strchr(end, ')') : NULL;
        if (!close) {
            if (*from != '`')
                out[len++] = *from;
            from++;
            continue;
        }
        for (; !aside && text < end && len + 1 < cap; text++)
            out[len++] = *text;
        from = close + 1 + aside;
    }
    out[len] = '\0';
}

static const char *unit_of(const char *name)
{
    size_t len = strlen(name);
    return len > 3 && strcmp(name + len - 3, "_ms") == 0  ? " ms"
           : len > 2 && strcmp(name + len - 2, "_s") == 0 ? " s"
                                                          : "";
}

static void print_key(const struct srv_key *key)
{
    char meaning[MEANING_MAX], initial[SRV_TEXT_MAX + 80];
    write_plain(key->meaning, meaning, sizeof(meaning));
    (void)printf("  %-*s", HELP_INDENT - 2, key->name);
    size_t column = print_words(meaning, HELP_INDENT);
    if (key->kind == SRV_KEY_NUMBER)
        (void)snprintf(initial, sizeof(initial), "(default: %s%s; %lld to %lld)", key->initial,
                       unit_of(key->name), (long long)key->min, (long long)key->max);
    else
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

void srv_config_manual(void (*put)(const char *text))
{
    for (size_t i = 0, group = 0; i < ARRAY_LEN(keys); i++) {
        char meaning[MEANING_MAX];
        const struct srv_key *key = &keys[i];
        if (group < ARRAY_LEN(groups) && strcmp(groups[group].first_key, key->name) == 0)
            (void)printf(".SS %s\n", groups[group++].heading);
        write_plain(key->meaning, meaning, sizeof(meaning));
        (void)printf(".TP\n.B %s\n", key->name);
        put(meaning);
        (void)printf(".\n");
        if (!key->initial[0])
            continue;
        (void)printf("Default: ");
        put(key->initial);
        (void)printf("%s", unit_of(key->name));
        if (key->kind == SRV_KEY_NUMBER)
            (void)printf(" (%lld to %lld)", (long long)key->min, (long long)key->max);
        (void)printf(".\n");
    }
}

const char *srv_config_key_name(size_t i)
{
    return srv_key_name(i);
}
