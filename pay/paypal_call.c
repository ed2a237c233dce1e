/* Requests to PayPal's REST API; see paypal_call.h. */
#include "pay/paypal_call.h"

#include "base/bug.h"
#include "net/fetch.h"
#include "net/read.h"
#include "pay/bearer.h"
#include "pay/outcome.h"
#include "pay/read.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

/* Reads PayPal's error: its code, and a line for the log. */
static void read_error(const struct net_fetched *answer, char issue[PAY_PAYPAL_ISSUE_MAX],
                       char why[PAY_WHY_MAX])
{
    json_t *root = json_loadb(answer->body, answer->len, 0, NULL);
    const json_t *detail = json_array_get(json_object_get(root, "details"), 0);
    char id[40];
    net_read_text(detail, "issue", issue, PAY_PAYPAL_ISSUE_MAX);
    if (!issue[0])
        net_read_text(root, "name", issue, PAY_PAYPAL_ISSUE_MAX);
    net_read_text(root, "debug_id", id, sizeof(id));
    (void)snprintf(why, PAY_WHY_MAX, "%ld %s, debug id %s", answer->status, issue, id);
    json_decref(root);
}

/* Requests an access token with OAuth 2 client credentials. */
static enum pay_outcome new_bearer(const struct pay_shop *shop, char bearer[PAY_BEARER_MAX],
                                   char why[PAY_WHY_MAX])
{
    char url[PAY_URL_MAX], issue[PAY_PAYPAL_ISSUE_MAX];
    (void)snprintf(url, sizeof(url), "%s/v1/oauth2/token", shop->paypal_url);
    const struct net_fetch fetch = {.url = url,
                                    .user = shop->paypal_client_id,
                                    .password = shop->paypal_secret,
                                    .form = "grant_type=client_credentials"};
    struct net_fetched answer;
    (void)net_fetch_run(&shop->net, &fetch, &answer);
    enum pay_outcome outcome = pay_outcome_of(&answer, why);
    if (outcome != PAY_OK) { /* no matter what the cause is, an operator can fix it */
        if (answer.status != 0)
            read_error(&answer, issue, why);
        net_fetch_free(&answer);
        return PAY_AGAIN;
    }
    json_t *root = net_read_object(answer.body, answer.len);
    net_read_text(root, "access_token", bearer, PAY_BEARER_MAX);
    int64_t seconds = net_read_seconds(root, "expires_in");
    json_decref(root);
    sodium_memzero(answer.body, answer.len);
    net_fetch_free(&answer);
    if (!net_read_printed(bearer)) {
        (void)snprintf(why, PAY_WHY_MAX, "the response has no access token");
        return PAY_AGAIN;
    }
    pay_bearer_keep(shop->bearers, PAY_BEARER_PAYPAL, bearer, seconds);
    return PAY_OK;
}

static void run(const struct pay_shop *shop, const struct pay_paypal_call *call, const char *bearer,
                struct net_fetched *answer)
{
    char url[PAY_URL_MAX], id[sizeof("PayPal-Request-Id: capture-") + PAY_TOKEN_MAX + 12] = "";
    (void)snprintf(url, sizeof(url), "%s%s", shop->paypal_url, call->path);
    if (call->id)
        (void)snprintf(id, sizeof(id), "PayPal-Request-Id: %s", call->id);
    const char *const headers[] = {"Prefer: return=representation", call->id ? id : NULL, NULL};
    const struct net_fetch fetch = {.url = url, .bearer = bearer, .json = call->json, .headers = headers};
    (void)net_fetch_run(&shop->net, &fetch, answer);
}

enum pay_outcome pay_paypal_request(const struct pay_shop *shop, const struct pay_paypal_call *call,
                                    json_t **root, char issue[PAY_PAYPAL_ISSUE_MAX], char why[PAY_WHY_MAX])
{
    char bearer[PAY_BEARER_MAX];
    struct net_fetched answer;
    *root = NULL;
    issue[0] = '\0';
    bool kept = pay_bearer_get(shop->bearers, PAY_BEARER_PAYPAL, bearer);
    if (!kept && new_bearer(shop, bearer, why) != PAY_OK)
        return PAY_AGAIN;
    run(shop, call, bearer, &answer);
    if (answer.status == 401 && kept) { /* the token was revoked before it expired */
        pay_bearer_drop(shop->bearers, PAY_BEARER_PAYPAL, bearer);
        net_fetch_free(&answer);
        if (new_bearer(shop, bearer, why) != PAY_OK)
            return PAY_AGAIN;
        run(shop, call, bearer, &answer);
    }
    sodium_memzero(bearer, sizeof(bearer));
    enum pay_outcome outcome = pay_outcome_of(&answer, why);
    if (outcome == PAY_OK) {
        *root = net_read_object(answer.body, answer.len);
        if (!*root) {
            (void)snprintf(why, PAY_WHY_MAX, "the response is not a JSON object");
            outcome = PAY_AGAIN;
        }
    } else if (answer.status != 0) {
        read_error(&answer, issue, why);
    }
    net_fetch_free(&answer);
    return outcome;
}
