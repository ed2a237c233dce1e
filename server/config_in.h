/* What the parts of the configuration share: its keys, where a value came from, and the checks of the whole.
 * Included by server/config*.c alone. Main thread. */
#ifndef RUMMYD_SERVER_CONFIG_IN_H
#define RUMMYD_SERVER_CONFIG_IN_H

#include "server/config.h"

enum srv_source { SRV_FROM_DEFAULT, SRV_FROM_FILE, SRV_FROM_ENV, SRV_FROM_FLAG };

struct srv_key;

/* The key of that name, in which - counts as _; NULL: there is none. */
const struct srv_key *srv_key_find(const char *name, size_t len);
/* Its name; NULL behind the last key. */
const char *srv_key_name(size_t i);
/* Takes a value. A comment is possible only in a file, so elsewhere " #" is refused. A key `X_file` from a
 * stronger place drops the secret X of a weaker one. false: `error` names the key. */
bool srv_key_set(struct srv_config *config, const struct srv_key *key, const char *value,
                 enum srv_source source, char error[SRV_ERROR_MAX]);
/* Where the value of a key came from. */
enum srv_source srv_key_source(const struct srv_config *config, const char *name);

/* The place of a secret that has no key of its own (`jwt_secret`); NULL: there is no such secret. */
char *srv_secret_place(struct srv_config *config, const char *name);

/* Reads RUMMYD_* of env. */
bool srv_config_read_env(struct srv_config *config, char *const *env, char error[SRV_ERROR_MAX]);
/* Checks what one value alone does not show, and fills in what follows from other keys. */
bool srv_config_check(struct srv_config *config, char error[SRV_ERROR_MAX]);
/* Checks every URL, and `origins`; makes `ws_url` and `public_url` where they are missing. */
bool srv_config_check_urls(struct srv_config *config, char error[SRV_ERROR_MAX]);

#endif
