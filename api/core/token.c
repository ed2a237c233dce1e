/* Keys, tickets, cursors, random tokens; see token.h. Access tokens are in token_jwt.c. */
#include "api/core/token.h"

#include "base/bug.h"
#include "base/text.h"

#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define MAC_LEN 16 /* bytes of a ticket's signature, and of the HMAC-SHA-256 kept in cursors */

static void hmac(const uint8_t *key, size_t key_len, const void *a, size_t a_len, const void *b, size_t b_len,
                 uint8_t out[32])
{
    crypto_auth_hmacsha256_state state;
    ASSERT(key_len > 0);
    crypto_auth_hmacsha256_init(&state, key, key_len);
    crypto_auth_hmacsha256_update(&state, a, a_len);
    crypto_auth_hmacsha256_update(&state, b, b_len);
    crypto_auth_hmacsha256_final(&state, out);
}

static void derive(const struct api_token_key *key, const char *label, uint8_t out[32])
{
    hmac(key->secret, key->secret_len, label, strlen(label), NULL, 0, out);
}

bool api_token_keys_add(struct api_token_keys *keys, const char *kid, const char *secret)
{
    size_t len = strlen(secret);
    if (keys->n == API_TOKEN_KEYS_MAX || len < API_TOKEN_SECRET_MIN || len > API_TOKEN_SECRET_MAX ||
        kid[0] == '\0' || strlen(kid) >= API_TOKEN_KID_MAX)
        return false;
    struct api_token_key *key = &keys->key[keys->n++];
    memset(key, 0, sizeof(*key));
    (void)snprintf(key->kid, sizeof(key->kid), "%s", kid);
    memcpy(key->secret, secret, len);
    key->secret_len = len;
    uint8_t ticket[32];
    derive(key, "rummyd ticket 3", ticket);
    memcpy(key->ticket, ticket, sizeof(key->ticket));
    sodium_memzero(ticket, sizeof(ticket));
    derive(key, "rummyd cursor 1", key->cursor);
    derive(key, "rummyd next 1", key->next);
    derive(key, "rummyd seal 1", key->seal);
    ASSERT(keys->n <= API_TOKEN_KEYS_MAX);
    return true;
}

static void put_be64(uint8_t out[8], int64_t value)
{
    for (int i = 0; i < 8; i++)
        out[i] = (uint8_t)((uint64_t)value >> (56 - 8 * i));
}

static int64_t get_be64(const uint8_t in[8])
{
    uint64_t value = 0;
    for (int k = 0; k < 8; k++)
        value = value << 8 | in[k];
    return (int64_t)value;
}

static_assert(MAC_LEN == crypto_shorthash_siphashx24_BYTES &&
                  sizeof(((struct api_token_key *)0)->ticket) == crypto_shorthash_siphashx24_KEYBYTES,
              "tickets are signed with SipHash-2-4-128");
enum { TICKET_LEN = API_TICKET_ID_LEN + 8 + 1 }; /* signed part: the id, the session, and its scopes */

void api_ticket_write(const struct api_token_keys *keys, const uint8_t id[API_TICKET_ID_LEN],
                      int64_t session_id, uint8_t scopes, char out[API_TICKET_TEXT_MAX])
{
    ASSERT(keys->n > 0 && session_id >= 0);
    uint8_t bytes[TICKET_LEN], mac[MAC_LEN];
    memcpy(bytes, id, API_TICKET_ID_LEN);
    put_be64(bytes + API_TICKET_ID_LEN, session_id);
    bytes[TICKET_LEN - 1] = scopes;
    crypto_shorthash_siphashx24(mac, bytes, sizeof(bytes), keys->key[0].ticket);
    text_hex(out, bytes, sizeof(bytes));
    out[2 * TICKET_LEN] = '.';
    text_hex(out + 2 * TICKET_LEN + 1, mac, MAC_LEN);
}

bool api_ticket_read(const struct api_token_keys *keys, const char *text, uint8_t id[API_TICKET_ID_LEN],
                     int64_t *session_id, uint8_t *scopes)
{
    uint8_t bytes[TICKET_LEN], given[MAC_LEN], mac[MAC_LEN];
    if (strlen(text) != API_TICKET_TEXT_MAX - 1 || text[2 * TICKET_LEN] != '.' ||
        text_unhex(bytes, sizeof(bytes), text, (size_t)2 * TICKET_LEN) != TICKET_LEN ||
        text_unhex(given, MAC_LEN, text + 2 * TICKET_LEN + 1, (size_t)2 * MAC_LEN) != MAC_LEN)
        return false;
    for (size_t i = 0; i < keys->n; i++) {
        crypto_shorthash_siphashx24(mac, bytes, sizeof(bytes), keys->key[i].ticket);
        if (!text_equal_ct(mac, MAC_LEN, given, MAC_LEN))
            continue;
        memcpy(id, bytes, API_TICKET_ID_LEN);
        *session_id = get_be64(bytes + API_TICKET_ID_LEN);
        *scopes = bytes[TICKET_LEN - 1];
        return true;
    }
    return false;
}

void api_cursor_write_n(const struct api_token_keys *keys, const char *bound, const int64_t *at, size_t n,
                        char out[API_CURSOR_TEXT_MAX])
{
    ASSERT(keys->n > 0 && n > 0 && n <= API_CURSOR_NUMBERS_MAX && bound[0] != '\0');
    uint8_t bytes[8 * API_CURSOR_NUMBERS_MAX + 32];
    for (size_t i = 0; i < n; i++)
        put_be64(bytes + 8 * i, at[i]);
    hmac(keys->key[0].cursor, 32, bytes, 8 * n, bound, strlen(bound), bytes + 8 * n);
    text_b64url(out, bytes, 8 * n + MAC_LEN);
}

bool api_cursor_read_n(const struct api_token_keys *keys, const char *bound, const char *text, int64_t *at,
                       size_t n)
{
    ASSERT(n > 0 && n <= API_CURSOR_NUMBERS_MAX && bound[0] != '\0');
    uint8_t bytes[8 * API_CURSOR_NUMBERS_MAX + MAC_LEN], mac[32];
    if (text_unb64url(bytes, sizeof(bytes), text, strlen(text)) != (int)(8 * n + MAC_LEN))
        return false;
    for (size_t i = 0; i < keys->n; i++) {
        hmac(keys->key[i].cursor, 32, bytes, 8 * n, bound, strlen(bound), mac);
        if (!text_equal_ct(mac, MAC_LEN, bytes + 8 * n, MAC_LEN))
            continue;
        for (size_t k = 0; k < n; k++)
            at[k] = get_be64(bytes + 8 * k);
        return true;
    }
    return false;
}

void api_cursor_write(const struct api_token_keys *keys, const char *bound, int64_t position,
                      char out[API_CURSOR_TEXT_MAX])
{
    api_cursor_write_n(keys, bound, &position, 1, out);
}

bool api_cursor_read(const struct api_token_keys *keys, const char *bound, const char *text,
                     int64_t *position)
{
    return api_cursor_read_n(keys, bound, text, position, 1);
}

const char *const api_key_roles[] = {"jobs", "support", "money", "games", "owner", NULL};

void api_token_random(char out[API_TOKEN_RANDOM_MAX])
{
    uint8_t bytes[32];
    randombytes_buf(bytes, sizeof(bytes));
    text_b64url(out, bytes, sizeof(bytes));
    ASSERT(strlen(out) < API_TOKEN_RANDOM_MAX);
}

void api_token_hash(const char *text, uint8_t hash[32])
{
    crypto_hash_sha256(hash, (const unsigned char *)text, strlen(text));
}

void api_token_next(const struct api_token_keys *keys, const char *purpose, const char *old,
                    char out[API_TOKEN_RANDOM_MAX])
{
    uint8_t bytes[32];
    ASSERT(keys->n > 0);
    hmac(keys->key[0].next, sizeof(keys->key[0].next), purpose, strlen(purpose) + 1, old, strlen(old), bytes);
    text_b64url(out, bytes, sizeof(bytes));
    ASSERT(strlen(out) == API_TOKEN_RANDOM_MAX - 1);
}
