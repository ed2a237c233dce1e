/* Tokens from clients: access tokens, tickets, cursors of one number and of several, paths; and the signing
 * keys. Only tokens signed here are accepted, and these are rejected once they have been changed. */
#include "api/core/route.h"
#include "api/core/token.h"
#include "base/bug.h"

#include <sodium.h>
#include <string.h>

enum { TEXT_MAX = 600 };

static struct api_token_keys keys;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    ASSERT(sodium_init() >= 0);
    ASSERT(api_token_keys_add(&keys, "k1", "0123456789abcdef0123456789abcdefXYZ"));
    return 0;
}

/* One of our cursors with one byte changed, or for another list. */
static void change_one(const uint8_t *data, size_t size)
{
    char made[API_CURSOR_TEXT_MAX], changed[API_CURSOR_TEXT_MAX];
    int64_t at[API_CURSOR_NUMBERS_MAX] = {0}, got[API_CURSOR_NUMBERS_MAX];
    if (size < 2 + sizeof(at))
        return;
    const size_t n = 1 + data[0] % API_CURSOR_NUMBERS_MAX;
    memcpy(at, data + 2, sizeof(at));
    api_cursor_write_n(&keys, "board:1", at, n, made);
    ASSERT(api_cursor_read_n(&keys, "board:1", made, got, n) && memcmp(at, got, n * sizeof(at[0])) == 0);
    ASSERT(!api_cursor_read_n(&keys, "board:2", made, got, n));
    memcpy(changed, made, sizeof(made));
    char *byte = &changed[data[1] % strlen(made)];
    *byte = (char)(data[size - 1] ? data[size - 1] : 'x');
    /* The last letter has unused bits. */
    ASSERT(!api_cursor_read_n(&keys, "board:1", changed, got, n) || memcmp(at, got, n * sizeof(at[0])) == 0);
}

/* A key with any name and secret is rejected, or makes tokens that this key accepts and another key does
 * not. */
static void add_key(const char *text, size_t len)
{
    char kid[TEXT_MAX + 1], token[API_TOKEN_MAX];
    struct api_token_keys others = {0};
    struct api_token_claims claims;
    const size_t n = len > 0 ? (unsigned char)text[0] % len : 0;
    memcpy(kid, text, n);
    kid[n] = '\0';
    if (!api_token_keys_add(&others, kid, text + n) || !api_token_make(&others, 7, 9, 1700000000, token))
        return;
    ASSERT(api_token_verify(&others, token, 1700000000, &claims) == API_OK);
    ASSERT(claims.player_id == 7 && claims.session_id == 9);
    ASSERT(api_token_verify(&others, token, 1700000000 + API_TOKEN_TTL_S, &claims) == API_TOKEN_EXPIRED);
    ASSERT(api_token_verify(&keys, token, 1700000000, &claims) == API_TOKEN_INVALID);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[TEXT_MAX + 1];
    const size_t len = size < TEXT_MAX ? size : TEXT_MAX;
    memcpy(text, data, len);
    text[len] = '\0';

    struct api_token_claims claims;
    ASSERT(api_token_verify(&keys, text, 1700000000, &claims) != API_OK);
    uint8_t id[API_TICKET_ID_LEN];
    int64_t session = 0;
    uint8_t scopes = 0;
    ASSERT(!api_ticket_read(&keys, text, id, &session, &scopes));
    int64_t position = 0;
    ASSERT(!api_cursor_read(&keys, "postings:1", text, &position));

    int64_t several[API_CURSOR_NUMBERS_MAX] = {0};
    for (size_t n = 1; n <= API_CURSOR_NUMBERS_MAX; n++)
        ASSERT(!api_cursor_read_n(&keys, "board:1", text, several, n));
    change_one(data, size);
    add_key(text, len);

    struct api_match match;
    api_match("GET", text, &match);
    api_match(text, "/v1/me", &match);
    return 0;
}
