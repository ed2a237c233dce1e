/* Apple Push Notification service, over HTTP/2 with our own token; see push_in.h. */
#include "server/outbound/push_in.h"

#include "base/bug.h"
#include "base/clock.h"
#include "base/setting.h"
#include "net/jws.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOKEN_S 2400 /* Apple requires a new token at least every 60 minutes and at most every 20 minutes */
#define ID_LEN 10

struct own {
    EVP_PKEY *key;
    char token[PUSH_TOKEN_MAX]; /* empty: not made yet */
    int64_t until_s;
};

static bool is_id(const char *setting, const char *id, char *error)
{
    static const char must[] = "10 letters and digits";
    return id[0] == '\0' || (strlen(id) < ID_LEN ? setting_refuse(setting, must, id, error)
                                                 : setting_of(setting, id, SETTING_LETTERS SETTING_DIGITS,
                                                              ID_LEN, must, error));
}

static bool settings_ok(const struct srv_config *config, char error[SRV_ERROR_MAX])
{
    return is_id("apns_key_id", config->apns_key_id, error) &&
           is_id("apns_team_id", config->apns_team_id, error) &&
           setting_of("apns_topic", config->apns_topic, SETTING_LETTERS SETTING_DIGITS ".-", SIZE_MAX,
                      "letters, digits, dots and dashes", error);
}

static bool load(const struct srv_config *config, void **own, char error[SRV_ERROR_MAX])
{
    const bool set[] = {config->apns_key_file[0], config->apns_key_id[0], config->apns_team_id[0],
                        config->apns_topic[0]};
    for (size_t i = 1; i < ARRAY_LEN(set); i++)
        if (set[i] != set[0]) {
            (void)snprintf(error, SRV_ERROR_MAX,
                           "apns_key_file: set it together with apns_key_id, apns_team_id, and apns_topic, "
                           "or none of them");
            return false;
        }
    if (!set[0])
        return true;
    struct own *apple = *own = calloc(1, sizeof(*apple));
    (void)snprintf(error, SRV_ERROR_MAX, "apns_key_file: out of memory");
    return apple && (apple->key = srv_push_key_read("apns_key_file", config->apns_key_file, error));
}

static void unload(void *own)
{
    struct own *apple = own;
    EVP_PKEY_free(apple->key);
    sodium_memzero(apple, sizeof(*apple));
    free(apple);
}

static bool make_token(const struct srv_config *config, struct own *apple, int64_t now_s)
{
    char header[256], claims[256];
    struct buf head = buf_on(header, sizeof(header) - 1), said = buf_on(claims, sizeof(claims) - 1);
    if (apple->token[0] && now_s < apple->until_s)
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
    apple->until_s = now_s + TOKEN_S;
    bool ok = !head.full && !said.full &&
              net_jws_make_es256(apple->key, header, claims, apple->token, sizeof(apple->token));
    if (!ok)
        apple->token[0] = '\0';
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

static bool send_message(const struct srv_config *config, void *own, struct net_outbound *net,
                         const struct srv_push_message *m, const char **why)
{
    struct own *apple = own;
    char text[PUSH_TEXT_MAX], url[2 * SRV_TEXT_MAX], bearer[PUSH_TOKEN_MAX + 32], id[80], expires[64],
        collapse[96], topic[SRV_TEXT_MAX + 16];
    int64_t now_s = clock_unix_ms() / 1000;
    struct buf message = buf_on(text, sizeof(text));
    write_message(&message, m);
    *why = "its token cannot be made, or it is too long";
    if (message.full || !make_token(config, apple, now_s))
        return false;
    (void)snprintf(url, sizeof(url), "%s/3/device/%s", config->apns_url, m->address);
    (void)snprintf(bearer, sizeof(bearer), "authorization: bearer %s", apple->token);
    (void)snprintf(id, sizeof(id), "apns-id: %s", m->id);
    (void)snprintf(expires, sizeof(expires), "apns-expiration: %lld", (long long)now_s + m->ttl_s);
    (void)snprintf(collapse, sizeof(collapse), "apns-collapse-id: %.64s", m->topic);
    (void)snprintf(topic, sizeof(topic), "apns-topic: %s", config->apns_topic);
    const char *const headers[] = {"Content-Type: application/json",
                                   "apns-push-type: alert",
                                   m->urgent ? "apns-priority: 10" : "apns-priority: 5",
                                   bearer,
                                   id,
                                   expires,
                                   collapse,
                                   topic,
                                   NULL};
    const struct net_outbound_post post = {.tag = m->tag,
                                           .url = url,
                                           .headers = headers,
                                           .body = message.data,
                                           .len = message.len,
                                           .private_ok = config->dev,
                                           .ours = true};
    *why = "out of memory";
    return net_outbound_send(net, &post);
}

static bool is_gone(const struct net_outbound_answer *answer)
{
    return answer->status == 410 || (answer->status == 400 && strstr(answer->body, "\"BadDeviceToken\""));
}

static void drop_token(void *own)
{
    struct own *apple = own;
    apple->token[0] = '\0';
}

const struct srv_push_service srv_push_apple = {
    .kind = "apns",
    .settings_ok = settings_ok,
    .load = load,
    .free = unload,
    .send = send_message,
    .is_gone = is_gone,
    .drop_token = drop_token,
};
