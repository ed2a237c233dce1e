/* Rejects configurations that would start but could never work; see config_in.h. config_paths.c checks files.
 * Main thread. */
#include <stdio.h>
#include <string.h>

#include "api/core/token.h"
#include "base/bug.h"
#include "base/setting.h"
#include "base/text.h"
#include "db/grants.h"
#include "db/journal.h"
#include "db/pg.h"
#include "mail/helo.h"
#include "server/config_in.h"
#include "server/edge/listen.h"
#include "server/edge/proxies.h"
#include "server/keys/passkey_site.h"
#include "server/outbound/push.h"

static bool fail(char *error, const char *what)
{
    (void)snprintf(error, SRV_ERROR_MAX, "%s", what);
    return false;
}

static bool check_helo(const struct srv_config *config, char *error)
{
    if (config->smtp_helo[0] == '\0' || mail_helo_ok(config->smtp_helo))
        return true;
    (void)snprintf(error, SRV_ERROR_MAX,
                   "smtp_helo: \"%.100s\" must be a fully qualified domain name (mail.example) or an "
                   "address in brackets ([192.0.2.1], [IPv6:2001:db8::1])",
                   config->smtp_helo);
    return false;
}

static bool check_mail(struct srv_config *config, char *error)
{
    bool server = config->smtp_url[0] != '\0';
    if (config->mail_from[0] == '\0' && !server)
        (void)snprintf(config->mail_from, sizeof(config->mail_from), "noreply@localhost.localdomain");
    if (!text_email_ok(config->mail_from)) {
        (void)snprintf(error, SRV_ERROR_MAX,
                       config->mail_from[0] == '\0' ? "mail_from: missing, but smtp_url needs it"
                                                    : "mail_from: \"%.100s\" is not a valid email address",
                       config->mail_from);
        return false;
    }
    if (strlen(config->mail_name) > SRV_MAIL_NAME_MAX) {
        (void)snprintf(error, SRV_ERROR_MAX,
                       "mail_name: must have at most %d bytes and no control characters", SRV_MAIL_NAME_MAX);
        return false;
    }
    if (!server && config->smtp_user[0])
        return fail(error, "smtp_user: requires smtp_url; without it, emails are written to mail_dir");
    if (!server && config->smtp_ca_file[0])
        return fail(error, "smtp_ca_file: requires smtp_url; without it, emails are written to mail_dir");
    return true;
}

static bool check_role(const char *key, const char *name, char *error)
{
    if (db_role_name_ok(name))
        return true;
    (void)snprintf(error, SRV_ERROR_MAX, "%s: \"%.60s\" must be 1 to %d lowercase letters, digits, and _",
                   key, name, DB_ROLE_MAX);
    return false;
}

static bool check_roles(const struct srv_config *config, char *error)
{
    if (!check_role("db_server_role", config->db_server_role, error) ||
        !check_role("db_read_role", config->db_read_role, error))
        return false;
    if (strcmp(config->db_server_role, config->db_read_role) != 0)
        return true;
    (void)snprintf(
        error, SRV_ERROR_MAX,
        "db_read_role: \"%.60s\" cannot be both the server's and the readers' role; name two roles",
        config->db_read_role);
    return false;
}

/* A name must consist of letters, digits, dots, dashes, and _ and begin with a letter or a digit, because
 * it becomes part of addresses, tokens, and log lines. */
static bool check_name(const char *key, const char *name, size_t max, char *error)
{
    if (strspn(name, SETTING_LETTERS SETTING_DIGITS "._-") == strlen(name) && strlen(name) <= max &&
        !strchr("._-", name[0]))
        return true;
    (void)snprintf(error, SRV_ERROR_MAX,
                   "%s: at most %zu letters, digits, dots, dashes and _, beginning with a letter or a digit "
                   "(got \"%.80s\")",
                   key, max, name);
    return false;
}

static bool check_listening(const struct srv_config *config, char *error)
{
    const char *const addrs[][2] = {{"http_addr", config->http_addr}, {"ws_addr", config->ws_addr}};
    for (size_t i = 0; i < ARRAY_LEN(addrs); i++)
        if (!srv_listen_addr_ok(addrs[i][1])) {
            (void)snprintf(error, SRV_ERROR_MAX,
                           "%s: must be a numeric address, such as 127.0.0.1 for this machine, or 0.0.0.0 "
                           "or :: for all of its addresses (got \"%.60s\")",
                           addrs[i][0], addrs[i][1]);
            return false;
        }
    struct srv_proxies proxies;
    if (!srv_proxies_read(&proxies, config->proxies, error, SRV_ERROR_MAX))
        return false;
    if (strcmp(config->http_addr, config->ws_addr) == 0 && config->http_port == config->ws_port)
        return fail(error, "ws_port: must differ from http_port");
    return true;
}

static bool check_databases(const struct srv_config *config, char *error)
{
    const char *const urls[][2] = {{"db", config->db}, {"db_read", config->db_read}};
    for (size_t i = 0; i < ARRAY_LEN(urls); i++) {
        const char *fault = urls[i][1][0] ? db_conninfo_fault(urls[i][1]) : NULL;
        if (fault) {
            (void)snprintf(error, SRV_ERROR_MAX, "%s: %s", urls[i][0], fault);
            return false;
        }
    }
    return true;
}

static bool check_log_level(const struct srv_config *config, char *error)
{
    static const char *const levels[] = {"debug", "info", "warn", "error"};
    for (size_t i = 0; i < ARRAY_LEN(levels); i++)
        if (strcmp(config->log_level, levels[i]) == 0)
            return true;
    (void)snprintf(error, SRV_ERROR_MAX, "log_level: must be debug, info, warn or error, not \"%.60s\"",
                   config->log_level);
    return false;
}

static bool check_dev(const struct srv_config *config, char *error)
{
    if (!config->journal && !config->dev)
        return fail(error, "journal: can be off only with --dev");
    if (config->dev_seed[0] != '\0' && !config->dev)
        return fail(error, "dev_seed: possible only with --dev, because anyone can predict its deals");
    return true;
}

bool srv_config_check(struct srv_config *config, char error[SRV_ERROR_MAX])
{
    return check_log_level(config, error) && check_listening(config, error) &&
           check_name("node", config->node, DB_NODE_NAME_MAX, error) &&
           check_name("jwt_kid", config->jwt_kid, API_TOKEN_KID_MAX - 1, error) &&
           check_name("jwt_old_kid", config->jwt_old_kid, API_TOKEN_KID_MAX - 1, error) &&
           check_dev(config, error) && check_roles(config, error) && check_databases(config, error) &&
           srv_config_check_urls(config, error) && srv_config_is_secure(config, error) &&
           check_helo(config, error) && srv_push_settings_ok(config, error) && check_mail(config, error) &&
           srv_passkey_site(config, &(struct api_webauthn_site){0}, error);
}
