/* Keys derived from the one secret, and what is signed with them: access tokens (JWT HS256),
 * tickets to a table's socket, cursors of lists. The keys are made once at start and constant
 * afterwards; any thread may use them. The cache belongs to one thread. */
#ifndef RUMMYD_API_TOKEN_H
#define RUMMYD_API_TOKEN_H

#include "api/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TOKEN_SECRET_MIN 32 /* RFC 7518: an HS256 key has at least 256 bits */
#define TOKEN_SECRET_MAX 256
#define TOKEN_KID_MAX 64
#define TOKEN_KEYS_MAX 2 /* the one that signs and the one before it */

struct token_key {
    char kid[TOKEN_KID_MAX];
    unsigned char secret[TOKEN_SECRET_MAX];
    size_t secret_len;
    uint8_t ticket[16], cursor[32]; /* derived */
};

struct token_keys {
    struct token_key key[TOKEN_KEYS_MAX]; /* [0] signs; all verify */
    size_t n;
};

/* Adds a key; the first one added signs. false: too short, too long, or no room. */
bool token_keys_add(struct token_keys *keys, const char *kid, const char *secret);

/* --- access tokens --- */

#define TOKEN_TTL_S 900
#define TOKEN_MAX 512 /* bytes of a token, with the NUL */

/* Makes a token for the player, good from now_s for TOKEN_TTL_S seconds. false: out of memory. */
bool token_make(const struct token_keys *keys, int64_t player_id, int64_t now_s, char out[TOKEN_MAX]);

struct token_claims {
    int64_t player_id;
    int64_t exp_s;
};

/* API_OK, API_TOKEN_INVALID or API_TOKEN_EXPIRED. */
enum api_code token_verify(const struct token_keys *keys, const char *token, int64_t now_s,
                           struct token_claims *claims);

/* Verified tokens of one thread: checking a signature costs more than the rest of a request. A
 * bounded table in which a newcomer takes the place of whoever has his slot. */
struct token_cache;
struct token_cache *token_cache_new(void); /* NULL: out of memory */
void token_cache_free(struct token_cache *cache);
/* As token_verify, from the cache where it can. */
enum api_code token_cache_verify(struct token_cache *cache, const struct token_keys *keys, const char *token,
                                 int64_t now_s, struct token_claims *claims);

/* --- tickets --- */

/* A ticket is the random id of a row, good once and for a minute; what signs it keeps made-up ones from the
 * database. SipHash-2-4 with 128 bits does that in a twentieth of an HMAC's time, and every connect pays for
 * it. */
#define TICKET_ID_LEN 16                  /* a uuid */
#define TICKET_TEXT_MAX (32 + 1 + 32 + 1) /* "<uuid as hex>.<mac as hex>" with the NUL */

void ticket_write(const struct token_keys *keys, const uint8_t id[TICKET_ID_LEN], char out[TICKET_TEXT_MAX]);
/* false: not of ours. Whether it is still good is the database's to say. */
bool ticket_read(const struct token_keys *keys, const char *text, uint8_t id[TICKET_ID_LEN]);

/* --- cursors --- */

#define CURSOR_TEXT_MAX 64

/* `bound` names the list, its filters and its reader: a cursor is good for that alone. position is
 * the key of the last item shown. */
void cursor_write(const struct token_keys *keys, const char *bound, int64_t position,
                  char out[CURSOR_TEXT_MAX]);
bool cursor_read(const struct token_keys *keys, const char *bound, const char *text, int64_t *position);
/* For lists whose key is several numbers. */
#define CURSOR_NUMBERS_MAX 3
void cursor_write_n(const struct token_keys *keys, const char *bound, const int64_t *at, size_t n,
                    char out[CURSOR_TEXT_MAX]);
bool cursor_read_n(const struct token_keys *keys, const char *bound, const char *text, int64_t *at, size_t n);

/* --- secrets that are stored hashed --- */

#define API_KEY_PREFIX "rk_" /* of an API key, before a random token */
#define TOKEN_RANDOM_MAX 44  /* 32 random bytes as base64url, with the NUL */
void token_random(char out[TOKEN_RANDOM_MAX]);
void token_hash(const char *text, uint8_t hash[32]);

#endif
