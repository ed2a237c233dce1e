/* Hashes of API keys that the database has accepted, to distinguish an operator's requests from guesses
 * before querying the database. A bounded list per REST loop. It grants no access, because each request's
 * statement still checks the key. */
#ifndef RUMMYD_API_KEY_CACHE_H
#define RUMMYD_API_KEY_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define API_KEY_CACHE_MAX 256 /* on overflow, the oldest key counts as unknown again */
#define API_KEY_HASH_LEN 32

struct api_key_cache;
struct api_key_cache *api_key_cache_new(void); /* NULL: out of memory */
void api_key_cache_free(struct api_key_cache *cache);

bool api_key_cache_has(const struct api_key_cache *cache, const uint8_t hash[API_KEY_HASH_LEN]);
/* Call when the database accepted the key. false: it was already present. */
bool api_key_cache_add(struct api_key_cache *cache, const uint8_t hash[API_KEY_HASH_LEN]);
/* Call when the database rejected the key. */
void api_key_cache_remove(struct api_key_cache *cache, const uint8_t hash[API_KEY_HASH_LEN]);

#endif
