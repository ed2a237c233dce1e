/* Token buckets in a set-associative table: each key has LIMITS_WAYS possible slots, and a new bucket
 * replaces the least recently used one, which by then is most likely full, so that no information is lost.
 * See rate_limits.h. */
#include "api/core/rate_limits.h"

#include "base/addr.h"
#include "base/bug.h"

#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMITS_SETS 16384 /* a power of two */
#define LIMITS_WAYS 4
_Static_assert((LIMITS_SETS & (LIMITS_SETS - 1)) == 0, "a key's set is some of its bits");

/* The limits of a rate class: `quota` requests within window_s, in a burst or spread out. */
static const struct rule {
    const char *name;
    int64_t quota, window_s;
} rules[API_RATES_N][2] = {
    /*                   per account            per address */
    [API_RATE_READ] = {{"account", 600, 60}, {"address", 3000, 60}},
    [API_RATE_WRITE] = {{"account_writes", 120, 60}, {"address_writes", 1200, 60}},
    [API_RATE_AUTH] = {{0}, {"address_auth", 60, 60}},
    [API_RATE_LINK] = {{0}, {"address_links", 60, 60}},
    [API_RATE_REFUSED] = {{0}, {"address_refused", 600, 60}},
};

struct bucket {
    uint64_t key;  /* 0: free */
    int64_t milli; /* thousandths of a token */
    int64_t at_ms;
};

struct api_rate_limits {
    pthread_mutex_t lock;
    unsigned char hash_key[crypto_shorthash_KEYBYTES];
    struct bucket sets[LIMITS_SETS][LIMITS_WAYS];
};

struct api_rate_limits *api_rate_limits_new(void)
{
    struct api_rate_limits *limits = calloc(1, sizeof(*limits));
    if (!limits)
        return NULL;
    if (pthread_mutex_init(&limits->lock, NULL) != 0) {
        free(limits);
        return NULL;
    }
    crypto_shorthash_keygen(limits->hash_key);
    return limits;
}

void api_rate_limits_free(struct api_rate_limits *limits)
{
    if (!limits)
        return;
    (void)pthread_mutex_destroy(&limits->lock);
    free(limits);
}

/* Finds the bucket of a subject, or creates a full one, and refills it up to now. */
static struct bucket *bucket_of(struct api_rate_limits *limits, const struct rule *rule, const char *subject,
                                int64_t now_ms)
{
    char text[128];
    uint64_t key;
    ASSERT(rule->quota > 0 && rule->window_s > 0);
    int len = snprintf(text, sizeof(text), "%s %s", rule->name, subject);
    ASSERT(len > 0 && (size_t)len < sizeof(text));
    crypto_shorthash((unsigned char *)&key, (const unsigned char *)text, (unsigned long long)len,
                     limits->hash_key);
    if (key == 0)
        key = 1;
    struct bucket *set = limits->sets[key & (LIMITS_SETS - 1)], *oldest = &set[0];
    const int64_t full = rule->quota * 1000;
    for (int i = 0; i < LIMITS_WAYS; i++) {
        struct bucket *b = &set[i];
        if (b->key == key) {
            int64_t passed_ms = now_ms > b->at_ms ? now_ms - b->at_ms : 0;
            if (passed_ms > rule->window_s * 1000)
                passed_ms = rule->window_s * 1000;
            b->milli += passed_ms * rule->quota / rule->window_s;
            if (b->milli > full)
                b->milli = full;
            ASSERT(b->milli >= 0);
            b->at_ms = now_ms;
            return b;
        }
        if (b->at_ms < oldest->at_ms)
            oldest = b;
    }
    *oldest = (struct bucket){.key = key, .milli = full, .at_ms = now_ms};
    return oldest;
}

static int64_t up(int64_t n, int64_t by)
{
    ASSERT(n >= 0 && by > 0);
    return (n + by - 1) / by;
}

static void describe(const struct rule *rule, const struct bucket *b, struct api_rate_state *state)
{
    ASSERT(b->milli >= 0 && b->milli <= rule->quota * 1000);
    int64_t full = rule->quota * 1000, a_second = full / rule->window_s;
    *state = (struct api_rate_state){
        .name = rule->name,
        .quota = rule->quota,
        .window_s = rule->window_s,
        .remaining = b->milli / 1000,
        .full_s = up(full - b->milli, a_second),
        .wait_s = b->milli >= 1000 ? 0 : up(1000 - b->milli, a_second),
    };
}

bool api_rate_limits_take(struct api_rate_limits *limits, enum api_rate rate, int64_t player_id,
                          const char *address, int64_t now_ms, struct api_rate_state *state)
{
    ASSERT(rate < API_RATES_N);
    *state = (struct api_rate_state){0};
    if (rate == API_RATE_NONE)
        return true;
    char account[24], bucket[ADDR_TEXT_MAX];
    (void)snprintf(account, sizeof(account), "%lld", (long long)player_id);
    addr_bucket_text(address, bucket);
    const char *subjects[2] = {player_id > 0 ? account : NULL, bucket};
    struct bucket *taken[2] = {NULL, NULL};
    bool ok = true;
    (void)pthread_mutex_lock(&limits->lock);
    for (int i = 0; i < 2 && ok; i++) {
        const struct rule *rule = &rules[rate][i];
        if (!rule->name || !subjects[i])
            continue;
        struct api_rate_state this;
        struct bucket *b = bucket_of(limits, rule, subjects[i], now_ms);
        ok = b->milli >= 1000;
        taken[i] = b;
        describe(rule, b, &this);
        if (!ok || !state->name || this.remaining * state->quota < state->remaining * this.quota)
            *state = this;
    }
    for (int i = 0; i < 2 && ok; i++)
        if (taken[i]) {
            taken[i]->milli -= 1000;
            ASSERT(taken[i]->milli >= 0);
        }
    (void)pthread_mutex_unlock(&limits->lock);
    if (ok && state->name)
        state->remaining--;
    return ok;
}
