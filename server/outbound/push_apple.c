/* Apple Push Notification service, over HTTP/2 with our own token; see push_in.h. */
#include "server/outbound/push_in.h"

#include "base/clock.h"
#include "net/jws.h"

#include <stdio.h>

#define TOKEN_S 2400 /* Apple requires a new one within the hour, and none sooner than after 20 minutes */

static bool make_token(struct srv_push *push, int64_t now_s)
{
    const struct srv_config *config = push->config;
    char header[256], claims[256];
    struct buf head = buf_on(header, sizeof(header) - 1), said = buf_on(claims, sizeof(claims) - 1);
    if (push->apple_token[0] && now_s < push->apple_until_s)
        return true;
    json_open(&head, '{');
    json_kv_text(&head, "alg", "ES256");
    json_kv_text(&head, "kid", config->apns_key_id);
    json_close(&head, '}');
    header[head.len] = '\0';
    json_open(&said, '{');
    json_kv_text(&said, "iss", config->apns_team_id);
    json_kv_num(&said, "iat", now_s);
    json_close(&said, '}');
    claims[said.len] = '\0';
    push->apple_until_s = now_s + TOKEN_S;
    bool ok = !head.full && !said.full &&
              net_jws_make_es256(push->apple, header, claims, push->apple_token, sizeof(push->apple_token));
    if (!ok)
        push->apple_token[0] = '\0';
    return ok;
}

static void write_message(struct buf *out, const struct srv_push_message *m)
{
    json_open(out, '{');
    json_key(out, "aps");
    json_open(out, '{');
    json_key(out, "alert");
    json_open(out, '{');
    json_kv_text(out, "title", m->title);
    json_kv_text(out, "body", m->body);
    json_close(out, '}');
    json_close(out, '}');
    json_kv_text(out, "kind", m->kind);
    json_key(out, "data");
    json_raw(out, m->data);
    json_close(out, '}');
}

bool srv_push_send_apple(struct srv_push *push, struct net_outward *net, const struct srv_push_message *m,
                         const char **why)
{
    char text[PUSH_TEXT_MAX], url[2 * SRV_TEXT_MAX], bearer[PUSH_TOKEN_MAX + 32], id[80], expires[64],
        collapse[96], topic[SRV_TEXT_MAX + 16];
    int64_t now_s = clock_unix_ms() / 1000;
    struct buf message = buf_on(text, sizeof(text));
    write_message(&message, m);
    *why = "its token cannot be made, or it is too long";
    if (message.full || !make_token(push, now_s))
        return false;
    (void)snprintf(url, sizeof(url), "%s/3/device/%s", push->config->apns_url, m->address);
    (void)snprintf(bearer, sizeof(bearer), "authorization: bearer %s", push->apple_token);
    (void)snprintf(id, sizeof(id), "apns-id: %s", m->id);
    (void)snprintf(expires, sizeof(expires), "apns-expiration: %lld", (long long)now_s + m->ttl_s);
    (void)snprintf(collapse, sizeof(collapse), "apns-collapse-id: %.64s", m->topic);
    (void)snprintf(topic, sizeof(topic), "apns-topic: %s", push->config->apns_topic);
    const char *const headers[] = {"Content-Type: application/json",
                                   "apns-push-type: alert",
                                   m->urgent ? "apns-priority: 10" : "apns-priority: 5",
                                   bearer,
                                   id,
                                   expires,
                                   collapse,
                                   topic,
                                   NULL};
    const struct net_outward_post post = {.tag = m->tag,
                                          .url = url,
                                          .headers = headers,
                                          .body = message.data,
                                          .len = message.len,
                                          .private_ok = push->config->dev,
                                          .ours = true};
    *why = "out of memory";
    return net_outward_send(net, &post);
}
