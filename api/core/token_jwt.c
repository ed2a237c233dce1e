/* Access tokens as JWT, and the cache of verified ones; see token.h. libjwt checks only the signature. This
 * file checks the algorithm, issuer, audience, and times. */
#include "api/core/token.h"

#include "base/bug.h"
#include "base/text.h"

#include <errno.h>
#include <jwt.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ISSUER "rummyd"
#define AUDIENCE "rummy"
#define CLOCK_SKEW_S 5 /* another node's clock can be this far ahead */

static void jwt_release(jwt_t **jwt)
{
    jwt_free(*jwt);
}
#define JWT_OWNED __attribute__((cleanup(jwt_release))) jwt_t *

static bool add_scopes(jwt_t *jwt, uint8_t scopes)
{
    return scopes == API_SCOPES_ALL || jwt_add_grant_int(jwt, "scp", scopes) == 0;
}

bool api_token_make_as(const struct api_token_keys *keys, const struct api_token_claims *claims,
                       int64_t now_s, char out[API_TOKEN_MAX])
{
    ASSERT(keys->n > 0 && claims->player_id > 0 && claims->session_id > 0 && claims->scopes != 0);
    const struct api_token_key *key = &keys->key[0];
    JWT_OWNED jwt = NULL;
    char sub[24], sid[24];
    (void)snprintf(sub, sizeof(sub), "%lld", (long long)claims->player_id);
    (void)snprintf(sid, sizeof(sid), "%lld", (long long)claims->session_id);
    if (jwt_new(&jwt) != 0 || jwt_set_alg(jwt, JWT_ALG_HS256, key->secret, (int)key->secret_len) != 0 ||
        jwt_add_header(jwt, "kid", key->kid) != 0 || jwt_add_grant(jwt, "iss", ISSUER) != 0 ||
        jwt_add_grant(jwt, "aud", AUDIENCE) != 0 || jwt_add_grant(jwt, "sub", sub) != 0 ||
        jwt_add_grant(jwt, "sid", sid) != 0 || jwt_add_grant_int(jwt, "iat", (long)now_s) != 0 ||
        jwt_add_grant_int(jwt, "nbf", (long)now_s) != 0 ||
        jwt_add_grant_int(jwt, "exp", (long)claims->exp_s) != 0 || !add_scopes(jwt, claims->scopes))
        return false;
    char *text = jwt_encode_str(jwt);
    bool fits = text && strlen(text) < API_TOKEN_MAX;
    if (fits)
        memcpy(out, text, strlen(text) + 1);
    free(text);
    return fits;
}

bool api_token_make(const struct api_token_keys *keys, int64_t player_id, int64_t session_id, int64_t now_s,
                    char out[API_TOKEN_MAX])
{
    const struct api_token_claims claims = {.player_id = player_id,
                                            .session_id = session_id,
                                            .exp_s = now_s + API_TOKEN_TTL_S,
                                            .scopes = API_SCOPES_ALL};
    return api_token_make_as(keys, &claims, now_s, out);
}

static bool grant_is(jwt_t *jwt, const char *name, const char *value)
{
    const char *got = jwt_get_grant(jwt, name);
    return got && strcmp(got, value) == 0;
}

/* Ids are strings of decimal digits. */
static bool grant_id(jwt_t *jwt, const char *name, int64_t *id)
{
    const char *got = jwt_get_grant(jwt, name);
    return got && text_i64(got, 1, INT64_MAX, id);
}

/* A missing or unreadable time reads as -1 with errno set. */
static bool grant_time(jwt_t *jwt, const char *name, int64_t *value)
{
    errno = 0;
    *value = jwt_get_grant_int(jwt, name);
    return errno == 0 && *value > 0;
}

/* A token without scopes belongs to an owner's session. */
static bool grant_scopes(jwt_t *jwt, uint8_t *scopes)
{
    errno = 0;
    long value = jwt_get_grant_int(jwt, "scp");
    *scopes = errno == 0 ? (uint8_t)value : API_SCOPES_ALL;
    return errno == ENOENT || (errno == 0 && value > 0 && value < API_SCOPES_ALL);
}

static enum api_code check_claims(jwt_t *jwt, int64_t now_s, struct api_token_claims *claims)
{
    int64_t nbf = 0;
    if (!grant_is(jwt, "iss", ISSUER) || !grant_is(jwt, "aud", AUDIENCE) ||
        !grant_id(jwt, "sub", &claims->player_id) || !grant_id(jwt, "sid", &claims->session_id) ||
        !grant_scopes(jwt, &claims->scopes) || !grant_time(jwt, "nbf", &nbf) ||
        !grant_time(jwt, "exp", &claims->exp_s) || nbf > now_s + CLOCK_SKEW_S)
        return API_TOKEN_INVALID;
    ASSERT(claims->player_id > 0 && claims->exp_s > 0);
    return claims->exp_s <= now_s ? API_TOKEN_EXPIRED : API_OK;
}

enum api_code api_token_verify(const struct api_token_keys *keys, const char *token, int64_t now_s,
                               struct api_token_claims *claims)
{
    if (strlen(token) >= API_TOKEN_MAX)
        return API_TOKEN_INVALID;
    for (size_t i = 0; i < keys->n; i++) {
        const struct api_token_key *key = &keys->key[i];
        JWT_OWNED jwt = NULL;
        /* libjwt would accept an unsigned token for a NULL key, but our keys are never empty. */
        ASSERT(key->secret_len >= API_TOKEN_SECRET_MIN);
        if (jwt_decode(&jwt, token, key->secret, (int)key->secret_len) != 0)
            continue;
        const char *kid = jwt_get_header(jwt, "kid");
        if (jwt_get_alg(jwt) != JWT_ALG_HS256 || !kid || strcmp(kid, key->kid) != 0)
            return API_TOKEN_INVALID;
        return check_claims(jwt, now_s, claims);
    }
    return API_TOKEN_INVALID;
}

#define CACHE_SLOTS 4096 /* a power of two */
_Static_assert((CACHE_SLOTS & (CACHE_SLOTS - 1)) == 0, "a token's slot is some of its hash's bits");

struct slot {
    struct api_token_claims claims;
    uint64_t hash;
    char token[API_TOKEN_MAX]; /* empty: free */
};

struct api_token_cache {
    unsigned char hash_key[crypto_shorthash_KEYBYTES]; /* so that clients cannot target a slot */
    struct slot slots[CACHE_SLOTS];
};

struct api_token_cache *api_token_cache_new(void)
{
    struct api_token_cache *cache = calloc(1, sizeof(*cache));
    if (cache)
        crypto_shorthash_keygen(cache->hash_key);
    return cache;
}

void api_token_cache_free(struct api_token_cache *cache)
{
    free(cache);
}

enum api_code api_token_cache_verify(struct api_token_cache *cache, const struct api_token_keys *keys,
                                     const char *token, int64_t now_s, struct api_token_claims *claims)
{
    size_t len = strlen(token);
    if (len == 0 || len >= API_TOKEN_MAX)
        return API_TOKEN_INVALID;
    uint64_t hash = 0;
    _Static_assert(crypto_shorthash_BYTES == sizeof(hash), "hash of a token");
    crypto_shorthash((unsigned char *)&hash, (const unsigned char *)token, len, cache->hash_key);
    struct slot *slot = &cache->slots[hash & (CACHE_SLOTS - 1)];
    if (slot->hash == hash && text_equal_ct(slot->token, strlen(slot->token), token, len)) {
        *claims = slot->claims;
        return claims->exp_s <= now_s ? API_TOKEN_EXPIRED : API_OK;
    }
    enum api_code code = api_token_verify(keys, token, now_s, claims);
    if (code == API_OK) {
        ASSERT(claims->exp_s > now_s);
        memcpy(slot->token, token, len + 1);
        slot->hash = hash;
        slot->claims = *claims;
    }
    return code;
}
