/* Shared by the parts of the configuration: keys, the source of each value, and cross-key checks. Included
 * only by server/config*.c. Main thread. */
#ifndef RUMMYD_SERVER_CONFIG_IN_H
#define RUMMYD_SERVER_CONFIG_IN_H

#include "server/config.h"

enum srv_source { SRV_FROM_DEFAULT, SRV_FROM_FILE, SRV_FROM_ENV, SRV_FROM_FLAG };

enum srv_key_kind { SRV_KEY_TEXT, SRV_KEY_NUMBER, SRV_KEY_SWITCH };

struct srv_key {
    const char *name;
    enum srv_key_kind kind;
    size_t offset;
    int64_t min, max; /* of a number, or of a text's length */
    const char *initial;
    const char *meaning;
};

/* ---- config_keys.c ---- */
/* The key of that name, with - treated as _; NULL: no such key. */
const struct srv_key *srv_key_find(const char *name, size_t len);
/* Its name; NULL after the last key. */
const char *srv_key_name(size_t i);
/* Its number, below SRV_CONFIG_KEYS_MAX. */
size_t srv_key_index(const struct srv_key *key);
/* Sets every key to its default. */
void srv_config_defaults(struct srv_config *config);
/* Sets a value. Only a file can have comments, so " #" is rejected elsewhere. A key `X_file` from a stronger
 * source drops the secret X of a weaker one. false: `error` names the key. */
bool srv_key_set(struct srv_config *config, const struct srv_key *key, const char *value,
                 enum srv_source source, char error[SRV_ERROR_MAX]);
/* The source of a key's value. */
enum srv_source srv_key_source(const struct srv_config *config, const char *name);

/* Where a secret without a key (`jwt_secret`) is stored; NULL: no such secret. */
char *srv_secret_place(struct srv_config *config, const char *name);
enum {
#define SECRET_KEY(k, ...) SRV_SECRET_##k,
#include "server/config_keys.def"
    SRV_SECRETS
};
/* Its name; NULL after the last secret. */
const char *srv_secret_name(size_t i);

/* ---- config_env.c ---- */
/* Reads RUMMYD_* of env. */
bool srv_config_read_env(struct srv_config *config, char *const *env, char error[SRV_ERROR_MAX]);
/* ---- config_check.c ---- */
/* Checks what depends on several keys, and fills in derived values. */
bool srv_config_check(struct srv_config *config, char error[SRV_ERROR_MAX]);
/* ---- config_urls.c ---- */
/* Checks every URL and `origins`; derives `ws_url` and `public_url` if they are missing. */
bool srv_config_check_urls(struct srv_config *config, char error[SRV_ERROR_MAX]);

#endif
