/* Firebase Cloud Messaging, HTTP v1, with a service account; see push_in.h. */
#include "server/outbound/push_in.h"

#include "base/clock.h"
#include "net/fetch.h"
#include "net/read.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#define SCOPE "https://www.googleapis.com/auth/firebase.messaging"
#define PAUSE_S 30 /* after Google returned no token: deliveries to other services must not wait for it */
#define SPARE_S 60 /* a token is not used in the last seconds of its life */

/* Requests an access token if there is no valid one: once per hour, and nothing else is sent meanwhile. */
static bool take_token(struct srv_push *push, int64_t now_s)
{
    const struct srv_config *config = push->config;
    char memory[NET_GOOGLE_ASSERTION_MAX + 256];
    struct buf form = buf_on(memory, sizeof(memory) - 1);
    if (push->google_token[0] && now_s < push->google_until_s)
        return true;
    if (now_s < push->google_again_s)
        return false;
    push->google_again_s = now_s + PAUSE_S;
    char *assertion = net_google_assertion(push->google, SCOPE, config->google_token_url, now_s);
    if (!assertion)
        return false;
    net_fetch_form(&form, "grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer");
    net_fetch_form(&form, "assertion", assertion);
    free(assertion);
    memory[form.len] = '\0';
    const struct net_client client = {.timeout_ms = config->webhook_timeout_ms};
    const struct net_fetch fetch = {.url = config->google_token_url, .form = memory, .once = true};
    struct net_fetched answer;
    (void)net_fetch_run(&client, &fetch, &answer);
    json_t *root = answer.status == 200 ? net_read_object(answer.body, answer.len) : NULL;
    net_read_text(root, "access_token", push->google_token, sizeof(push->google_token));
    push->google_until_s = now_s + net_read_seconds(root, "expires_in") - SPARE_S;
    json_decref(root);
    net_fetch_free(&answer);
    sodium_memzero(memory, sizeof(memory));
    if (!net_read_printed(push->google_token))
        push->google_token[0] = '\0';
    else
        push->google_again_s = 0;
    return push->google_token[0] != '\0';
}

static void write_message(struct buf *out, const struct srv_push_message *m)
{
    char ttl[32];
    (void)snprintf(ttl, sizeof(ttl), "%llds", (long long)m->ttl_s);
    json_open(out, '{');
    json_key(out, "message");
    json_open(out, '{');
    json_kv_text(out, "token", m->address);
    json_key(out, "notification");
    json_open(out, '{');
    json_kv_text(out, "title", m->title);
    json_kv_text(out, "body", m->body);
    json_close(out, '}');
    json_key(out, "data"); /* only strings */
    json_open(out, '{');
    json_kv_text(out, "kind", m->kind);
    json_kv_text(out, "data", m->data);
    json_close(out, '}');
    json_key(out, "android");
    json_open(out, '{');
    json_kv_text(out, "collapse_key", m->topic);
    json_kv_text(out, "priority", m->urgent ? "HIGH" : "NORMAL");
    json_kv_text(out, "ttl", ttl);
    json_close(out, '}');
    json_close(out, '}');
    json_close(out, '}');
}

bool srv_push_send_google(struct srv_push *push, struct net_outward *net, const struct srv_push_message *m,
                          const char **why)
{
    char text[PUSH_TEXT_MAX], url[2 * SRV_TEXT_MAX], bearer[PUSH_TOKEN_MAX + 32];
    struct buf message = buf_on(text, sizeof(text));
    write_message(&message, m);
    *why = "there is no access token, or it is too long";
    if (message.full || !take_token(push, clock_unix_ms() / 1000))
        return false;
    (void)snprintf(url, sizeof(url), "%s/v1/projects/%s/messages:send", push->config->fcm_url,
                   net_google_project(push->google));
    (void)snprintf(bearer, sizeof(bearer), "Authorization: Bearer %s", push->google_token);
    const char *const headers[] = {"Content-Type: application/json", bearer, NULL};
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
