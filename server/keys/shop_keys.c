/* What each payment provider needs to be enabled: all of it, or nothing. Main thread. */
#include "server/keys/shop_keys.h"

#include "base/bug.h"
#include "net/google_account.h"
#include "pay/bearer.h"
#include "pay/jws.h"
#include "server/edge/url.h"
#include "server/keys/secret_file.h"

#include <ctype.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEEDS_MAX = 3, OTHERS_SECRET_MIN = 16 };

/* One setting of a provider. file_key: the file of a secret that the environment does not set; NULL: a plain
 * configuration key. */
struct need {
    const char *key;
    char *value;
    const char *file_key, *file;
    size_t min; /* bytes */
};

struct provider {
    const char *name;
    struct need needs[NEEDS_MAX]; /* key NULL after the last */
};

/* Copied along with it: a blank at an end, or the byte order mark that some editors write. The provider would
 * refuse it. */
static bool has_stray_bytes(const char *secret)
{
    size_t len = strlen(secret);
    return len > 0 && (secret[0] == ' ' || secret[len - 1] == ' ' || strncmp(secret, "\xEF\xBB\xBF", 3) == 0);
}

static bool read_files(const struct provider *provider, char *error)
{
    for (size_t i = 0; i < NEEDS_MAX && provider->needs[i].key; i++) {
        const struct need *need = &provider->needs[i];
        if (need->file_key && need->value[0] == '\0' && need->file[0] != '\0' &&
            !srv_secret_read(need->file_key, need->file, need->value, error))
            return false;
    }
    return true;
}

/* All or none: a shop that took money and never got the confirmations would be worse than none. */
static bool is_whole(const struct provider *provider, char *error)
{
    const struct need *missing = NULL, *short_one = NULL;
    size_t there = 0;
    for (size_t i = 0; i < NEEDS_MAX && provider->needs[i].key; i++) {
        const struct need *need = &provider->needs[i];
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
                       missing->file_key ? missing->file_key : missing->key, provider->name);
        return false;
    }
    if (short_one) {
        (void)snprintf(error, SRV_ERROR_MAX, "%s: must have at least %d bytes; %s issues no shorter ones",
                       short_one->key, (int)short_one->min, provider->name);
        return false;
    }
    return true;
}

static bool is_word(const char *text, size_t max)
{
    size_t len = strlen(text);
    for (size_t i = 0; i < len; i++)
        if (!isalnum((unsigned char)text[i]))
            return false;
    return len > 0 && len <= max;
}

static bool is_printed(const char *text)
{
    for (; *text; text++)
        if (*text <= ' ' || *text > '~' || *text == ':')
            return false;
    return true;
}

static bool fail(char *error, const char *what)
{
    (void)snprintf(error, SRV_ERROR_MAX, "%s", what);
    return false;
}

static bool fail_with(char *error, const char *key, const char *must, const char *value)
{
    (void)snprintf(error, SRV_ERROR_MAX, "%s: must be %s (got \"%.80s\")", key, must, value);
    return false;
}

static bool starts_with_one(const char *text, const char *const *starts)
{
    for (; *starts; starts++)
        if (strncmp(text, *starts, strlen(*starts)) == 0)
            return true;
    return false;
}

static bool check_words(const struct srv_config *config, char *error)
{
    static const char host[] = "abcdefghijklmnopqrstuvwxyz0123456789.-";
    static const char package[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
    const char *number = config->sms_number;
    if (strspn(number, "0123456789") != strlen(number) || strlen(number) > 15)
        return fail_with(error, "sms_number", "at most 15 digits", number);
    if (config->stripe_page_host[strspn(config->stripe_page_host, host)] != '\0' ||
        srv_url_fault(config->stripe_page_host, SRV_URL_NO_PATH))
        return fail_with(error, "stripe_page_host", "a lowercase host name without https://",
                         config->stripe_page_host);
    if (starts_with_one(config->stripe_key, (const char *const[]){"pk_", "whsec_", NULL}))
        return fail(error, "stripe_key: is a different Stripe key; secret keys begin with sk_ or rk_");
    if (starts_with_one(config->stripe_webhook_secret, (const char *const[]){"sk_", "rk_", "pk_", NULL}))
        return fail(error, "stripe_webhook_secret: is a different Stripe key; webhook secrets begin with "
                           "whsec_");
    if (!is_word(config->sms_keyword, 20))
        return fail_with(error, "sms_keyword", "1 to 20 letters and digits", config->sms_keyword);
    if (!is_printed(config->paypal_client_id))
        return fail_with(error, "paypal_client_id", "printable characters without spaces and colons",
                         config->paypal_client_id);
    if (!is_printed(config->paypal_webhook_id))
        return fail_with(error, "paypal_webhook_id", "printable characters without spaces and colons",
                         config->paypal_webhook_id);
    if (strcmp(config->apple_environment, "Production") != 0 &&
        strcmp(config->apple_environment, "Sandbox") != 0)
        return fail_with(error, "apple_environment", "Production or Sandbox", config->apple_environment);
    if (config->google_package[strspn(config->google_package, package)] != '\0')
        return fail_with(error, "google_package", "letters, digits, dots and _", config->google_package);
    return true;
}

bool srv_shop_keys_find(struct srv_config *config, char error[SRV_ERROR_MAX])
{
    const struct provider providers[] = {
        {"Stripe",
         {{"stripe_key", config->stripe_key, "stripe_key_file", config->stripe_key_file, OTHERS_SECRET_MIN},
          {"stripe_webhook_secret", config->stripe_webhook_secret, "stripe_webhook_secret_file",
           config->stripe_webhook_secret_file, OTHERS_SECRET_MIN}}},
        {"PayPal",
         {{"paypal_client_id", config->paypal_client_id, NULL, NULL, 1},
          {"paypal_secret", config->paypal_secret, "paypal_secret_file", config->paypal_secret_file,
           OTHERS_SECRET_MIN},
          {"paypal_webhook_id", config->paypal_webhook_id, NULL, NULL, 1}}},
        {"SMS",
         {{"sms_number", config->sms_number, NULL, NULL, 1},
          {"sms_secret", config->sms_secret, "sms_secret_file", config->sms_secret_file, SRV_SECRET_MIN}}},
        {"Apple",
         {{"apple_bundle_id", config->apple_bundle_id, NULL, NULL, 1},
          {"apple_root_file", config->apple_root_file, NULL, NULL, 1}}},
        {"Google",
         {{"google_package", config->google_package, NULL, NULL, 1},
          {"google_account_file", config->google_account_file, NULL, NULL, 1}}},
    };
    for (size_t i = 0; i < ARRAY_LEN(providers); i++)
        if (!read_files(&providers[i], error) || !is_whole(&providers[i], error))
            return false;
    return check_words(config, error);
}

static bool load_root(const struct srv_config *config, struct pay_shop *pay, char *error)
{
    size_t len;
    char *bytes = srv_file_read("apple_root_file", config->apple_root_file, &len, error);
    if (!bytes)
        return false;
    pay->apple_root = pay_root_new(bytes, len);
    free(bytes);
    return pay->apple_root || fail(error, "apple_root_file: must contain a CA certificate");
}

static bool load_account(const struct srv_config *config, struct pay_shop *pay, char *error)
{
    size_t len;
    char *bytes = srv_file_read("google_account_file", config->google_account_file, &len, error);
    if (!bytes)
        return false;
    pay->google_account = net_google_account_new(bytes, len);
    sodium_memzero(bytes, len);
    free(bytes);
    return pay->google_account ||
           fail(error, "google_account_file: must contain the key of a service account");
}

static void set_texts(const struct srv_config *config, struct pay_shop *pay)
{
    pay->public_url = config->public_url;
    pay->net.timeout_ms = config->pay_timeout_ms;
    pay->stripe_url = config->stripe_url;
    pay->stripe_page_host = config->stripe_page_host;
    pay->stripe_key = config->stripe_key;
    pay->stripe_secret = config->stripe_webhook_secret;
    pay->paypal_url = config->paypal_url;
    pay->paypal_client = config->paypal_client_id;
    pay->paypal_secret = config->paypal_secret;
    pay->paypal_webhook = config->paypal_webhook_id;
    pay->sms_number = config->sms_number;
    pay->sms_keyword = config->sms_keyword;
    pay->sms_secret = config->sms_secret;
    pay->apple_bundle = config->apple_bundle_id;
    pay->apple_environment = config->apple_environment;
    pay->google_url = config->google_url;
    pay->google_token_url = config->google_token_url;
    pay->google_package = config->google_package;
    pay->google_tests = config->google_tests;
}

bool srv_shop_load(const struct srv_config *config, struct pay_shop *pay, char error[SRV_ERROR_MAX])
{
    set_texts(config, pay);
    pay->bearers = pay_bearers_new();
    if (!pay->bearers)
        return fail(error, "shop: out of memory");
    return (!config->apple_bundle_id[0] || load_root(config, pay, error)) &&
           (!config->google_package[0] || load_account(config, pay, error));
}

void srv_shop_unload(struct pay_shop *pay)
{
    pay_bearers_free(pay->bearers);
    pay_root_free(pay->apple_root);
    net_google_account_free(pay->google_account);
}
