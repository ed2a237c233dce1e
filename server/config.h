/* The configuration: file < environment < flags, checked once at the start. Every
 * subcommand reads it on the main thread; afterwards it is constant and any thread may look. */
#ifndef RUMMYD_SERVER_CONFIG_H
#define RUMMYD_SERVER_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SRV_TEXT_MAX = 512,   /* bytes of a text value, with the NUL */
    SRV_SECRET_MAX = 256, /* bytes of a secret, with the NUL */
    SRV_SECRET_MIN = 32,  /* RFC 7518: an HS256 key has at least 256 bits */
    SRV_MAIL_NAME_MAX = 100,
    SRV_CONFIG_LINES_MAX = 500,
    SRV_CONFIG_KEYS_MAX = 160,
    SRV_FILE_MAX = 16 * 1024, /* bytes of a file that a key names */
    SRV_ERROR_MAX = 400,      /* one sentence */
};

struct srv_config {
    uint8_t source[SRV_CONFIG_KEYS_MAX]; /* of each key: enum srv_source of server/config_in.h */
    char db[SRV_TEXT_MAX];
    char db_read[SRV_TEXT_MAX]; /* a standby of it, or empty */
    bool db_insecure;
    char db_server_role[SRV_TEXT_MAX],
        db_read_role[SRV_TEXT_MAX]; /* whom a migration grants what they need */
    char bus_url[SRV_TEXT_MAX]; /* of NATS, with user and password; empty: this node has nobody beside it */
    char bus_ca[SRV_TEXT_MAX];
    bool bus_insecure;
    char http_addr[SRV_TEXT_MAX], ws_addr[SRV_TEXT_MAX];
    int64_t http_port, ws_port;
    bool ws_url_check;
    char ws_url[SRV_TEXT_MAX]; /* public base of the sockets; made from ws_port when empty */
    char web_dir[SRV_TEXT_MAX];
    char origins[SRV_TEXT_MAX]; /* comma list of allowed origins */
    char proxies[SRV_TEXT_MAX]; /* whose X-Forwarded-For is believed */
    char node[SRV_TEXT_MAX];
    char jwt_secret_file[SRV_TEXT_MAX];
    char jwt_secret[SRV_SECRET_MAX]; /* from the environment, the file, or made in --dev */
    char jwt_kid[SRV_TEXT_MAX];
    char jwt_old_secret_file[SRV_TEXT_MAX]; /* of the key before this one, or empty */
    char jwt_old_secret[SRV_SECRET_MAX];
    char jwt_old_kid[SRV_TEXT_MAX];
    char public_url[SRV_TEXT_MAX]; /* of the page, as buyers reach it */
    char passkey_id[SRV_TEXT_MAX]; /* the domain of passkeys; made of public_url when empty */
    char passkey_name[SRV_TEXT_MAX];
    char passkey_origins[SRV_TEXT_MAX]; /* comma list; made of public_url when empty */
    char stripe_url[SRV_TEXT_MAX];
    char stripe_page_host[SRV_TEXT_MAX];
    char stripe_key_file[SRV_TEXT_MAX];
    char stripe_key[SRV_SECRET_MAX]; /* empty: no cards */
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
    char apple_bundle_id[SRV_TEXT_MAX]; /* empty: no receipts of Apple */
    char apple_root_file[SRV_TEXT_MAX];
    char apple_environment[SRV_TEXT_MAX];
    char google_package[SRV_TEXT_MAX]; /* empty: no receipts of Google */
    char google_account_file[SRV_TEXT_MAX];
    char google_url[SRV_TEXT_MAX], google_token_url[SRV_TEXT_MAX];
    bool google_tests;
    int64_t pay_timeout_ms;       /* of one try to reach a provider */
    int64_t pay_ask_s;            /* how often to look for orders without news; 0: never */
    char oidc_file[SRV_TEXT_MAX]; /* empty: nobody signs in by a provider */
    int64_t oidc_timeout_ms;      /* for one answer of a provider */
    char smtp_url[SRV_TEXT_MAX];  /* empty: mails become files */
    char smtp_helo[SRV_TEXT_MAX]; /* empty: this machine's own name */
    char smtp_user[SRV_TEXT_MAX];
    char smtp_password_file[SRV_TEXT_MAX];
    char smtp_password[SRV_SECRET_MAX];
    char smtp_ca_file[SRV_TEXT_MAX];
    int64_t smtp_timeout_ms; /* for one mail */
    char mail_from[SRV_TEXT_MAX], mail_name[SRV_TEXT_MAX];
    char vapid_key_file[SRV_TEXT_MAX]; /* empty: no web push */
    char push_hosts[SRV_TEXT_MAX];
    char fcm_account_file[SRV_TEXT_MAX], fcm_url[SRV_TEXT_MAX]; /* no file: no FCM */
    char apns_key_file[SRV_TEXT_MAX], apns_key_id[SRV_TEXT_MAX],
        apns_team_id[SRV_TEXT_MAX]; /* no file: no APNs */
    char apns_topic[SRV_TEXT_MAX], apns_url[SRV_TEXT_MAX];
    int64_t webhook_timeout_ms;
    bool webhooks_private;            /* webhooks may go to http:// and to private networks */
    char mail_dir[SRV_TEXT_MAX];      /* where mails become files */
    char otlp_endpoint[SRV_TEXT_MAX]; /* empty: no traces */
    char log_level[SRV_TEXT_MAX];
    int64_t log_reads;            /* one of so many reads that went well is logged; 0: none */
    int64_t log_lines;            /* a second, of requests and of security events each; 0: none */
    char state_dir[SRV_TEXT_MAX]; /* --dev keeps its made-up secret here, if given */
    int64_t rest_loops;
    int64_t table_max;
    int64_t socket_max;         /* 0: as many as the descriptors allow; srv_descriptors_take sets it */
    int64_t socket_waiting_max; /* connections to ws_port whose ticket was not good yet */
    int64_t socket_waiting_address_max; /* of those from one address */
    int64_t http_max;                   /* connections to http_port */
    int64_t db_wait_s;                  /* how long to wait for PostgreSQL at the start */
    int64_t hand_pause_ms;              /* between two hands */
    int64_t sleep_after_ms;             /* a table with turns of hours sleeps so long after the last person */
    int64_t practice_wait_s;            /* for the person of a practice table */
    int64_t reserve_ms;                 /* of each player, for a bad line */
    int64_t seed_wait_ms;               /* how long a full table waits for client seeds */
    int64_t bot_think_ms;               /* longest time a watched bot thinks before a step */
    int64_t thinkers;                   /* threads that think for the strongest bots */
    int64_t linger_ms;                  /* how long a finished table answers resumes */
    int64_t ping_s; /* how often a socket is pinged; one silent for twice as long is dropped */
    bool journal;   /* off: moves are not kept, for benchmarks */
    bool rate_limits;
    bool dev;
    char dev_seed[SRV_TEXT_MAX]; /* empty: deals are secret and random */
};

enum srv_config_result { SRV_CONFIG_OK = 0, SRV_CONFIG_USAGE = -1, SRV_CONFIG_FAILED = -2 };

/* Reads defaults, `--config FILE`, RUMMYD_* of env and the flags, in that order, and checks
 * each value. Of a secret X and its X_file only the one from the stronger place remains. args: what follows
 * the subcommand; a word that is no flag goes to words (words_max of them), for subcommands that take files.
 * On failure `error` holds one sentence that names the key. */
enum srv_config_result srv_config_read(struct srv_config *config, int args_n, char *const *args,
                                       char *const *env, const char **words, size_t words_max,
                                       size_t *words_n, char error[SRV_ERROR_MAX]);

/* Whether nobody on the way reads along: sockets by TLS or on this machine (or --dev), PostgreSQL on this
 * machine or with its certificate checked (or db_insecure). false: `error` names the key. */
bool srv_config_unexposed(const struct srv_config *config, char error[SRV_ERROR_MAX]);

/* Whether the files and folders that keys name are there, of the right kind, and readable or writable. Makes
 * the default folder of mails and, with --dev, `state_dir` and `mail_dir` (make), or only checks that they
 * could be made. Only `serve` and `check-config` need it. false: `error` names the key. */
bool srv_config_paths(const struct srv_config *config, bool make, char error[SRV_ERROR_MAX]);

/* The token secret: checks its strength, reads the file, or in --dev makes one and keeps it in
 * state_dir; and the one before it, when a file names it. And the secrets of the shop and of the mail server,
 * if it has any. Only `serve` needs them. */
enum srv_config_result srv_config_secret(struct srv_config *config, char error[SRV_ERROR_MAX]);
/* Whether nobody but its user may read or change a file with a secret; --dev only warns. false: `error` names
 * the key. */
bool srv_secret_private(const char *key, const char *path, bool dev, char error[SRV_ERROR_MAX]);
/* Reads a file that holds a secret; false: `error` names the key. */
bool srv_secret_read(const char *key, const char *path, char out[SRV_SECRET_MAX], char error[SRV_ERROR_MAX]);

/* Reads a whole file of SRV_FILE_MAX bytes at most; the caller frees it. NULL: `error` names the key. */
char *srv_file_read(const char *key, const char *path, size_t *len, char error[SRV_ERROR_MAX]);

struct api_token_keys; /* api/token.h */
/* The keys of a configuration whose secrets were read. */
void srv_config_keys(const struct srv_config *config, struct api_token_keys *keys);

/* The seed of every deal that dev_seed stands for. false: there is none, deals are random. */
bool srv_config_dev_seed(const struct srv_config *config, uint8_t seed[32]);

/* Lists every key with its default and meaning on stdout, for `help`. */
void srv_config_help(void);

#endif
