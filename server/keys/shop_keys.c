/* The keys that each payment provider requires: all of them or none. Main thread. */
#include "server/keys/shop_keys.h"

#include "base/bug.h"
#include "pay/bearer.h"
#include "server/keys/secret_file.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A required setting of a provider. file_key: the key of a secret's file, read if the environment does not
 * set the secret; NULL: a plain configuration key. */
struct need {
    const char *provider; /* set in an entry that precedes a provider's settings; otherwise NULL */
    const char *key;
    char *value;
    const char *file_key, *file;
    size_t min; /* bytes */
};

/* Whether a blank at either end, or the byte order mark that some editors write, was copied along with the
 * secret. The provider would reject it. */
static bool has_stray_bytes(const char *secret)
{
    size_t len = strlen(secret);
    return len > 0 && (secret[0] == ' ' || secret[len - 1] == ' ' || strncmp(secret, "\xEF\xBB\xBF", 3) == 0);
}

static bool read_file(const struct need *need, char *error)
{
    return !need->file_key || need->value[0] || !need->file[0] ||
           srv_secret_read(need->file_key, need->file, need->value, error);
}

/* Whether all or none of a provider's n settings are present. A shop that takes money but never gets the
 * confirmations would be worse than no shop. */
static bool are_whole(const char *provider, const struct need *needs, size_t n, char *error)
{
    const struct need *missing = NULL, *short_one = NULL;
    size_t there = 0;
    for (const struct need *need = needs; need < needs + n; need++) {
        size_t len = strlen(need->value);
        if (len == 0)
            missing = missing ? missing : need;
        else if (len < need->min)
            short_one = short_one ? short_one : need;
        if (need->file_key && has_stray_bytes(need->value)) {
            (void)snprintf(error, SRV_ERROR_MAX,
                           "%s: has a space or a byte order mark at its beginning or end; remove it",
                           need->key);
            return false;
        }
        there += len > 0;
    }
    if (there > 0 && missing) {
        (void)snprintf(error, SRV_ERROR_MAX, "%s: missing, although other settings of %s are set",
                       missing->file_key ? missing->file_key : missing->key, provider);
        return false;
    }
    if (short_one) {
        (void)snprintf(error, SRV_ERROR_MAX, "%s: must have at least %d bytes; %s issues no shorter ones",
                       short_one->key, (int)short_one->min, provider);
        return false;
    }
    return true;
}

static bool fail(char *error, const char *what)
{
    (void)snprintf(error, SRV_ERROR_MAX, "%s", what);
    return false;
}

static void set_settings(const struct srv_config *config, struct pay_shop *pay)
{
    pay->public_url = config->public_url;
    pay->net.timeout_ms = config->pay_timeout_ms;
#define KEY(k, ...) pay->k = config->k;
#define TEXT_KEY KEY
#define NUMBER_KEY KEY
#define SWITCH_KEY KEY
#define SECRET_KEY KEY
#include "pay/providers.def"
#undef KEY
}

static bool are_settings_ok(const struct srv_config *config, char *error)
{
    const struct pay_provider *provider;
    struct pay_shop pay = {0};
    char why[PAY_WHY_MAX];
    set_settings(config, &pay);
    for (size_t i = 0; (provider = pay_provider_at(i)); i++)
        if (provider->settings_ok && !provider->settings_ok(&pay, why))
            return fail(error, why);
    return true;
}

bool srv_shop_keys_find(struct srv_config *config, char error[SRV_ERROR_MAX])
{
    const struct need needs[] = {
#define PROVIDER(id, name) {.provider = (name)},
#define NEEDED_KEY(k, ...) {.key = #k, .value = config->k, .min = 1},
#define SECRET_KEY(k, length_min, meaning)                                                                   \
    {.key = #k, .value = config->k, .file_key = #k "_file", .file = config->k##_file, .min = (length_min)},
#include "pay/providers.def"
    };
    for (size_t i = 0, n; i < ARRAY_LEN(needs); i += n + 1) {
        const struct need *first = &needs[i + 1];
        for (n = 0; i + 1 + n < ARRAY_LEN(needs) && !first[n].provider; n++)
            if (!read_file(&first[n], error))
                return false;
        if (!are_whole(needs[i].provider, first, n, error))
            return false;
    }
    return are_settings_ok(config, error);
}

static bool load_file(const struct pay_provider *provider, const char *path, void **own, char *error)
{
    size_t len;
    char why[PAY_WHY_MAX];
    char *bytes = srv_file_read(provider->file_key, path, &len, error);
    if (!bytes)
        return false;
    *own = provider->load(bytes, len, why);
    sodium_memzero(bytes, len);
    free(bytes);
    return *own || fail(error, why);
}

bool srv_shop_load(const struct srv_config *config, struct pay_shop *pay, char error[SRV_ERROR_MAX])
{
    set_settings(config, pay);
    pay->bearers = pay_bearers_new();
    if (!pay->bearers)
        return fail(error, "shop: out of memory");
    for (size_t i = 0; i < PAY_PROVIDERS_N; i++) {
        const struct pay_provider *provider = pay_provider_at(i);
        const char *path = provider->file_key ? srv_config_text(config, provider->file_key) : "";
        if (path[0] && !load_file(provider, path, &pay->own[i], error))
            return false;
    }
    return true;
}

void srv_shop_unload(struct pay_shop *pay)
{
    pay_bearers_free(pay->bearers);
    for (size_t i = 0; i < PAY_PROVIDERS_N; i++)
        if (pay->own[i])
            pay_provider_at(i)->free(pay->own[i]);
}
