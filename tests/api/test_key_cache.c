/* Accepted API keys: found until the database rejects them or too many others have been added. */
#include "api/core/key_cache.h"

#include <criterion/criterion.h>
#include <string.h>

static const uint8_t *hash_of(int n)
{
    static uint8_t hash[API_KEY_HASH_LEN];
    memset(hash, 0, sizeof(hash));
    memcpy(hash, &n, sizeof(n));
    return hash;
}

Test(key_cache, an_accepted_key_is_found_until_it_is_refused)
{
    struct api_key_cache *cache = api_key_cache_new();
    cr_assert(cache);
    cr_assert_not(api_key_cache_has(cache, hash_of(0)), "an unused slot does not match a key of zeros");
    cr_assert(api_key_cache_add(cache, hash_of(1)));
    cr_assert_not(api_key_cache_add(cache, hash_of(1)));
    cr_assert(api_key_cache_has(cache, hash_of(1)));
    cr_assert_not(api_key_cache_has(cache, hash_of(2)));
    api_key_cache_remove(cache, hash_of(2));
    api_key_cache_remove(cache, hash_of(1));
    cr_assert_not(api_key_cache_has(cache, hash_of(1)));
    cr_assert(api_key_cache_add(cache, hash_of(1)));
    api_key_cache_free(cache);
}

Test(key_cache, the_oldest_key_is_evicted_first)
{
    struct api_key_cache *cache = api_key_cache_new();
    cr_assert(cache);
    for (int i = 1; i <= API_KEY_CACHE_MAX; i++)
        cr_assert(api_key_cache_add(cache, hash_of(i)));
    cr_assert(api_key_cache_has(cache, hash_of(1)));
    cr_assert(api_key_cache_add(cache, hash_of(API_KEY_CACHE_MAX + 1)));
    cr_assert_not(api_key_cache_has(cache, hash_of(1)));
    for (int i = 2; i <= API_KEY_CACHE_MAX + 1; i++)
        cr_assert(api_key_cache_has(cache, hash_of(i)));
    api_key_cache_free(cache);
}
