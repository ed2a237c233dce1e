/* Keys of push services, the texts, and the choice of the adapter; see push.h. */
#include "server/outbound/push.h"

#include "base/bug.h"
#include "db/pg.h"
#include "mail/template.h"
#include "server/keys/secret_file.h"
#include "server/outbound/push_in.h"

#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- startup --- */

/* The contents of a secret file; NULL: it cannot be read. Wipe and free them. */
static char *read_file(const struct srv_config *config, const char *key, const char *path, size_t *len,
                       char error[SRV_ERROR_MAX])
{
    return srv_secret_private(key, path, config->dev, error) ? srv_file_read(key, path, len, error) : NULL;
}

/* Loads a P-256 private key, if one is configured. */
static bool load_key(const struct srv_config *config, const char *name, const char *path, EVP_PKEY **key,
                     char error[SRV_ERROR_MAX])
{
    size_t len;
    if (!path[0])
        return true;
    char *pem = read_file(config, name, path, &len, error);
    if (!pem)
        return false;
    *key = net_webpush_key_read(pem, len);
    sodium_memzero(pem, len);
    free(pem);
    if (!*key)
        (void)snprintf(error, SRV_ERROR_MAX, "%s: must contain a private key on P-256", name);
    return *key != NULL;
}

static bool load_google(struct srv_push *push, char error[SRV_ERROR_MAX])
{
    size_t len;
    const struct srv_config *config = push->config;
    if (!config->fcm_account_file[0])
        return true;
    char *text = read_file(config, "fcm_account_file", config->fcm_account_file, &len, error);
    if (!text)
        return false;
    push->google = net_google_account_new(text, len);
    sodium_memzero(text, len);
    free(text);
    if (push->google && net_google_project(push->google)[0])
        return true;
    (void)snprintf(error, SRV_ERROR_MAX,
                   "fcm_account_file: must contain the key of a service account with a project");
    return false;
}

static bool load(struct srv_push *push, char error[SRV_ERROR_MAX])
{
    const struct srv_config *config = push->config;
    bool apple[] = {config->apns_key_file[0], config->apns_key_id[0], config->apns_team_id[0],
                    config->apns_topic[0]};
    for (size_t i = 1; i < ARRAY_LEN(apple); i++)
        if (apple[i] != apple[0]) {
            (void)snprintf(error, SRV_ERROR_MAX,
                           "apns_key_file: set it together with apns_key_id, apns_team_id, and apns_topic, "
                           "or none of them");
            return false;
        }
    if (!load_key(config, "vapid_key_file", config->vapid_key_file, &push->web, error) ||
        !load_key(config, "apns_key_file", config->apns_key_file, &push->apple, error) ||
        !load_google(push, error))
        return false;
    (void)snprintf(push->kinds, sizeof(push->kinds), "%s%s%s", push->web ? "webpush " : "",
                   push->google ? "fcm " : "", push->apple ? "apns " : "");
    return !push->web || net_webpush_key_public(push->web, push->web_public);
}

struct srv_push *srv_push_load(const struct srv_config *config, char error[SRV_ERROR_MAX])
{
    struct srv_push *push = calloc(1, sizeof(*push));
    (void)snprintf(error, SRV_ERROR_MAX, "vapid_key_file: out of memory");
    if (!push)
        return NULL;
    push->config = config;
    if (load(push, error))
        return push;
    srv_push_free(push);
    return NULL;
}

void srv_push_free(struct srv_push *push)
{
    if (!push)
        return;
    EVP_PKEY_free(push->web);
    EVP_PKEY_free(push->apple);
    net_google_account_free(push->google);
    sodium_memzero(push, sizeof(*push));
    free(push);
}

const char *srv_push_kinds(const struct srv_push *push)
{
    return push->kinds;
}

const char *srv_push_web_key(const struct srv_push *push)
{
    return push->web_public;
}

/* --- on the outbox's thread --- */

static const char *column(const PGresult *rows, int row, const char *name)
{
    return db_text(rows, row, db_col(rows, name));
}

/* The texts of the notification's kind, in the player's language. */
static bool fill(const struct srv_push *push, struct mail_text *text, const PGresult *rows, int row,
                 char why[MAIL_WHY_MAX])
{
    char name[64];
    (void)snprintf(name, sizeof(name), "push_%s", column(rows, row, "event"));
    json_t *values = json_loads(column(rows, row, "body"), 0, NULL);
    bool ok =
        mail_template_fill(text, column(rows, row, "language"), name, push->config->public_url, values, why);
    json_decref(values);
    text->body[ok ? strcspn(text->body, "\n") : 0] = '\0';
    return ok;
}

bool srv_push_send(struct srv_push *push, struct net_outward *net, const PGresult *rows, int row, int64_t tag,
                   const char **why)
{
    static struct mail_text text; /* used by this thread only */
    static char said[MAIL_WHY_MAX];
    const char *kind = column(rows, row, "kind");
    *why = said;
    if (!fill(push, &text, rows, row, said))
        return false;
    const struct srv_push_message message = {.address = column(rows, row, "url"),
                                             .kind = column(rows, row, "event"),
                                             .title = text.subject,
                                             .body = text.body,
                                             .data = column(rows, row, "body"),
                                             .topic = column(rows, row, "topic"),
                                             .id = column(rows, row, "token"),
                                             .keys = column(rows, row, "secrets"),
                                             .ttl_s = db_i64(rows, row, db_col(rows, "ttl_s")),
                                             .tag = tag,
                                             .urgent = db_bool(rows, row, db_col(rows, "urgent"))};
    if (push->web && strcmp(kind, "webpush") == 0)
        return srv_push_send_web(push, net, &message, why);
    if (push->google && strcmp(kind, "fcm") == 0)
        return srv_push_send_google(push, net, &message, why);
    if (push->apple && strcmp(kind, "apns") == 0)
        return srv_push_send_apple(push, net, &message, why);
    *why = "its service is not set up";
    return false;
}

enum srv_push_kind srv_push_kind_of(const PGresult *rows, int row)
{
    const char *kind = column(rows, row, "kind");
    return strcmp(kind, "fcm") == 0    ? SRV_PUSH_GOOGLE
           : strcmp(kind, "apns") == 0 ? SRV_PUSH_APPLE
                                       : SRV_PUSH_WEB;
}

/* RFC 8030, 7.3; FCM's errorCode; APNs' reason. */
static bool is_gone(enum srv_push_kind kind, const struct net_outward_answer *answer)
{
    if (kind == SRV_PUSH_GOOGLE)
        return answer->status == 404 && strstr(answer->body, "\"UNREGISTERED\"");
    if (kind == SRV_PUSH_APPLE)
        return answer->status == 410 || (answer->status == 400 && strstr(answer->body, "\"BadDeviceToken\""));
    return answer->status == 404 || answer->status == 410;
}

const char *srv_push_outcome(struct srv_push *push, enum srv_push_kind kind,
                             const struct net_outward_answer *answer)
{
    if (answer->status == 401 || answer->status == 403) /* the next attempt creates a new one */
        push->apple_token[0] = push->google_token[0] = '\0';
    if (answer->status / 100 == 2)
        return "sent";
    if (is_gone(kind, answer))
        return "gone";
    return answer->forbidden || answer->status == 400 || answer->status == 413 ? "refused" : "again";
}
