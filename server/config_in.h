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
    int64_t min, max; /* limits of a number, or of a text's length */
    const char *initial;
    const char *meaning;
};

/* ---- config_keys.c ---- */
/* Finds a key by name; - equals _. NULL: no such key. */
const struct srv_key *srv_key_find(const char *name, size_t len);
/* The name of key i; NULL after the last key. */
const char *srv_key_name(size_t i);
/* The key's index, below SRV_CONFIG_KEYS_MAX. */
size_t srv_key_index(const struct srv_key *key);
/* Sets every key to its default. */
void srv_config_defaults(struct srv_config *config);
/* Sets a value. Only the file allows comments, so " #" is rejected in other sources. A key `X_file` from a
 * stronger source clears a secret X from a weaker one. false: `error` names the key. */
bool srv_key_set(struct srv_config *config, const struct srv_key *key, const char *value,
                 enum srv_source source, char error[SRV_ERROR_MAX]);
/* The source of a key's value. */
enum srv_source srv_key_source(const struct srv_config *config, const char *name);

/* The buffer of a secret that is not a key (`jwt_secret`). NULL: no such secret. */
char *srv_secret_place(struct srv_config *config, const char *name);
enum {
#define SECRET_KEY(k, ...) SRV_SECRET_##k,
#include "server/config_keys.def"
    SRV_SECRETS
};
/* The name of secret i; NULL after the last one. */
const char *srv_secret_name(size_t i);

/* ---- config_env.c ---- */
/* Reads the RUMMYD_* variables of env. */
bool srv_config_read_env(struct srv_config *config, char *const *env, char error[SRV_ERROR_MAX]);
/* ---- config_check.c ---- */
/* Checks conditions across keys, and fills in derived values. */
bool srv_config_check(struct srv_config *config, char error[SRV_ERROR_MAX]);
/* ---- config_urls.c ---- */
/* Checks every URL and `origins`; derives `ws_url` and `public_url` if they are missing. */
bool srv_config_check_urls(struct srv_config *config, char error[SRV_ERROR_MAX]);

#endif
