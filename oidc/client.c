/* Requests to the provider of a sign-in, and cached responses; see oidc.h. Runs on workers. */
#include "oidc/oidc.h"

#include "base/bug.h"
#include "base/clock.h"
#include "base/text.h"
#include "net/read.h"
#include "oidc/answers.h"

#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRESH_MS = 3600 * 1000,     /* a response younger than this is not refreshed */
    KEPT_MS = 24 * 3600 * 1000, /* an older one is used for up to this age if it cannot be refreshed */
    PAUSE_MS = 5000, /* between attempts to refresh, and between refreshes because of an unknown key */
    FORM_MAX = 16 * 1024,
    ENCODED_MAX = 3 * (OIDC_SECRET_MAX > OIDC_CLIENT_MAX ? (int)OIDC_SECRET_MAX : (int)OIDC_CLIENT_MAX),
};

/* Monotonic times of requests; 0: never. */
struct times {
    int64_t had_ms, tried_ms;
    int64_t pause_ms; /* pause before the next attempt, as requested by the provider; 0: PAUSE_MS */
};

struct cache {
    pthread_mutex_t lock; /* held during requests to its provider, so that one request serves all */
    struct oidc_endpoints endpoints;
    struct oidc_keys *keys;
    struct times endpoints_at, keys_at;
    int64_t unknown_ms; /* when an unknown key last caused a refresh */
};

struct oidc_caches {
    struct cache of[OIDC_PROVIDERS_MAX];
};

bool oidc_start(struct oidc_client *oidc)
{
    ASSERT(!oidc->caches);
    oidc->caches = calloc(1, sizeof(*oidc->caches));
    for (size_t i = 0; oidc->caches && i < OIDC_PROVIDERS_MAX; i++)
        (void)pthread_mutex_init(&oidc->caches->of[i].lock, NULL);
    return oidc->caches != NULL;
}

void oidc_free(struct oidc_client *oidc)
{
    for (size_t i = 0; oidc->caches && i < OIDC_PROVIDERS_MAX; i++) {
        oidc_keys_free(oidc->caches->of[i].keys);
        (void)pthread_mutex_destroy(&oidc->caches->of[i].lock);
    }
    free(oidc->caches);
    oidc->caches = NULL;
    sodium_memzero(oidc->provider, sizeof(oidc->provider));
}

static struct cache *cache_of(const struct oidc_client *oidc, const struct oidc_provider *provider)
{
    size_t i = (size_t)(provider - oidc->provider);
    ASSERT(oidc->caches && i < oidc->providers_n);
    return &oidc->caches->of[i];
}

/* --- requests --- */

/* Fetches a URL. false: the status is not 200; why describes the response. The caller frees *answer. */
static bool get(const struct oidc_client *oidc, const char *url, struct times *times,
                struct net_fetched *answer, char why[OIDC_WHY_MAX])
{
    const struct net_fetch fetch = {.url = url, .once = true};
    (void)net_fetch_run(&oidc->net, &fetch, answer);
    times->pause_ms = 0;
    if (answer->status == 200)
        return true;
    if (answer->status == 0)
        (void)snprintf(why, OIDC_WHY_MAX, "%s", answer->why);
    else
        (void)snprintf(why, OIDC_WHY_MAX, "status %ld", answer->status);
    times->pause_ms = answer->retry_s * 1000;
    return false;
}

static bool fetch_endpoints(const struct oidc_client *oidc, const struct oidc_provider *provider,
                            struct cache *cache, char why[OIDC_WHY_MAX])
{
    static const char path[] = "/.well-known/openid-configuration";
    char url[OIDC_URL_MAX + sizeof(path)];
    struct oidc_endpoints fresh;
    struct net_fetched answer;
    size_t len = strlen(provider->issuer);
    if (len > 0 && provider->issuer[len - 1] == '/')
        len--;
    (void)snprintf(url, sizeof(url), "%.*s%s", (int)len, provider->issuer, path);
    bool ok = get(oidc, url, &cache->endpoints_at, &answer, why) &&
              oidc_discovery_read(oidc, provider, answer.body, answer.len, &fresh, why);
    if (ok)
        cache->endpoints = fresh;
    net_fetch_free(&answer);
    return ok;
}

static bool fetch_keys(const struct oidc_client *oidc, const struct oidc_provider *provider,
                       struct cache *cache, char why[OIDC_WHY_MAX])
{
    (void)provider;
    struct net_fetched answer;
    struct oidc_keys *fresh = NULL;
    if (get(oidc, cache->endpoints.keys, &cache->keys_at, &answer, why))
        fresh = oidc_keys_read(answer.body, answer.len, why);
    if (fresh) {
        oidc_keys_free(cache->keys);
        cache->keys = fresh;
    }
    net_fetch_free(&answer);
    return fresh != NULL;
}

static bool lately(int64_t at_ms, int64_t now_ms, int64_t within_ms)
{
    return at_ms != 0 && now_ms - at_ms < within_ms;
}

/* Ensures a document that is not older than KEPT_MS, and refreshes it if due. Called with the lock held. */
static bool have(const struct oidc_client *oidc, const struct oidc_provider *provider, struct cache *cache,
                 struct times *at,
                 bool (*fetch)(const struct oidc_client *, const struct oidc_provider *, struct cache *,
                               char *),
                 bool anew, char why[OIDC_WHY_MAX])
{
    int64_t now = clock_mono_ms();
    if (lately(at->had_ms, now, FRESH_MS) && !anew)
        return true;
    int64_t pause = at->pause_ms > PAUSE_MS ? at->pause_ms : PAUSE_MS;
    if ((anew && at->pause_ms == 0) || !lately(at->tried_ms, now, pause)) {
        at->tried_ms = now;
        if (fetch(oidc, provider, cache, why)) {
            at->had_ms = now;
            return true;
        }
    } else {
        (void)snprintf(why, OIDC_WHY_MAX, "it did not respond a moment ago");
    }
    return lately(at->had_ms, now, KEPT_MS);
}

static bool have_endpoints(const struct oidc_client *oidc, const struct oidc_provider *provider,
                           struct oidc_endpoints *out, char why[OIDC_WHY_MAX])
{
    struct cache *cache = cache_of(oidc, provider);
    (void)pthread_mutex_lock(&cache->lock);
    bool ok = have(oidc, provider, cache, &cache->endpoints_at, fetch_endpoints, false, why);
    *out = cache->endpoints;
    (void)pthread_mutex_unlock(&cache->lock);
    return ok;
}

/* --- to the provider --- */

/* The hash of the verifier (RFC 7636). */
static void challenge(const char *verifier, char out[44])
{
    uint8_t hash[crypto_hash_sha256_BYTES];
    (void)crypto_hash_sha256(hash, (const unsigned char *)verifier, strlen(verifier));
    text_b64url(out, hash, sizeof(hash));
}

enum oidc_outcome oidc_authorize(const struct oidc_client *oidc, const struct oidc_provider *provider,
                                 const struct oidc_sent *sent, char url[OIDC_AUTHORIZE_MAX],
                                 char why[OIDC_WHY_MAX])
{
    struct oidc_endpoints endpoints;
    char memory[OIDC_AUTHORIZE_MAX - OIDC_URL_MAX - 1], hash[44];
    struct buf query = buf_on(memory, sizeof(memory) - 1);
    if (!have_endpoints(oidc, provider, &endpoints, why))
        return OIDC_UNAVAILABLE;
    challenge(sent->verifier, hash);
    net_fetch_form(&query, "response_type", "code");
    net_fetch_form(&query, "client_id", provider->client_id);
    net_fetch_form(&query, "redirect_uri", sent->redirect_uri);
    net_fetch_form(&query, "scope", provider->scopes);
    net_fetch_form(&query, "state", sent->state);
    net_fetch_form(&query, "nonce", sent->nonce);
    net_fetch_form(&query, "code_challenge", hash);
    net_fetch_form(&query, "code_challenge_method", "S256");
    ASSERT(!query.full); /* each part has a limit */
    memory[query.len] = '\0';
    (void)snprintf(url, OIDC_AUTHORIZE_MAX, "%s%c%s", endpoints.authorize,
                   strchr(endpoints.authorize, '?') ? '&' : '?', memory);
    return OIDC_OK;
}

/* --- back from the provider --- */

/* Handles an error response instead of a token. The error code counts more than the status: only an invalid
 * grant is the user's fault, but not an unknown client, a disallowed request, or a proxy's error page. */
static enum oidc_outcome read_error(const struct net_fetched *answer, const json_t *root,
                                    char why[OIDC_WHY_MAX])
{
    char error_code[60];
    net_read_text(root, "error", error_code, sizeof(error_code));
    (void)snprintf(why, OIDC_WHY_MAX, "token: status %ld %s", answer->status,
                   net_read_printed(error_code) ? error_code : "the response has no id_token");
    return strcmp(error_code, "invalid_grant") == 0 && answer->status < 500 ? OIDC_REFUSED : OIDC_UNAVAILABLE;
}

static enum oidc_outcome read_token(const struct net_fetched *answer, char token[OIDC_TOKEN_MAX],
                                    char why[OIDC_WHY_MAX])
{
    token[0] = '\0';
    if (answer->status == 0) {
        (void)snprintf(why, OIDC_WHY_MAX, "token: %.140s", answer->why);
        return OIDC_UNAVAILABLE;
    }
    json_t *root = net_read_object(answer->body, answer->len);
    if (answer->status >= 200 && answer->status < 300)
        net_read_text(root, "id_token", token, OIDC_TOKEN_MAX);
    enum oidc_outcome outcome = token[0] ? OIDC_OK : read_error(answer, root, why);
    json_decref(root);
    return outcome;
}

/* Form-encodes the client id and secret for Authorization (RFC 6749, 2.3.1). */
static void encode(const char *text, char out[ENCODED_MAX])
{
    struct buf encoded = buf_on(out, ENCODED_MAX - 1);
    net_fetch_encode(&encoded, text);
    ASSERT(!encoded.full);
    out[encoded.len] = '\0';
}

static enum oidc_outcome fetch_token(const struct oidc_client *oidc, const struct oidc_provider *provider,
                                     const struct oidc_endpoints *endpoints, const struct oidc_sent *sent,
                                     const char *code, char token[OIDC_TOKEN_MAX], char why[OIDC_WHY_MAX])
{
    char memory[FORM_MAX], user[ENCODED_MAX], password[ENCODED_MAX];
    struct buf form = buf_on(memory, sizeof(memory) - 1);
    bool secret = provider->secret[0] != '\0', in_form = !secret || endpoints->secret_in_form;
    net_fetch_form(&form, "grant_type", "authorization_code");
    net_fetch_form(&form, "code", code);
    net_fetch_form(&form, "redirect_uri", sent->redirect_uri);
    net_fetch_form(&form, "code_verifier", sent->verifier);
    if (in_form)
        net_fetch_form(&form, "client_id", provider->client_id);
    if (in_form && secret)
        net_fetch_form(&form, "client_secret", provider->secret);
    ASSERT(!form.full);
    memory[form.len] = '\0';
    struct net_fetch fetch = {.url = endpoints->token, .form = memory, .once = true};
    if (!in_form) {
        encode(provider->client_id, user);
        encode(provider->secret, password);
        fetch.user = user;
        fetch.password = password;
    }
    struct net_fetched answer;
    (void)net_fetch_run(&oidc->net, &fetch, &answer);
    enum oidc_outcome outcome = read_token(&answer, token, why);
    net_fetch_free(&answer);
    sodium_memzero(memory, sizeof(memory));
    sodium_memzero(password, sizeof(password));
    return outcome;
}

/* Checks the token. An unknown key may be a new one, so the set is then refreshed, at most once per
 * PAUSE_MS. */
static enum oidc_outcome check_token(const struct oidc_client *oidc, const struct oidc_provider *provider,
                                     const char *nonce, const char *token, struct oidc_person *person,
                                     char why[OIDC_WHY_MAX])
{
    struct cache *cache = cache_of(oidc, provider);
    const struct oidc_expected expected = {provider->issuer, provider->client_id, nonce,
                                           clock_unix_ms() / 1000};
    enum oidc_outcome outcome = OIDC_UNAVAILABLE;
    (void)pthread_mutex_lock(&cache->lock);
    if (have(oidc, provider, cache, &cache->keys_at, fetch_keys, false, why)) {
        enum oidc_token_result result = oidc_token_check(cache->keys, &expected, token, person, why);
        int64_t now = clock_mono_ms();
        if (result == OIDC_TOKEN_KEY_UNKNOWN && !lately(cache->unknown_ms, now, PAUSE_MS)) {
            cache->unknown_ms = now;
            char ignored[OIDC_WHY_MAX];
            if (have(oidc, provider, cache, &cache->keys_at, fetch_keys, true, ignored))
                result = oidc_token_check(cache->keys, &expected, token, person, why);
        }
        outcome = result == OIDC_TOKEN_OK ? OIDC_OK : OIDC_REFUSED;
    }
    (void)pthread_mutex_unlock(&cache->lock);
    return outcome;
}

enum oidc_outcome oidc_finish(const struct oidc_client *oidc, const struct oidc_provider *provider,
                              const struct oidc_sent *sent, const struct oidc_back *back,
                              struct oidc_person *person, char why[OIDC_WHY_MAX])
{
    struct oidc_endpoints endpoints;
    char token[OIDC_TOKEN_MAX];
    *person = (struct oidc_person){0};
    if (!have_endpoints(oidc, provider, &endpoints, why))
        return OIDC_UNAVAILABLE;
    /* The response must come from the provider that the user was sent to. */
    if (back->iss ? strcmp(back->iss, provider->issuer) != 0 : endpoints.names_itself) {
        (void)snprintf(why, OIDC_WHY_MAX, "the response comes from another issuer");
        return OIDC_REFUSED;
    }
    enum oidc_outcome outcome = fetch_token(oidc, provider, &endpoints, sent, back->code, token, why);
    if (outcome == OIDC_OK)
        outcome = check_token(oidc, provider, sent->nonce, token, person, why);
    sodium_memzero(token, sizeof(token));
    return outcome;
}
