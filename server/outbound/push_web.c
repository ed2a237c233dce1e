/* Web Push (RFC 8030, 8291, 8292); see push_in.h. */
#include "server/outbound/push_in.h"

#include "base/clock.h"

#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

/* The device's keys: two hexadecimal texts in a list. */
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

bool srv_push_send_web(struct srv_push *push, struct net_outward *net, const struct srv_push_message *m,
                       const char **why)
{
    char plain[PUSH_TEXT_MAX], contact[SRV_TEXT_MAX + 8], proof[NET_WEBPUSH_PROOF_MAX], ttl[48], topic[64];
    uint8_t point[NET_WEBPUSH_POINT], auth[NET_WEBPUSH_AUTH], sealed[NET_WEBPUSH_MAX];
    struct buf text = buf_on(plain, sizeof(plain));
    write_message(&text, m);
    *why = "its keys are invalid, or it is too long";
    size_t len = !text.full && read_keys(m->keys, point, auth)
                     ? net_webpush_encrypt(point, auth, text.data, text.len, sealed)
                     : 0;
    (void)snprintf(contact, sizeof(contact), "mailto:%s", push->config->mail_from);
    if (len == 0 || !net_webpush_proof(push->web, m->address, contact, clock_unix_ms() / 1000, proof))
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
    const struct net_outward_post post = {.tag = m->tag,
                                          .url = m->address,
                                          .headers = headers,
                                          .body = (const char *)sealed,
                                          .len = len,
                                          .private_ok = push->config->dev};
    *why = "out of memory";
    return net_outward_send(net, &post);
}
