/* API keys that the database has accepted, as hashes: tells an operator's requests from guesses before the
 * database is queried. A bounded list per REST loop; it grants nothing, because each request is still checked
 * by its statement. */
#ifndef RUMMYD_API_KEY_CACHE_H
#define RUMMYD_API_KEY_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define API_KEY_CACHE_MAX 256 /* if there are more, the oldest counts as unknown again */
#define API_KEY_HASH_LEN 32

struct api_key_cache;
struct api_key_cache *api_key_cache_new(void); /* NULL: out of memory */
void api_key_cache_free(struct api_key_cache *cache);

bool api_key_cache_has(const struct api_key_cache *cache, const uint8_t hash[API_KEY_HASH_LEN]);
/* The database accepted it. false: already present. */
bool api_key_cache_add(struct api_key_cache *cache, const uint8_t hash[API_KEY_HASH_LEN]);
/* The database rejected it. */
void api_key_cache_remove(struct api_key_cache *cache, const uint8_t hash[API_KEY_HASH_LEN]);

#endif
