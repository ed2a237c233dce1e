/* Keys derived from the token secret. They sign access tokens (JWT HS256), tickets for sockets, and list
 * cursors, and encrypt stored secrets. The keys are made at startup and are constant afterward; any thread
 * may use them. The cache belongs to one thread. */
#ifndef RUMMYD_API_TOKEN_H
#define RUMMYD_API_TOKEN_H

#include "api/core/problem.h"
#include "api/core/scopes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define API_TOKEN_SECRET_MIN 32 /* RFC 7518: an HS256 key has at least 256 bits */
#define API_TOKEN_SECRET_MAX 256
#define API_TOKEN_KID_MAX 64
#define API_TOKEN_KEYS_MAX 2 /* the signing key and the previous one */

struct api_token_key {
    char kid[API_TOKEN_KID_MAX];
    unsigned char secret[API_TOKEN_SECRET_MAX];
    size_t secret_len;
    uint8_t ticket[16], cursor[32], next[32], seal[32]; /* derived */
};

struct api_token_keys {
    struct api_token_key key[API_TOKEN_KEYS_MAX]; /* [0] signs; all verify */
    size_t n;
};

/* Adds a key; the first one added signs. false: too short, too long, or the limit is reached. */
bool api_token_keys_add(struct api_token_keys *keys, const char *kid, const char *secret);

/* --- access tokens --- */

#define API_TOKEN_TTL_S 900
#define API_TOKEN_MAX 512 /* bytes of a token, including the NUL */

/* Makes a token for a player's session with all scopes, valid from now_s for API_TOKEN_TTL_S seconds. false:
 * out of memory. */
bool api_token_make(const struct api_token_keys *keys, int64_t player_id, int64_t session_id, int64_t now_s,
                    char out[API_TOKEN_MAX]);

struct api_token_claims {
    int64_t player_id;
    int64_t session_id;
    int64_t exp_s;
    uint8_t scopes; /* enum api_scope; API_SCOPES_ALL for an owner's session */
};

/* Makes a token with these claims, valid from now_s. false: out of memory. */
bool api_token_make_as(const struct api_token_keys *keys, const struct api_token_claims *claims,
                       int64_t now_s, char out[API_TOKEN_MAX]);

/* Returns API_OK, API_TOKEN_INVALID, or API_TOKEN_EXPIRED. */
enum api_code api_token_verify(const struct api_token_keys *keys, const char *token, int64_t now_s,
                               struct api_token_claims *claims);

/* A cache of verified tokens for one thread, because checking a signature costs more than the rest of a
 * request. A bounded table in which a new token replaces the one in its slot. */
struct api_token_cache;
struct api_token_cache *api_token_cache_new(void); /* NULL: out of memory */
void api_token_cache_free(struct api_token_cache *cache);
/* Like api_token_verify, but uses the cache. */
enum api_code api_token_cache_verify(struct api_token_cache *cache, const struct api_token_keys *keys,
                                     const char *token, int64_t now_s, struct api_token_claims *claims);

/* --- tickets --- */

/* A ticket is the random id of a row, valid once and for one minute. Its signature keeps forged tickets
 * away from the database; SipHash-2-4 with 128 bits takes 1/20 of the time of an HMAC for each connection.
 * The ticket contains the session that requested it and its scopes; its socket ends with the session. */
#define API_TICKET_ID_LEN 16 /* a UUID */
/* "<signed part>.<mac>" in hex, including the NUL */
#define API_TICKET_TEXT_MAX (50 + 1 + 32 + 1)

void api_ticket_write(const struct api_token_keys *keys, const uint8_t id[API_TICKET_ID_LEN],
                      int64_t session_id, uint8_t scopes, char out[API_TICKET_TEXT_MAX]);
/* false: invalid signature. The database decides whether the ticket is still valid. */
bool api_ticket_read(const struct api_token_keys *keys, const char *text, uint8_t id[API_TICKET_ID_LEN],
                     int64_t *session_id, uint8_t *scopes);

/* --- cursors --- */

#define API_CURSOR_TEXT_MAX 64

/* A cursor is valid only for `bound`, which identifies the list, its filters, and its reader. position is
 * the key of the last item shown. */
void api_cursor_write(const struct api_token_keys *keys, const char *bound, int64_t position,
                      char out[API_CURSOR_TEXT_MAX]);
bool api_cursor_read(const struct api_token_keys *keys, const char *bound, const char *text,
                     int64_t *position);
/* For lists whose key consists of several numbers. */
#define API_CURSOR_NUMBERS_MAX 3
void api_cursor_write_n(const struct api_token_keys *keys, const char *bound, const int64_t *at, size_t n,
                        char out[API_CURSOR_TEXT_MAX]);
bool api_cursor_read_n(const struct api_token_keys *keys, const char *bound, const char *text, int64_t *at,
                       size_t n);

/* --- secrets that are stored hashed --- */

#define API_KEY_PREFIX "rk_"              /* prefix of an API key, followed by a random token */
#define API_KEY_SHOWN 9                   /* number of characters stored to identify a key */
#define API_KEY_DAYS_MAX 365              /* maximum lifetime */
extern const char *const api_key_roles[]; /* roles of a key; NULL after the last */
#define API_TOKEN_RANDOM_MAX 44           /* 32 random bytes as base64url, including the NUL */
void api_token_random(char out[API_TOKEN_RANDOM_MAX]);
void api_token_hash(const char *text, uint8_t hash[32]);
/* Derives a token that replaces an old one. It is always the same for the same old token, purpose, and
 * signing key, and unpredictable without the key. */
void api_token_next(const struct api_token_keys *keys, const char *purpose, const char *old,
                    char out[API_TOKEN_RANDOM_MAX]);

/* --- secrets that are stored encrypted, because their plain text is needed --- */

#define API_TOKEN_SEAL_MORE 40 /* bytes added by sealing: a nonce and a tag */

/* Encrypts with the signing key to len + API_TOKEN_SEAL_MORE bytes, which open only with the same `bound`,
 * the purpose and the owner. Store the key's kid with them. */
void api_token_seal(const struct api_token_keys *keys, const char *bound, const uint8_t *plain, size_t len,
                    uint8_t *out);
/* false: no key has this kid, or the data was sealed with another key or `bound`. */
bool api_token_unseal(const struct api_token_keys *keys, const char *kid, const char *bound,
                      const uint8_t *sealed, size_t sealed_len, uint8_t *out);

#endif
