/* Firebase Cloud Messaging, HTTP v1, with a service account; see push_in.h. */
#include "server/outbound/push_in.h"

#include "base/clock.h"
#include "net/fetch.h"
#include "net/google_account.h"
#include "net/read.h"
#include "server/keys/secret_file.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCOPE "https://www.googleapis.com/auth/firebase.messaging"
#define PAUSE_S 30 /* after a failed token request, so that other deliveries do not wait */
#define SPARE_S 60 /* a token is not used in the last seconds before it expires */

struct own {
    struct net_google_account *account;
    char token[PUSH_TOKEN_MAX]; /* empty: not requested yet */
    int64_t until_s;
    int64_t again_s; /* no new attempt before this time */
};

static bool load(const struct srv_config *config, void **own, char error[SRV_ERROR_MAX])
{
    size_t len;
    if (!config->fcm_account_file[0])
        return true;
    struct own *google = *own = calloc(1, sizeof(*google));
    (void)snprintf(error, SRV_ERROR_MAX, "fcm_account_file: out of memory");
    char *text = google ? srv_file_read("fcm_account_file", config->fcm_account_file, &len, error) : NULL;
    if (!text)
        return false;
    google->account = net_google_account_new(text, len);
    sodium_memzero(text, len);
    free(text);
    if (google->account && net_google_project(google->account)[0])
        return true;
    (void)snprintf(error, SRV_ERROR_MAX,
                   "fcm_account_file: must contain the key of a service account with a project");
    return false;
}

static void unload(void *own)
{
    struct own *google = own;
    net_google_account_free(google->account);
    sodium_memzero(google, sizeof(*google));
    free(google);
}

/* Requests an access token if there is no valid one, about once per hour. Blocks all other deliveries
 * meanwhile. */
static bool take_token(const struct srv_config *config, struct own *google, int64_t now_s)
{
    char memory[NET_GOOGLE_ASSERTION_MAX + 256];
    struct buf form = buf_on(memory, sizeof(memory) - 1);
    if (google->token[0] && now_s < google->until_s)
        return true;
    if (now_s < google->again_s)
        return false;
    google->again_s = now_s + PAUSE_S;
    char *assertion = net_google_assertion(google->account, SCOPE, config->google_token_url, now_s);
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
    net_read_text(root, "access_token", google->token, sizeof(google->token));
    google->until_s = now_s + net_read_seconds(root, "expires_in") - SPARE_S;
    json_decref(root);
    net_fetch_free(&answer);
    sodium_memzero(memory, sizeof(memory));
    if (!net_read_printed(google->token))
        google->token[0] = '\0';
    else
        google->again_s = 0;
    return google->token[0] != '\0';
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

static bool send_message(const struct srv_config *config, void *own, struct net_outbound *net,
                         const struct srv_push_message *m, const char **why)
{
    const struct own *google = own;
    char text[PUSH_TEXT_MAX], url[2 * SRV_TEXT_MAX], bearer[PUSH_TOKEN_MAX + 32];
    struct buf message = buf_on(text, sizeof(text));
    write_message(&message, m);
    *why = "there is no access token, or it is too long";
    if (message.full || !take_token(config, own, clock_unix_ms() / 1000))
        return false;
    (void)snprintf(url, sizeof(url), "%s/v1/projects/%s/messages:send", config->fcm_url,
                   net_google_project(google->account));
    (void)snprintf(bearer, sizeof(bearer), "Authorization: Bearer %s", google->token);
    const char *const headers[] = {"Content-Type: application/json", bearer, NULL};
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
    return answer->status == 404 && strstr(answer->body, "\"UNREGISTERED\"");
}

static void drop_token(void *own)
{
    struct own *google = own;
    google->token[0] = '\0';
}

const struct srv_push_service srv_push_google = {
    .kind = "fcm",
    .load = load,
    .free = unload,
    .send = send_message,
    .is_gone = is_gone,
    .drop_token = drop_token,
};
