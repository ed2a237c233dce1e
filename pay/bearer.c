/* Cached access tokens; see bearer.h. */
#include "pay/bearer.h"

#include "base/clock.h"

#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS_MAX 86400 /* maximum time a token is cached */

struct kept {
    char token[PAY_BEARER_MAX];
    int64_t until_ms; /* monotonic */
};

struct pay_bearers {
    pthread_mutex_t lock;
    struct kept kept[PAY_BEARERS_N];
};

struct pay_bearers *pay_bearers_new(void)
{
    struct pay_bearers *bearers = calloc(1, sizeof(*bearers));
    if (bearers && pthread_mutex_init(&bearers->lock, NULL) != 0) {
        free(bearers);
        return NULL;
    }
    return bearers;
}

void pay_bearers_free(struct pay_bearers *bearers)
{
    if (!bearers)
        return;
    (void)pthread_mutex_destroy(&bearers->lock);
    sodium_memzero(bearers, sizeof(*bearers));
    free(bearers);
}

bool pay_bearer_get(struct pay_bearers *bearers, enum pay_bearer_of of, char out[PAY_BEARER_MAX])
{
    (void)pthread_mutex_lock(&bearers->lock);
    bool there = bearers->kept[of].token[0] && clock_mono_ms() < bearers->kept[of].until_ms;
    (void)snprintf(out, PAY_BEARER_MAX, "%s", there ? bearers->kept[of].token : "");
    (void)pthread_mutex_unlock(&bearers->lock);
    return there;
}

void pay_bearer_keep(struct pay_bearers *bearers, enum pay_bearer_of of, const char *token, int64_t seconds)
{
    if (seconds > SECONDS_MAX)
        seconds = SECONDS_MAX;
    if (seconds <= PAY_BEARER_SPARE_S)
        return;
    (void)pthread_mutex_lock(&bearers->lock);
    (void)snprintf(bearers->kept[of].token, PAY_BEARER_MAX, "%s", token);
    bearers->kept[of].until_ms = clock_mono_ms() + (seconds - PAY_BEARER_SPARE_S) * 1000;
    (void)pthread_mutex_unlock(&bearers->lock);
}

void pay_bearer_drop(struct pay_bearers *bearers, enum pay_bearer_of of, const char *token)
{
    (void)pthread_mutex_lock(&bearers->lock);
    if (strcmp(bearers->kept[of].token, token) == 0)
        bearers->kept[of].token[0] = '\0';
    (void)pthread_mutex_unlock(&bearers->lock);
}
