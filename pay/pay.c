/* The list of providers; see pay.h. */
#include "pay/pay.h"

#include "base/bug.h"

#include <stdio.h>
#include <string.h>

#define PROVIDER(id, name) &pay_##id,
static const struct pay_provider *const providers[] = {
#include "pay/providers.def"
};

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
