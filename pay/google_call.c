/* Requests to the Google Play Developer API; see google_call.h. */
#include "pay/google_call.h"

#include "base/buf.h"
#include "base/clock.h"
#include "net/fetch.h"
#include "net/google_account.h"
#include "net/read.h"
#include "pay/bearer.h"
#include "pay/outcome.h"
#include "pay/read.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCOPE "https://www.googleapis.com/auth/androidpublisher"

static void read_error(const struct net_fetched *answer, char why[PAY_WHY_MAX])
{
    char status[100];
    json_t *root = json_loadb(answer->body, answer->len, 0, NULL);
    const json_t *error = json_object_get(root, "error");
    net_read_text(json_is_object(error) ? error : root, json_is_object(error) ? "status" : "error", status,
                  sizeof(status));
    (void)snprintf(why, PAY_WHY_MAX, "%ld %s", answer->status, status);
    json_decref(root);
}

static enum pay_outcome new_bearer(const struct pay_shop *shop, char bearer[PAY_BEARER_MAX],
                                   char why[PAY_WHY_MAX])
{
    char memory[NET_GOOGLE_ASSERTION_MAX + 256];
    struct buf form = buf_on(memory, sizeof(memory) - 1);
    char *assertion = net_google_assertion(shop->own[PAY_INDEX_google], SCOPE, shop->google_token_url,
                                           clock_unix_ms() / 1000);
    if (!assertion) {
        (void)snprintf(why, PAY_WHY_MAX, "cannot sign as the service account");
        return PAY_AGAIN;
    }
    net_fetch_form(&form, "grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer");
    net_fetch_form(&form, "assertion", assertion);
    free(assertion);
    memory[form.len] = '\0';
    const struct net_fetch fetch = {.url = shop->google_token_url, .form = memory};
    struct net_fetched answer;
    (void)net_fetch_run(&shop->net, &fetch, &answer);
    enum pay_outcome outcome = pay_outcome_of(&answer, why);
    if (outcome != PAY_OK && answer.status != 0)
        read_error(&answer, why);
    json_t *root = outcome == PAY_OK ? net_read_object(answer.body, answer.len) : NULL;
    net_read_text(root, "access_token", bearer, PAY_BEARER_MAX);
    int64_t seconds = net_read_seconds(root, "expires_in");
    json_decref(root);
    net_fetch_free(&answer);
    if (outcome != PAY_OK) /* no matter what the cause is, an operator can fix it */
        return PAY_AGAIN;
    if (!net_read_printed(bearer)) {
        (void)snprintf(why, PAY_WHY_MAX, "the response has no access token");
        return PAY_AGAIN;
    }
    pay_bearer_keep(shop->bearers, PAY_BEARER_GOOGLE, bearer, seconds);
    return PAY_OK;
}

static void run(const struct pay_shop *shop, const char *path, bool post, const char *bearer,
                struct net_fetched *answer)
{
    char url[PAY_URL_MAX];
    (void)snprintf(url, sizeof(url), "%s%s", shop->google_url, path);
    const struct net_fetch fetch = {.url = url, .bearer = bearer, .json = post ? "" : NULL};
    (void)net_fetch_run(&shop->net, &fetch, answer);
}

enum pay_outcome pay_google_request(const struct pay_shop *shop, const char *path, bool post, json_t **root,
                                    char why[PAY_WHY_MAX])
{
    char bearer[PAY_BEARER_MAX];
    struct net_fetched answer;
    *root = NULL;
    bool kept = pay_bearer_get(shop->bearers, PAY_BEARER_GOOGLE, bearer);
    if (!kept && new_bearer(shop, bearer, why) != PAY_OK)
        return PAY_AGAIN;
    run(shop, path, post, bearer, &answer);
    if (answer.status == 401 && kept) { /* the token was revoked before it expired */
        pay_bearer_drop(shop->bearers, PAY_BEARER_GOOGLE, bearer);
        net_fetch_free(&answer);
        if (new_bearer(shop, bearer, why) != PAY_OK)
            return PAY_AGAIN;
        run(shop, path, post, bearer, &answer);
    }
    sodium_memzero(bearer, sizeof(bearer));
    enum pay_outcome outcome = pay_outcome_of(&answer, why);
    if (outcome != PAY_OK && answer.status != 0)
        read_error(&answer, why);
    if (outcome == PAY_OK && answer.len > 0) {
        *root = net_read_object(answer.body, answer.len);
        if (!*root) {
            (void)snprintf(why, PAY_WHY_MAX, "the response is not a JSON object");
            outcome = PAY_AGAIN;
        }
    }
    net_fetch_free(&answer);
    return outcome;
}
