/* Web Push (RFC 8030, 8291, 8292); see push_in.h. */
#include "server/outbound/push_in.h"

#include "base/clock.h"
#include "base/setting.h"
#include "server/edge/url.h"

#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct own {
    EVP_PKEY *key;
    char public_key[NET_WEBPUSH_KEY_MAX];
};

static bool fail(char *error, const char *what)
{
    (void)snprintf(error, SRV_ERROR_MAX, "%s", what);
    return false;
}

/* Whether the list contains valid hosts of push services; a leading dot matches all subdomains. */
static bool are_hosts(const char *at, char *error)
{
    for (at += strspn(at, ", "); *at; at += strspn(at, ", ")) {
        char host[SRV_TEXT_MAX];
        size_t len = strcspn(at, ", ");
        (void)snprintf(host, sizeof(host), "%.*s", (int)len, at);
        if (host[strspn(host, SETTING_LOWER SETTING_DIGITS ".-")] || !srv_host_ok(host + (host[0] == '.'))) {
            (void)snprintf(error, SRV_ERROR_MAX,
                           "push_hosts: must list host names in lowercase, without https://, port, and path "
                           "(got \"%.100s\")",
                           host);
            return false;
        }
        at += len;
    }
    return true;
}

static bool settings_ok(const struct srv_config *config, char error[SRV_ERROR_MAX])
{
    bool on = config->vapid_key_file[0] != '\0';
    if (!are_hosts(config->push_hosts, error))
        return false;
    if (on && config->push_hosts[0] == '\0')
        return fail(error, "push_hosts: an empty list disables web push for all browsers; omit the key for "
                           "the usual ones");
    if (on && config->mail_from[0] == '\0' && config->smtp_url[0] == '\0' && !config->dev)
        return fail(error,
                    "vapid_key_file: web push requires an address at which push services can reach you; set "
                    "mail_from");
    return true;
}

static bool load(const struct srv_config *config, void **own, char error[SRV_ERROR_MAX])
{
    if (!config->vapid_key_file[0])
        return true;
    struct own *web = *own = calloc(1, sizeof(*web));
    (void)fail(error, "vapid_key_file: out of memory");
    if (!web || !(web->key = srv_push_key_read("vapid_key_file", config->vapid_key_file, error)))
        return false;
    (void)fail(error, "vapid_key_file: out of memory");
    return net_webpush_key_public(web->key, web->public_key);
}

static void unload(void *own)
{
    struct own *web = own;
    EVP_PKEY_free(web->key);
    free(web);
}

const char *srv_push_web_public(const void *own)
{
    const struct own *web = own;
    return web->public_key;
}

/* Reads the device's keys: a list of two hexadecimal strings. */
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

static void write_message(struct buf *out, const struct srv_push_message *m)
{
    json_open(out, '{');
    json_kv_text(out, "kind", m->kind);
    json_kv_text(out, "title", m->title);
    json_kv_text(out, "body", m->body);
    json_key(out, "data");
    json_raw(out, m->data);
    json_close(out, '}');
}

static bool send_message(const struct srv_config *config, void *own, struct net_outbound *net,
                         const struct srv_push_message *m, const char **why)
{
    const struct own *web = own;
    char plain[PUSH_TEXT_MAX], contact[SRV_TEXT_MAX + 8], proof[NET_WEBPUSH_PROOF_MAX], ttl[48], topic[64];
    uint8_t point[NET_WEBPUSH_POINT], auth[NET_WEBPUSH_AUTH], sealed[NET_WEBPUSH_MAX];
    struct buf text = buf_on(plain, sizeof(plain));
    write_message(&text, m);
    *why = "its keys are invalid, or it is too long";
    size_t len = !text.full && read_keys(m->keys, point, auth)
                     ? net_webpush_encrypt(point, auth, text.data, text.len, sealed)
                     : 0;
    (void)snprintf(contact, sizeof(contact), "mailto:%s", config->mail_from);
    if (len == 0 || !net_webpush_proof(web->key, m->address, contact, clock_unix_ms() / 1000, proof))
        return false;
    (void)snprintf(ttl, sizeof(ttl), "TTL: %lld", (long long)m->ttl_s);
    (void)snprintf(topic, sizeof(topic), "Topic: %.32s", m->topic);
    const char *const headers[] = {"Content-Type: application/octet-stream",
                                   "Content-Encoding: aes128gcm",
                                   m->urgent ? "Urgency: normal" : "Urgency: low",
                                   proof,
                                   ttl,
                                   topic,
                                   NULL};
    const struct net_outbound_post post = {.tag = m->tag,
                                           .url = m->address,
                                           .headers = headers,
                                           .body = (const char *)sealed,
                                           .len = len,
                                           .private_ok = config->dev};
    *why = "out of memory";
    return net_outbound_send(net, &post);
}

/* RFC 8030, 7.3. */
static bool is_gone(const struct net_outbound_answer *answer)
{
    return answer->status == 404 || answer->status == 410;
}

const struct srv_push_service srv_push_web = {
    .kind = "webpush",
    .settings_ok = settings_ok,
    .load = load,
    .free = unload,
    .send = send_message,
    .is_gone = is_gone,
};
