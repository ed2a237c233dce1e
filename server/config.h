/* The configuration: file < environment < flags, checked once at startup. Every subcommand reads it on the
 * main thread; afterwards it is constant and readable by any thread. */
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

struct srv_config {
    uint8_t source[SRV_CONFIG_KEYS_MAX]; /* per key: enum srv_source of server/config_in.h */
    char db[SRV_TEXT_MAX];
    char db_read[SRV_TEXT_MAX]; /* a read replica, or empty */
    bool db_insecure;
    char db_server_role[SRV_TEXT_MAX],
        db_read_role[SRV_TEXT_MAX]; /* roles that a migration grants the privileges they need */
    char bus_url[SRV_TEXT_MAX];     /* of NATS, with user and password; empty: this node runs alone */
    char bus_ca[SRV_TEXT_MAX];
    bool bus_insecure;
    char http_addr[SRV_TEXT_MAX], ws_addr[SRV_TEXT_MAX];
    int64_t http_port, ws_port;
    bool ws_url_check;
    char ws_url[SRV_TEXT_MAX]; /* public base URL of the sockets; derived from ws_port if empty */
    char web_dir[SRV_TEXT_MAX];
    char origins[SRV_TEXT_MAX]; /* comma-separated list of allowed origins */
    char proxies[SRV_TEXT_MAX]; /* proxies whose X-Forwarded-For is trusted */
    char node[SRV_TEXT_MAX];
    char jwt_secret_file[SRV_TEXT_MAX];
    char jwt_secret[SRV_SECRET_MAX]; /* from the environment or the file, or generated with --dev */
    char jwt_kid[SRV_TEXT_MAX];
    char jwt_old_secret_file[SRV_TEXT_MAX]; /* of the previous key, or empty */
    char jwt_old_secret[SRV_SECRET_MAX];
    char jwt_old_kid[SRV_TEXT_MAX];
    char public_url[SRV_TEXT_MAX]; /* of the page, as buyers reach it */
    char passkey_id[SRV_TEXT_MAX]; /* the domain of passkeys; derived from public_url if empty */
    char passkey_name[SRV_TEXT_MAX];
    char passkey_origins[SRV_TEXT_MAX]; /* comma-separated list; derived from public_url if empty */
    char stripe_url[SRV_TEXT_MAX];
    char stripe_page_host[SRV_TEXT_MAX];
    char stripe_key_file[SRV_TEXT_MAX];
    char stripe_key[SRV_SECRET_MAX]; /* empty: no card payments */
    char stripe_webhook_secret_file[SRV_TEXT_MAX];
    char stripe_webhook_secret[SRV_SECRET_MAX];
    char paypal_url[SRV_TEXT_MAX];
    char paypal_client_id[SRV_TEXT_MAX]; /* empty: no PayPal */
    char paypal_secret_file[SRV_TEXT_MAX];
    char paypal_secret[SRV_SECRET_MAX];
    char paypal_webhook_id[SRV_TEXT_MAX];
    char sms_number[SRV_TEXT_MAX]; /* empty: no SMS */
    char sms_keyword[SRV_TEXT_MAX];
    char sms_secret_file[SRV_TEXT_MAX];
    char sms_secret[SRV_SECRET_MAX];
    char apple_bundle_id[SRV_TEXT_MAX]; /* empty: no Apple receipts */
    char apple_root_file[SRV_TEXT_MAX];
    char apple_environment[SRV_TEXT_MAX];
    char google_package[SRV_TEXT_MAX]; /* empty: no Google receipts */
    char google_account_file[SRV_TEXT_MAX];
    char google_url[SRV_TEXT_MAX], google_token_url[SRV_TEXT_MAX];
    bool google_tests;
    int64_t pay_timeout_ms;       /* per attempt to reach a provider */
    int64_t pay_ask_s;            /* how often to check orders without news; 0: never */
    char oidc_file[SRV_TEXT_MAX]; /* empty: no sign-in with providers */
    int64_t oidc_timeout_ms;      /* per provider response */
    char smtp_url[SRV_TEXT_MAX];  /* empty: emails are written to files */
    char smtp_helo[SRV_TEXT_MAX]; /* empty: this machine's name */
    char smtp_user[SRV_TEXT_MAX];
    char smtp_password_file[SRV_TEXT_MAX];
    char smtp_password[SRV_SECRET_MAX];
    char smtp_ca_file[SRV_TEXT_MAX];
    int64_t smtp_timeout_ms; /* per email */
    char mail_from[SRV_TEXT_MAX], mail_name[SRV_TEXT_MAX];
    char vapid_key_file[SRV_TEXT_MAX]; /* empty: no web push */
    char push_hosts[SRV_TEXT_MAX];
    char fcm_account_file[SRV_TEXT_MAX], fcm_url[SRV_TEXT_MAX]; /* no file: no FCM */
    char apns_key_file[SRV_TEXT_MAX], apns_key_id[SRV_TEXT_MAX],
        apns_team_id[SRV_TEXT_MAX]; /* no file: no APNs */
    char apns_topic[SRV_TEXT_MAX], apns_url[SRV_TEXT_MAX];
    int64_t webhook_timeout_ms;
    bool webhooks_private;            /* webhooks may use http:// and private networks */
    char mail_dir[SRV_TEXT_MAX];      /* where emails are written to files */
    char otlp_endpoint[SRV_TEXT_MAX]; /* empty: no traces */
    char log_level[SRV_TEXT_MAX];
    int64_t log_reads;            /* log 1 in N successful reads; 0: none */
    int64_t log_lines;            /* per second, for requests and for security events; 0: none */
    char state_dir[SRV_TEXT_MAX]; /* --dev keeps its generated secret here, if set */
    int64_t rest_loops;
    int64_t table_max;
    int64_t socket_max;         /* 0: as many as the descriptor limit allows; srv_descriptors_take sets it */
    int64_t socket_waiting_max; /* connections to ws_port whose ticket has not been accepted yet */
    int64_t socket_waiting_address_max; /* of those, per address */
    int64_t http_max;                   /* connections to http_port */
    int64_t db_wait_s;                  /* how long to wait for PostgreSQL at startup */
    int64_t hand_pause_ms;              /* between two hands */
    int64_t sleep_after_ms;  /* a correspondence table is unloaded this long after its last connection */
    int64_t practice_wait_s; /* for the player of a practice table */
    int64_t reserve_ms;      /* per player, for a bad connection */
    int64_t seed_wait_ms;    /* how long a full table waits for client seeds */
    int64_t bot_think_ms;    /* longest time a watched bot thinks before a step */
    int64_t thinkers;        /* threads that search for the strongest bots */
    int64_t linger_ms;       /* how long a finished table answers resuming clients */
    int64_t ping_s; /* how often a socket is pinged; it is dropped after twice that long without input */
    bool journal;   /* off: moves are not stored, for benchmarks */
    bool rate_limits;
    bool dev;
    char dev_seed[SRV_TEXT_MAX]; /* empty: deals are secret and random */
};

enum srv_config_result { SRV_CONFIG_OK = 0, SRV_CONFIG_USAGE = -1, SRV_CONFIG_FAILED = -2 };

/* Reads defaults, `--config FILE`, RUMMYD_* of env, and the flags, in that order, and checks each value. Of a
 * secret X and its X_file only the one from the stronger source remains. args: the words after the
 * subcommand; words that are not flags go to words (words_max of them), for subcommands that take files. On
 * failure `error` is one sentence that names the key. */
enum srv_config_result srv_config_read(struct srv_config *config, int args_n, char *const *args,
                                       char *const *env, const char **words, size_t words_max,
                                       size_t *words_n, char error[SRV_ERROR_MAX]);

/* Whether all traffic is protected from eavesdropping: sockets use TLS or this machine only (or --dev),
 * PostgreSQL is on this machine or its certificate is checked (or db_insecure). false: `error` names the
 * key. */
bool srv_config_unexposed(const struct srv_config *config, char error[SRV_ERROR_MAX]);

/* Whether the files and folders that keys name exist, are of the right kind, and are readable or writable.
 * Creates the default email folder and, with --dev, `state_dir` and `mail_dir` (make), or only checks that
 * they could be created. Only `serve` and `check-config` need it. false: `error` names the key. */
bool srv_config_paths(const struct srv_config *config, bool make, char error[SRV_ERROR_MAX]);

/* Loads the token secret: checks its strength, reads the file, or with --dev generates one and keeps it in
 * state_dir; also the previous secret, if a file names it, and the secrets of the shop and the mail server,
 * if configured. Only `serve` needs them. */
enum srv_config_result srv_config_secret(struct srv_config *config, char error[SRV_ERROR_MAX]);

struct api_token_keys; /* api/core/token.h */
/* The token keys of a configuration whose secrets have been loaded. */
void srv_config_keys(const struct srv_config *config, struct api_token_keys *keys);

/* The deal seed derived from dev_seed. false: none is set, and deals are random. */
bool srv_config_dev_seed(const struct srv_config *config, uint8_t seed[32]);

/* Prints every key with its default and meaning on stdout, for `help`. */
void srv_config_help(void);

#endif
