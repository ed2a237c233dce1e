/* API keys that the database accepted, as hashes: what tells the requests of an operator from guesses before
 * the database is asked. A bounded list of one REST loop; it opens nothing, for each request is still judged
 * by its statement. */
#ifndef RUMMYD_API_KEY_CACHE_H
#define RUMMYD_API_KEY_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define API_KEY_CACHE_MAX 256 /* of more keys, the one accepted first counts as unknown again */
#define API_KEY_HASH_LEN 32

struct api_key_cache;
struct api_key_cache *api_key_cache_new(void); /* NULL: out of memory */
void api_key_cache_free(struct api_key_cache *cache);

bool api_key_cache_has(const struct api_key_cache *cache, const uint8_t hash[API_KEY_HASH_LEN]);
/* The database accepted it. false: it was there already. */
bool api_key_cache_add(struct api_key_cache *cache, const uint8_t hash[API_KEY_HASH_LEN]);
/* The database refused it. */
void api_key_cache_remove(struct api_key_cache *cache, const uint8_t hash[API_KEY_HASH_LEN]);

#endif
