/* The list of providers; see pay.h. */
#include "pay/pay.h"

#include "base/bug.h"

#include <stdio.h>
#include <string.h>

static const struct pay_provider *const providers[] = {&pay_stripe, &pay_paypal, &pay_sms, &pay_apple,
                                                       &pay_google};

const struct pay_provider *pay_provider_at(size_t i)
{
    return i < ARRAY_LEN(providers) ? providers[i] : NULL;
}

bool pay_is_on(const struct pay_provider *provider, const struct pay_shop *shop)
{
    return provider->on(shop);
}

bool pay_refunds(const struct pay_provider *provider, const struct pay_shop *shop)
{
    (void)shop;
    return provider->refund != NULL;
}

void pay_names(const struct pay_shop *shop,
               bool (*which)(const struct pay_provider *, const struct pay_shop *), char out[PAY_NAMES_MAX])
{
    size_t len = 0;
    out[0] = '\0';
    for (size_t i = 0; i < ARRAY_LEN(providers); i++)
        if (which(providers[i], shop))
            len +=
                (size_t)snprintf(out + len, PAY_NAMES_MAX - len, "%s%s", len ? "," : "", providers[i]->name);
    ASSERT(len < PAY_NAMES_MAX);
}

const struct pay_provider *pay_find(const struct pay_shop *shop, const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(providers); i++)
        if (strcmp(providers[i]->name, name) == 0 && providers[i]->on(shop))
            return providers[i];
    return NULL;
}

const char *pay_kind_name(enum pay_kind kind)
{
    static const char *const names[] = {
        [PAY_NOTHING] = NULL,
        [PAY_NEWS] = NULL,
        [PAY_PAID] = "paid",
        [PAY_FAILED] = "failed",
        [PAY_EXPIRED] = "expired",
        [PAY_REFUNDED] = "refunded",
        [PAY_REFUND_FAILED] = "refund_failed",
        [PAY_DISPUTED] = "disputed",
        [PAY_DISPUTE_WON] = "dispute_won",
        [PAY_DISPUTE_LOST] = "dispute_lost",
    };
    ASSERT((size_t)kind < ARRAY_LEN(names));
    return names[kind];
}

bool pay_page_ok(const char *url, const char *hosts)
{
    if (strncmp(url, "https://", 8) != 0)
        return false;
    const char *host = url + 8;
    size_t len = strcspn(host, "/?#"); /* any other character would make it a different host */
    for (size_t n; *hosts; hosts += n + (hosts[n] == ' ')) {
        n = strcspn(hosts, " ");
        if (n > 0 && n == len && strncmp(hosts, host, n) == 0)
            return true;
    }
    return false;
}
