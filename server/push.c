/* Messages of web push; see push.h. */
#include "server/push.h"

#include "base/buf.h"
#include "base/bug.h"
#include "base/clock.h"
#include "db/pg.h"
#include "mail/template.h"

#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

EVP_PKEY *srv_push_key(const struct srv_config *config, char error[SRV_ERROR_MAX])
{
    size_t len;
    error[0] = '\0';
    if (!config->vapid_key_file[0] ||
        !srv_secret_private("vapid_key_file", config->vapid_key_file, config->dev, error))
        return NULL;
    char *pem = srv_file_read("vapid_key_file", config->vapid_key_file, &len, error);
    if (!pem)
        return NULL;
    EVP_PKEY *key = net_webpush_key_read(pem, len);
    sodium_memzero(pem, len);
    free(pem);
    if (!key)
        (void)snprintf(error, SRV_ERROR_MAX, "vapid_key_file: this is no private key on P-256");
    return key;
}

/* The column's bytes, a list of two texts in hexadecimal. */
static bool read_keys(const char *text, uint8_t point[NET_WEBPUSH_POINT], uint8_t auth[NET_WEBPUSH_AUTH])
{
    json_t *list = json_loads(text, 0, NULL);
    const char *hex[] = {json_string_value(json_array_get(list, 0)),
                         json_string_value(json_array_get(list, 1))};
    size_t point_len = 0, auth_len = 0;
    bool ok = hex[0] && hex[1] &&
              sodium_hex2bin(point, NET_WEBPUSH_POINT, hex[0], strlen(hex[0]), NULL, &point_len, NULL) == 0 &&
              sodium_hex2bin(auth, NET_WEBPUSH_AUTH, hex[1], strlen(hex[1]), NULL, &auth_len, NULL) == 0 &&
              point_len == NET_WEBPUSH_POINT && auth_len == NET_WEBPUSH_AUTH;
    json_decref(list);
    return ok;
}

/* What the device shows: a kind, a title, a text, and the data they were made of. */
static bool write_message(const struct srv_config *config, const PGresult *rows, int row, struct buf *out,
                          const char **why)
{
    static struct mail_text text; /* of this thread alone */
    static char said[MAIL_WHY_MAX];
    char name[64];
    const char *kind = db_text(rows, row, db_col(rows, "event")),
               *data = db_text(rows, row, db_col(rows, "body"));
    (void)snprintf(name, sizeof(name), "push_%s", kind);
    json_t *values = json_loads(data, 0, NULL);
    bool ok = mail_template_fill(&text, db_text(rows, row, db_col(rows, "language")), name,
                                 config->public_url, values, said);
    json_decref(values);
    *why = said;
    if (!ok)
        return false;
    text.body[strcspn(text.body, "\n")] = '\0';
    json_open(out, '{');
    json_kv_text(out, "kind", kind);
    json_kv_text(out, "title", text.subject);
    json_kv_text(out, "body", text.body);
    json_key(out, "data");
    json_raw(out, data);
    json_close(out, '}');
    *why = "it is too long";
    return !out->full;
}

bool srv_push_send(const struct srv_config *config, EVP_PKEY *key, struct net_outward *net,
                   const PGresult *rows, int row, int64_t tag, const char **why)
{
    char plain[NET_WEBPUSH_PLAIN_MAX], contact[SRV_TEXT_MAX + 8], proof[NET_WEBPUSH_PROOF_MAX], ttl[48],
        topic[64];
    uint8_t point[NET_WEBPUSH_POINT], auth[NET_WEBPUSH_AUTH], sealed[NET_WEBPUSH_MAX];
    const char *url = db_text(rows, row, db_col(rows, "url"));
    bool urgent = strcmp(db_text(rows, row, db_col(rows, "event")), "friend") == 0;
    struct buf message = buf_on(plain, sizeof(plain));
    *why = "web push is not set up";
    if (!key || !write_message(config, rows, row, &message, why))
        return false;
    *why = "its keys are none";
    size_t len = read_keys(db_text(rows, row, db_col(rows, "secrets")), point, auth)
                     ? net_webpush_encrypt(point, auth, message.data, message.len, sealed)
                     : 0;
    (void)snprintf(contact, sizeof(contact), "mailto:%s", config->mail_from);
    if (len == 0 || !net_webpush_proof(key, url, contact, clock_unix_ms() / 1000, proof))
        return false;
    (void)snprintf(ttl, sizeof(ttl), "TTL: %lld", (long long)db_i64(rows, row, db_col(rows, "ttl_s")));
    (void)snprintf(topic, sizeof(topic), "Topic: %.32s", db_text(rows, row, db_col(rows, "topic")));
    const char *const headers[] = {"Content-Type: application/octet-stream",
                                   "Content-Encoding: aes128gcm",
                                   urgent ? "Urgency: normal" : "Urgency: low",
                                   proof,
                                   ttl,
                                   topic,
                                   NULL};
    const struct net_outward_post post = {.tag = tag,
                                          .url = url,
                                          .headers = headers,
                                          .body = (const char *)sealed,
                                          .len = len,
                                          .private_ok = config->dev};
    *why = "out of memory";
    return net_outward_send(net, &post);
}
