/* The configuration: file < environment < flags, checked once at startup. Every subcommand reads it on the
 * main thread; afterward it is constant and readable by any thread. */
#ifndef RUMMYD_SERVER_CONFIG_H
#define RUMMYD_SERVER_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SRV_TEXT_MAX = 512,   /* bytes of a text value, including the NUL */
    SRV_SECRET_MAX = 256, /* bytes of a secret, including the NUL */
    SRV_SECRET_MIN = 32,  /* RFC 7518: an HS256 key has at least 256 bits */
    SRV_MAIL_NAME_MAX = 100,
    SRV_CONFIG_LINES_MAX = 500,
    SRV_CONFIG_KEYS_MAX = 160,
    SRV_FILE_MAX = 16 * 1024, /* bytes of a file that a key names */
    SRV_ERROR_MAX = 400,      /* one sentence */
};

/* See config_keys.def for the meaning of each key. */
struct srv_config {
    uint8_t source[SRV_CONFIG_KEYS_MAX]; /* per key: enum srv_source (server/config_in.h) */
    char jwt_old_secret[SRV_SECRET_MAX]; /* from jwt_old_secret_file */
#define TEXT_KEY(k, ...) char k[SRV_TEXT_MAX];
#define NUMBER_KEY(k, ...) int64_t k;
#define SWITCH_KEY(k, ...) bool k;
#define SECRET_KEY(k, ...) char k##_file[SRV_TEXT_MAX], k[SRV_SECRET_MAX];
#include "server/config_keys.def"
};

enum srv_config_result { SRV_CONFIG_OK = 0, SRV_CONFIG_USAGE = -1, SRV_CONFIG_FAILED = -2 };

/* Reads defaults, `--config FILE`, RUMMYD_* of env, and the flags, in that order, and checks each value. If
 * both a secret X and its X_file are set, the one from the stronger source wins. args: the words after the
 * subcommand. Words that are not flags go to `words` (at most words_max), for subcommands that take files.
 * On failure `error` is one sentence that names the key. */
enum srv_config_result srv_config_read(struct srv_config *config, int args_n, char *const *args,
                                       char *const *env, const char **words, size_t words_max,
                                       size_t *words_n, char error[SRV_ERROR_MAX]);

/* The value of a text key. */
const char *srv_config_text(const struct srv_config *config, const char *name);

/* Whether all traffic is protected from eavesdropping: sockets use TLS or this machine only (or --dev),
 * PostgreSQL is on this machine or its certificate is checked (or db_insecure). false: `error` names the
 * key. */
bool srv_config_is_secure(const struct srv_config *config, char error[SRV_ERROR_MAX]);

/* Whether the files and folders that keys name exist, are of the right kind, and are readable or writable.
 * With `make`, creates the default email folder and, with --dev, `state_dir` and `mail_dir`; otherwise only
 * checks that they can be created. For `serve` and `check-config`. false: `error` names the key. */
bool srv_config_paths(const struct srv_config *config, bool make, char error[SRV_ERROR_MAX]);

/* Loads the token secret and checks its strength; with --dev, generates one and keeps it in state_dir. Also
 * loads the previous token secret and the secrets of the shop and the mail server, if configured. For
 * `serve` only. */
enum srv_config_result srv_config_secret(struct srv_config *config, char error[SRV_ERROR_MAX]);

struct api_token_keys; /* api/core/token.h */
/* Fills *keys from a configuration whose secrets have been loaded. */
void srv_config_keys(const struct srv_config *config, struct api_token_keys *keys);

/* The deal seed derived from dev_seed. false: none is set, and deals are random. */
bool srv_config_dev_seed(const struct srv_config *config, uint8_t seed[32]);

/* Prints every key with its default and meaning on stdout, for `help`. */
void srv_config_help(void);
/* The same as the roff source of a manual page; put prints text with roff's own characters escaped. */
void srv_config_manual(void (*put)(const char *text));
/* The name of a key, for completion; NULL after the last one. */
const char *srv_config_key_name(size_t i);

/* The path of a file below PREFIX/share/rummyd if the program runs from PREFIX/bin, as `make install` puts
 * it. false: it runs from elsewhere, or the path is too long. Does not check that the file exists. */
bool srv_installed(const char *file, char path[SRV_TEXT_MAX]);

#endif
