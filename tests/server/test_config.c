/* Configuration: precedence, the key named in each error, secrets. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/core/token.h"
#include "base/bug.h"
#include "server/config.h"
#include "server/keys/passkey_site.h"

static struct srv_config config;
static char error[SRV_ERROR_MAX];
static const char *words[2];
static size_t words_n;

static enum srv_config_result read_with(char *const *env, int n, char *const *args)
{
    return srv_config_read(&config, n, args, env, words, 2, &words_n, error);
}

/* env: one setting, or NULL. */
#define READ(env, ...)                                                                                       \
    read_with((char *[]){(env), NULL}, (int)(sizeof((char *[]){__VA_ARGS__}) / sizeof(char *)),              \
              (char *[]){__VA_ARGS__})

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    cr_assert_eq(fchmod(fileno(file), 0600), 0);
    (void)fputs(text, file);
    (void)fclose(file);
}

Test(config, defaults_are_set)
{
    cr_assert_eq(read_with((char *[]){NULL}, 0, NULL), SRV_CONFIG_OK);
    cr_assert_eq(config.http_port, 8080);
    cr_assert_str_eq(config.ws_url, "ws://localhost:8081");
    cr_assert(config.rate_limits && !config.dev);
}

Test(config, flags_override_the_environment_which_overrides_the_file)
{
    char path[] = "/tmp/rummyd-config-XXXXXX";
    close(mkstemp(path));
    write_file(path, "# a comment\n\n http_port = 1001 \nws_port=1002\nnode = file\nlog_level=warn\n");
    cr_assert_eq(
        READ("RUMMYD_WS_PORT=2002", "--config", path, "--node=flag", "word", "--dev", "--rate-limits", "off"),
        SRV_CONFIG_OK, "%s", error);
    cr_assert_eq(config.http_port, 1001);
    cr_assert_eq(config.ws_port, 2002);
    cr_assert_str_eq(config.node, "flag");
    cr_assert_str_eq(config.log_level, "warn");
    cr_assert(config.dev && !config.rate_limits);
    cr_assert_eq(words_n, 1);
    cr_assert_str_eq(words[0], "word");
    (void)unlink(path);
}

#define REFUSED(result, key, ...)                                                                            \
    do {                                                                                                     \
        cr_assert_eq(READ(__VA_ARGS__), result, "%s", key);                                                  \
        cr_assert_not_null(strstr(error, key), "\"%s\" does not name %s", error, key);                       \
    } while (0)

Test(config, errors_name_the_key)
{
    REFUSED(SRV_CONFIG_USAGE, "http_port", NULL, "--http_port", "0");
    REFUSED(SRV_CONFIG_USAGE, "http_port", NULL, "--http_port=80x");
    REFUSED(SRV_CONFIG_USAGE, "http_port", NULL, "--http_port=65536");
    REFUSED(SRV_CONFIG_USAGE, "http_port", NULL, "--http_port");
    REFUSED(SRV_CONFIG_USAGE, "dev", NULL, "--dev=yes");
    REFUSED(SRV_CONFIG_USAGE, "node", NULL, "--node", "");
    REFUSED(SRV_CONFIG_USAGE, "node", NULL, "--node=\xff");
    REFUSED(SRV_CONFIG_USAGE, "colour", NULL, "--colour=red");
    REFUSED(SRV_CONFIG_USAGE, "config", NULL, "--config");
    REFUSED(SRV_CONFIG_USAGE, "unexpected argument", NULL, "a", "b", "c");
    REFUSED(SRV_CONFIG_USAGE, "jwt_secret", NULL, "--jwt_secret=0123456789");
    REFUSED(SRV_CONFIG_FAILED, "log_level", NULL, "--log_level=loud");
    REFUSED(SRV_CONFIG_FAILED, "db_server_role", NULL, "--db_server_role=Rummyd");
    REFUSED(SRV_CONFIG_FAILED, "db_server_role", NULL, "--db_server_role=a\" b");
    REFUSED(SRV_CONFIG_FAILED, "db_read_role", NULL, "--db_read_role=9lives");
    REFUSED(SRV_CONFIG_FAILED, "db_read_role", NULL,
            "--db_read_role=a234567890123456789012345678901234567890123456789012345678901234");
    REFUSED(SRV_CONFIG_FAILED, "ws_port", NULL, "--ws_port=8080");
    char node[] = "--node=0123456789012345678901234567890123456789012345678901234567890123";
    REFUSED(SRV_CONFIG_FAILED, "node", NULL, node);
    node[sizeof(node) - 2] = '\0';
    cr_assert_eq(READ(NULL, node), SRV_CONFIG_OK);
    static const char *const odd_sockets[] = {"http://x",
                                              "ws://",
                                              "wss:///n1",
                                              "wss://a b",
                                              "wss://a?x=1",
                                              "wss://a#x",
                                              "wss://me@a",
                                              "wss://a:",
                                              "wss://a:0",
                                              "wss://a:65536",
                                              "wss://a:x/n1",
                                              "wss://a;b",
                                              "wss://0.0.0.0",
                                              "wss://[::]:8081",
                                              "wss://[::1",
                                              "wss://a/n1'; x *",
                                              "wss://a:80x/n1",
                                              "ws://localhost@evil.example",
                                              "ws://localhost:1@evil.example"};
    for (size_t i = 0; i < ARRAY_LEN(odd_sockets); i++) {
        char flag[80];
        (void)snprintf(flag, sizeof(flag), "--ws_url=%s", odd_sockets[i]);
        REFUSED(SRV_CONFIG_FAILED, "ws_url: ", NULL, flag);
    }
    REFUSED(SRV_CONFIG_USAGE, "ws_url: ", NULL, "--ws_url=wss://a/\r\nX: y");
    REFUSED(SRV_CONFIG_FAILED, "config", NULL, "--config=/no/such/file");
    REFUSED(SRV_CONFIG_FAILED, "RUMMYD_ORIGNS: unknown key; did you mean RUMMYD_ORIGINS?", "RUMMYD_ORIGNS=x",
            "w");
    cr_assert_eq(READ("RUMMYD_COLOUR=red", "word"), SRV_CONFIG_OK, "%s", error); /* with a warning */
    REFUSED(SRV_CONFIG_FAILED, "table_max", "RUMMYD_TABLE_MAX=-1", "word");
}

/* The rejected value is not repeated, because it contains a password. */
Test(config, the_bus_requires_a_name_and_tls_outside_dev)
{
    REFUSED(SRV_CONFIG_FAILED, "bus_url", NULL, "--bus_url=http://a:topsecret@h");
    cr_assert_null(strstr(error, "topsecret"));
    REFUSED(SRV_CONFIG_FAILED, "bus_url", NULL, "--bus_url=nats://localhost");
    cr_assert_eq(READ(NULL, "--bus_url=nats://localhost", "--dev"), SRV_CONFIG_OK);
    REFUSED(SRV_CONFIG_FAILED, "bus_url", NULL, "--bus_url=nats://a:topsecret@bus.example");
    cr_assert_null(strstr(error, "topsecret"));
    cr_assert_eq(READ(NULL, "--bus_url=nats://a:b@bus.example", "--bus_insecure=on"), SRV_CONFIG_OK);
    cr_assert_eq(READ(NULL, "--bus_url=nats://a:b@localhost"), SRV_CONFIG_OK);
    REFUSED(SRV_CONFIG_FAILED, "bus_ca", NULL, "--bus_url=nats://a:b@localhost", "--bus_ca=/ca.pem");
    cr_assert_eq(READ("RUMMYD_BUS_URL=tls://a:b@bus.example", "--bus_ca=/ca.pem"), SRV_CONFIG_OK);
}

Test(config, moves_are_always_stored_outside_dev)
{
    cr_assert_eq(READ(NULL, "w"), SRV_CONFIG_OK);
    cr_assert(config.journal);
    REFUSED(SRV_CONFIG_FAILED, "journal", NULL, "--journal=off");
    cr_assert_eq(READ(NULL, "--journal=off", "--dev"), SRV_CONFIG_OK);
    cr_assert_not(config.journal);
}

Test(config, deals_are_secret_outside_dev)
{
    uint8_t seed[32], same[32], other[32];
    cr_assert_eq(READ(NULL, "w"), SRV_CONFIG_OK);
    cr_assert_not(srv_config_dev_seed(&config, seed));
    REFUSED(SRV_CONFIG_FAILED, "dev_seed", NULL, "--dev_seed=one");
    cr_assert_eq(READ(NULL, "--dev_seed=one", "--dev"), SRV_CONFIG_OK);
    cr_assert(srv_config_dev_seed(&config, seed) && srv_config_dev_seed(&config, same));
    cr_assert_eq(READ(NULL, "--dev_seed=two", "--dev"), SRV_CONFIG_OK);
    cr_assert(srv_config_dev_seed(&config, other));
    cr_assert_arr_eq(seed, same, sizeof(seed));
    cr_assert_arr_neq(seed, other, sizeof(seed));
}

Test(config, errors_in_a_file_name_the_line_and_key)
{
    char path[] = "/tmp/rummyd-config-XXXXXX";
    close(mkstemp(path));
    write_file(path, "http_port = 1\nws_port = x\n");
    REFUSED(SRV_CONFIG_FAILED, "line 2: ws_port", NULL, "--config", path);
    write_file(path, "nonsense\n");
    REFUSED(SRV_CONFIG_FAILED, "line 1", NULL, "--config", path);
    write_file(path, "jwt_secret = abc\n");
    REFUSED(SRV_CONFIG_FAILED, "jwt_secret", NULL, "--config", path);
    char big[2000];
    memset(big, 'x', sizeof(big) - 1);
    big[sizeof(big) - 1] = '\0';
    write_file(path, big);
    REFUSED(SRV_CONFIG_FAILED, "line 1", NULL, "--config", path);
    (void)unlink(path);
}

Test(config, a_weak_or_missing_secret_is_refused)
{
    static const char *const weak[] = {"", "short", "0123456789012345678901234567890",
                                       "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
    for (size_t i = 0; i < sizeof(weak) / sizeof(weak[0]); i++) {
        char env[128];
        (void)snprintf(env, sizeof(env), "RUMMYD_JWT_SECRET=%s", weak[i]);
        cr_assert_eq(READ(env, "w"), SRV_CONFIG_OK);
        cr_assert_eq(srv_config_secret(&config, error), SRV_CONFIG_FAILED, "%s", weak[i]);
        cr_assert_not_null(strstr(error, "jwt_secret"));
    }
    cr_assert_eq(READ("RUMMYD_JWT_SECRET=0123456789abcdef0123456789abcdef", "w"), SRV_CONFIG_OK);
    cr_assert_eq(srv_config_secret(&config, error), SRV_CONFIG_OK);
}

Test(config, the_previous_secret_still_verifies_but_does_not_sign)
{
    char path[] = "/tmp/rummyd-secret-XXXXXX", flag[96];
    close(mkstemp(path));
    (void)snprintf(flag, sizeof(flag), "--jwt_old_secret_file=%s", path);
    char env[] = "RUMMYD_JWT_SECRET=0123456789abcdef0123456789abcdef";
    struct api_token_keys keys;
    struct api_token_claims claims;
    char token[API_TOKEN_MAX];

    cr_assert_eq(READ("RUMMYD_JWT_SECRET=fedcba9876543210fedcba9876543210", "--jwt_kid=k0"), SRV_CONFIG_OK);
    cr_assert_eq(srv_config_secret(&config, error), SRV_CONFIG_OK, "%s", error);
    srv_config_keys(&config, &keys);
    cr_assert(api_token_make(&keys, 7, 1, 1000, token));

    write_file(path, "fedcba9876543210fedcba9876543210\n");
    cr_assert_eq(READ(env, flag), SRV_CONFIG_OK);
    cr_assert_eq(srv_config_secret(&config, error), SRV_CONFIG_OK, "%s", error);
    srv_config_keys(&config, &keys);
    cr_assert_eq(api_token_verify(&keys, token, 1001, &claims), API_OK);
    cr_assert_eq(claims.player_id, 7);
    cr_assert(api_token_make(&keys, 7, 1, 1000, token));

    cr_assert_eq(READ(env, "w"), SRV_CONFIG_OK);
    cr_assert_eq(srv_config_secret(&config, error), SRV_CONFIG_OK, "%s", error);
    srv_config_keys(&config, &keys);
    cr_assert_eq(keys.n, 1);
    cr_assert_eq(api_token_verify(&keys, token, 1001, &claims), API_OK, "the new one signs");

    cr_assert_eq(READ(env, flag, "--jwt_old_kid=k1"), SRV_CONFIG_OK);
    cr_assert_eq(srv_config_secret(&config, error), SRV_CONFIG_FAILED);
    cr_assert_not_null(strstr(error, "jwt_old_kid"));
    write_file(path, "short\n");
    cr_assert_eq(READ(env, flag), SRV_CONFIG_OK);
    cr_assert_eq(srv_config_secret(&config, error), SRV_CONFIG_FAILED);
    cr_assert_not_null(strstr(error, "jwt_old_secret"));
    (void)unlink(path);
    cr_assert_eq(READ(env, flag), SRV_CONFIG_OK);
    cr_assert_eq(srv_config_secret(&config, error), SRV_CONFIG_FAILED);
}

Test(config, secrets_from_a_file_and_of_dev_survive_a_restart)
{
    char dir[] = "/tmp/rummyd-secret-XXXXXX";
    cr_assert_not_null(mkdtemp(dir));
    char path[64], flag[96];
    (void)snprintf(path, sizeof(path), "%s/jwt_secret", dir);
    (void)snprintf(flag, sizeof(flag), "--state_dir=%s", dir);
    cr_assert_eq(READ(NULL, "--dev", flag), SRV_CONFIG_OK);
    cr_assert_eq(srv_config_secret(&config, error), SRV_CONFIG_OK, "%s", error);
    char first[SRV_SECRET_MAX];
    memcpy(first, config.jwt_secret, sizeof(first));
    cr_assert_eq(strlen(first), 64);
    struct stat st;
    cr_assert_eq(stat(path, &st), 0);
    cr_assert_eq(st.st_mode & 0777, 0600);
    cr_assert_eq(READ(NULL, "--dev", flag), SRV_CONFIG_OK);
    cr_assert_eq(srv_config_secret(&config, error), SRV_CONFIG_OK);
    cr_assert_str_eq(config.jwt_secret, first);

    (void)snprintf(flag, sizeof(flag), "--jwt_secret_file=%s", path);
    cr_assert_eq(READ(NULL, flag), SRV_CONFIG_OK);
    cr_assert_eq(srv_config_secret(&config, error), SRV_CONFIG_OK);
    cr_assert_str_eq(config.jwt_secret, first);
    (void)unlink(path);
    cr_assert_eq(READ(NULL, flag), SRV_CONFIG_OK);
    cr_assert_eq(srv_config_secret(&config, error), SRV_CONFIG_FAILED);
    (void)rmdir(dir);
}

/* The passkey site of a configuration, NULL if the configuration is rejected. */
static const struct api_webauthn_site *passkeys(const char *url, const char *id, const char *origins)
{
    static struct api_webauthn_site site;
    char flags[3][200];
    (void)snprintf(flags[0], sizeof(flags[0]), "--public_url=%s", url);
    (void)snprintf(flags[1], sizeof(flags[1]), "--passkey_id=%s", id);
    (void)snprintf(flags[2], sizeof(flags[2]), "--passkey_origins=%s", origins);
    if (READ(NULL, flags[0], flags[1], flags[2]) != SRV_CONFIG_OK)
        return NULL;
    cr_assert(srv_passkey_site(&config, &site, error));
    return &site;
}

Test(config, passkeys_default_to_the_host_of_the_page)
{
    static const struct {
        const char *url, *id, *origin;
    } sites[] = {
        {"https://play.example.org", "play.example.org", "https://play.example.org"},
        {"https://play.example.org:8443/rummy", "play.example.org", "https://play.example.org:8443"},
        {"http://localhost:8080", "localhost", "http://localhost:8080"},
        {"http://play.example.org", "", ""}, /* browsers do not create passkeys on this site */
        {"https://192.0.2.7", "", ""},
        {"https://[2001:db8::1]", "", ""},
    };
    for (size_t i = 0; i < sizeof(sites) / sizeof(sites[0]); i++) {
        const struct api_webauthn_site *site = passkeys(sites[i].url, "", "");
        cr_assert(site, "%s", error);
        cr_assert_str_eq(site->id, sites[i].id);
        cr_assert_str_eq(site->origins, sites[i].origin);
        cr_assert(!site->id[0] || site->origin_ok(site, sites[i].origin));
        cr_assert(!site->origin_ok(site, "https://evil.example"));
    }
}

Test(config, passkeys_of_a_domain_work_from_the_listed_origins)
{
    const char *url = "https://play.example.org";
    const struct api_webauthn_site *site =
        passkeys(url, "example.org",
                 "https://play.example.org, "
                 "https://example.org,android:apk-key-hash:AbC_-1AbC_-1AbC_-1AbC_-1AbC_-1AbC_-1AbC_-1A");
    cr_assert(site, "%s", error);
    cr_assert(site->origin_ok(site, "https://example.org") &&
              site->origin_ok(site, "android:apk-key-hash:AbC_-1AbC_-1AbC_-1AbC_-1AbC_-1AbC_-1AbC_-1A"));
    cr_assert(!site->origin_ok(site, "https://www.example.org"));
    static const char *const wrong[] = {"https://evil.example",
                                        "https://notexample.org",
                                        "http://play.example.org",
                                        "https://example.org/",
                                        "example.org",
                                        "https://example.org.evil.example"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        cr_assert_null(passkeys(url, "example.org", wrong[i]), "%s", wrong[i]);
        cr_assert(strstr(error, "passkey_origins"), "%s", error);
    }
    static const char *const ids[] = {"Example.org", "192.0.2.7", "https://example.org", "example.org:443"};
    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        cr_assert_null(passkeys(url, ids[i], ""), "%s", ids[i]);
        cr_assert(strstr(error, "passkey_id"), "%s", error);
    }
    cr_assert_null(passkeys(url, "example.net", ""));
    cr_assert_eq(
        READ(NULL, "--passkey_name=0123456789012345678901234567890123456789012345678901234567890123"),
        SRV_CONFIG_FAILED);
    cr_assert(strstr(error, "passkey_name"), "%s", error);
}

Test(config, remote_socket_urls_require_tls)
{
    static const char *const here[] = {"ws://localhost", "ws://localhost:8081", "ws://127.0.0.1:1/x",
                                       "ws://[::1]:8081", "wss://play.example"};
    static const char *const elsewhere[] = {"ws://play.example", "ws://localhost.example",
                                            "ws://10.0.0.1:8081", "ws://[2001:db8::1]:8081",
                                            "ws://127.evil.example"};
    char flag[200];
    for (size_t i = 0; i < ARRAY_LEN(here); i++) {
        (void)snprintf(flag, sizeof(flag), "--ws_url=%s", here[i]);
        cr_expect_eq(READ(NULL, flag), SRV_CONFIG_OK, "%s: %s", here[i], error);
    }
    for (size_t i = 0; i < ARRAY_LEN(elsewhere); i++) {
        (void)snprintf(flag, sizeof(flag), "--ws_url=%s", elsewhere[i]);
        REFUSED(SRV_CONFIG_FAILED, "ws_url: must begin with wss://", NULL, flag);
        cr_expect_eq(READ(NULL, flag, "--dev"), SRV_CONFIG_OK, "%s: %s", elsewhere[i], error);
    }
}

Test(config, a_remote_database_must_be_verified_by_its_certificate)
{
    static const char *const fine[] = {
        "rummyd",
        "dbname=rummyd",
        "host=/run/postgresql",
        "host=@abstract",
        "host=localhost",
        "host=127.0.0.1",
        "hostaddr=127.0.0.1 host=db.example",
        "host=localhost,/tmp",
        "postgresql://localhost/rummyd",
        "postgresql:///rummyd",
        "host=db.example sslmode=verify-full",
        "postgresql://db.example/rummyd?sslmode=verify-full",
    };
    static const char *const open_ones[] = {
        "host=db.example",
        "host=10.0.0.1 sslmode=require",
        "host=db.example sslmode=verify-ca",
        "hostaddr=10.0.0.1 host=localhost",
        "host=localhost,db.example",
        "postgresql://db.example/rummyd",
        "postgres://u:p@10.0.0.1/rummyd?sslmode=prefer",
        "service=theirs",
    };
    char flag[200];
    cr_assert(unsetenv("PGHOST") == 0 && unsetenv("PGSSLMODE") == 0 && unsetenv("PGHOSTADDR") == 0);
    for (size_t i = 0; i < ARRAY_LEN(fine); i++) {
        (void)snprintf(flag, sizeof(flag), "--db=%s", fine[i]);
        cr_expect_eq(READ(NULL, flag), SRV_CONFIG_OK, "%s: %s", fine[i], error);
    }
    for (size_t i = 0; i < ARRAY_LEN(open_ones); i++) {
        (void)snprintf(flag, sizeof(flag), "--db=%s", open_ones[i]);
        REFUSED(SRV_CONFIG_FAILED, "db: PostgreSQL is on another machine", NULL, flag);
        cr_expect_eq(READ("RUMMYD_DB_INSECURE=on", flag), SRV_CONFIG_OK, "%s: %s", open_ones[i], error);
    }
    cr_assert_eq(setenv("PGHOST", "db.example", 1), 0); /* the connection string omits the host */
    REFUSED(SRV_CONFIG_FAILED, "db: PostgreSQL is on another machine", NULL, "--db=dbname=rummyd");
    cr_assert_eq(setenv("PGSSLMODE", "verify-full", 1), 0);
    cr_expect_eq(READ(NULL, "--db=dbname=rummyd"), SRV_CONFIG_OK, "%s", error);
}

Test(config, secret_files_must_be_private_to_their_user)
{
    char folder[] = "/tmp/rummyd-secrets-XXXXXX", path[64], flag[100];
    cr_assert_not_null(mkdtemp(folder));
    (void)snprintf(path, sizeof(path), "%s/secret", folder);
    (void)snprintf(flag, sizeof(flag), "--jwt_secret_file=%s", path);
    write_file(path, "0123456789abcdef0123456789abcdef");
    static const mode_t open_ones[] = {0640, 0604, 0620, 0602, 0644, 0666};
    for (size_t i = 0; i < ARRAY_LEN(open_ones); i++) {
        cr_assert_eq(chmod(path, open_ones[i]), 0);
        cr_assert_eq(READ(NULL, flag), SRV_CONFIG_OK);
        cr_expect_eq(srv_config_secret(&config, error), SRV_CONFIG_FAILED, "%o", (unsigned)open_ones[i]);
        cr_expect(strstr(error, "jwt_secret_file: other users") == error && strstr(error, "chmod 600"), "%s",
                  error);
        cr_expect_str_empty(config.jwt_secret, "it was not even read");
        cr_assert_eq(READ(NULL, flag, "--dev"), SRV_CONFIG_OK);
        cr_expect_eq(srv_config_secret(&config, error), SRV_CONFIG_OK, "%s", error);
        cr_assert_eq(setenv("CREDENTIALS_DIRECTORY", folder, 1), 0); /* as systemd sets it */
        cr_assert_eq(READ(NULL, flag), SRV_CONFIG_OK);
        cr_expect_eq(srv_config_secret(&config, error), SRV_CONFIG_OK, "%s", error);
        cr_assert_eq(setenv("CREDENTIALS_DIRECTORY", "/tmp/rummyd-secr", 1), 0); /* another folder */
        cr_assert_eq(READ(NULL, flag), SRV_CONFIG_OK);
        cr_expect_eq(srv_config_secret(&config, error), SRV_CONFIG_FAILED);
        cr_assert_eq(unsetenv("CREDENTIALS_DIRECTORY"), 0);
    }
    static const mode_t private_ones[] = {0600, 0400};
    for (size_t i = 0; i < ARRAY_LEN(private_ones); i++) {
        cr_assert_eq(chmod(path, private_ones[i]), 0);
        cr_assert_eq(READ(NULL, flag), SRV_CONFIG_OK);
        cr_expect_eq(srv_config_secret(&config, error), SRV_CONFIG_OK, "%s", error);
    }
    (void)unlink(path);
    (void)rmdir(folder);
}
