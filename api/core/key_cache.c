/* A ring buffer of hashes with linear search, because operators have few keys. See key_cache.h. */
#include "api/core/key_cache.h"

#include "base/bug.h"

#include <stdlib.h>
#include <string.h>

struct api_key_cache {
    uint8_t hashes[API_KEY_CACHE_MAX][API_KEY_HASH_LEN];
    bool used[API_KEY_CACHE_MAX];
    int next; /* the next slot to use */
};

struct api_key_cache *api_key_cache_new(void)
{
    return calloc(1, sizeof(struct api_key_cache));
}

void api_key_cache_free(struct api_key_cache *cache)
{
    free(cache);
}

/* -1: not found. */
static int place_of(const struct api_key_cache *cache, const uint8_t hash[API_KEY_HASH_LEN])
{
    for (int i = 0; i < API_KEY_CACHE_MAX; i++)
        if (cache->used[i] && memcmp(cache->hashes[i], hash, API_KEY_HASH_LEN) == 0)
            return i;
    return -1;
}

bool api_key_cache_has(const struct api_key_cache *cache, const uint8_t hash[API_KEY_HASH_LEN])
{
    return place_of(cache, hash) >= 0;
}

bool api_key_cache_add(struct api_key_cache *cache, const uint8_t hash[API_KEY_HASH_LEN])
{
    if (place_of(cache, hash) >= 0)
        return false;
    ASSERT(cache->next >= 0 && cache->next < API_KEY_CACHE_MAX);
    memcpy(cache->hashes[cache->next], hash, API_KEY_HASH_LEN);
    cache->used[cache->next] = true;
    cache->next = (cache->next + 1) % API_KEY_CACHE_MAX;
    return true;
}

void api_key_cache_remove(struct api_key_cache *cache, const uint8_t hash[API_KEY_HASH_LEN])
{
    int place = place_of(cache, hash);
    if (place >= 0)
        cache->used[place] = false;
}
