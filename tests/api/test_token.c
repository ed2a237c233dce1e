/* Access tokens, tickets, cursors, passwords: what was issued is accepted, anything else is not. */
#include "api/core/password.h"
#include "api/core/token.h"

#include "base/text.h"

#include <criterion/criterion.h>
#include <jwt.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECRET "0123456789abcdef0123456789abcdef"
#define OTHER "fedcba9876543210fedcba9876543210"
#define NOW 1800000000LL

static struct api_token_keys keys;

static void setup(void)
{
    cr_assert(sodium_init() >= 0);
    memset(&keys, 0, sizeof(keys));
    cr_assert(api_token_keys_add(&keys, "k1", SECRET));
}
TestSuite(token, .init = setup);

static enum api_code verify(const char *token, int64_t now)
{
    struct api_token_claims claims = {0};
    return api_token_verify(&keys, token, now, &claims);
}

/* A token with one change. */
struct odd {
    const char *kid, *iss, *aud, *sub, *sid;
    long nbf, exp;
    jwt_alg_t alg;
    const char *secret;
};
static const struct odd right = {"k1", "rummyd", "rummy", "42", "5", NOW, NOW + 900, JWT_ALG_HS256, SECRET};

static enum api_code verify_odd(struct odd o)
{
    jwt_t *jwt;
    cr_assert_eq(jwt_new(&jwt), 0);
    if (o.kid)
        jwt_add_header(jwt, "kid", o.kid);
    if (o.iss)
        jwt_add_grant(jwt, "iss", o.iss);
    if (o.aud)
        jwt_add_grant(jwt, "aud", o.aud);
    if (o.sub)
        jwt_add_grant(jwt, "sub", o.sub);
    if (o.sid)
        jwt_add_grant(jwt, "sid", o.sid);
    if (o.nbf)
        jwt_add_grant_int(jwt, "nbf", o.nbf);
    if (o.exp)
        jwt_add_grant_int(jwt, "exp", o.exp);
    if (o.alg == JWT_ALG_NONE)
        jwt_set_alg(jwt, JWT_ALG_NONE, NULL, 0);
    else
        jwt_set_alg(jwt, o.alg, (const unsigned char *)o.secret, (int)strlen(o.secret));
    char *text = jwt_encode_str(jwt);
    cr_assert_not_null(text);
    enum api_code code = verify(text, NOW);
    free(text);
    jwt_free(jwt);
    return code;
}

#define ODD(...)                                                                                             \
    ({                                                                                                       \
        struct odd o = right;                                                                                \
        __VA_ARGS__;                                                                                         \
        verify_odd(o);                                                                                       \
    })

Test(token, a_token_is_accepted_until_it_expires)
{
    char token[API_TOKEN_MAX];
    struct api_token_claims claims;
    cr_assert(api_token_make(&keys, 42, 5, NOW, token));
    cr_assert_eq(api_token_verify(&keys, token, NOW, &claims), API_OK);
    cr_assert_eq(claims.player_id, 42);
    cr_assert_eq(claims.session_id, 5);
    cr_assert_eq(claims.exp_s, NOW + API_TOKEN_TTL_S);
    cr_assert_eq(verify(token, NOW + API_TOKEN_TTL_S - 1), API_OK);
    cr_assert_eq(verify(token, NOW + API_TOKEN_TTL_S), API_TOKEN_EXPIRED);
    cr_assert_eq(verify(token, NOW - 60), API_TOKEN_INVALID); /* not valid yet */
}

Test(token, one_wrong_claim_invalidates_a_token)
{
    cr_expect_eq(verify_odd(right), API_OK);
    cr_expect_eq(ODD(o.alg = JWT_ALG_NONE), API_TOKEN_INVALID);
    cr_expect_eq(ODD(o.alg = JWT_ALG_HS512), API_TOKEN_INVALID);
    cr_expect_eq(ODD(o.alg = JWT_ALG_HS384), API_TOKEN_INVALID);
    cr_expect_eq(ODD(o.secret = OTHER), API_TOKEN_INVALID);
    cr_expect_eq(ODD(o.kid = "k2"), API_TOKEN_INVALID);
    cr_expect_eq(ODD(o.kid = NULL), API_TOKEN_INVALID);
    cr_expect_eq(ODD(o.iss = "other"), API_TOKEN_INVALID);
    cr_expect_eq(ODD(o.iss = NULL), API_TOKEN_INVALID);
    cr_expect_eq(ODD(o.aud = "other"), API_TOKEN_INVALID);
    cr_expect_eq(ODD(o.aud = NULL), API_TOKEN_INVALID);
    cr_expect_eq(ODD(o.sub = "0"), API_TOKEN_INVALID);
    cr_expect_eq(ODD(o.sub = "42x"), API_TOKEN_INVALID);
    cr_expect_eq(ODD(o.sub = NULL), API_TOKEN_INVALID);
    cr_expect_eq(ODD(o.sid = NULL), API_TOKEN_INVALID);
    cr_expect_eq(ODD(o.sid = "0"), API_TOKEN_INVALID);
    cr_expect_eq(ODD(o.exp = 0), API_TOKEN_INVALID);
    cr_expect_eq(ODD(o.exp = -1), API_TOKEN_INVALID);
    cr_expect_eq(ODD(o.exp = NOW), API_TOKEN_EXPIRED);
    cr_expect_eq(ODD(o.nbf = 0), API_TOKEN_INVALID);
    cr_expect_eq(ODD(o.nbf = NOW + 600), API_TOKEN_INVALID);
}

Test(token, any_changed_byte_invalidates_a_token)
{
    char token[API_TOKEN_MAX];
    cr_assert(api_token_make(&keys, 42, 5, NOW, token));
    for (size_t i = 0; token[i]; i++) {
        char changed[API_TOKEN_MAX];
        memcpy(changed, token, sizeof(changed));
        /* The last character of a part has unused bits. */
        changed[i] = changed[i] == 'A' ? 'z' : 'A';
        if (token[i + 1] != '\0' && token[i + 1] != '.')
            cr_expect_eq(verify(changed, NOW), API_TOKEN_INVALID, "byte %zu", i);
    }
    static const char *const texts[] = {"", ".", "..", "a.b.c", "eyJhbGciOiJub25lIn0..", "\xFF\xFE"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        cr_expect_eq(verify(texts[i], NOW), API_TOKEN_INVALID);
    static char huge[API_TOKEN_MAX + 1];
    memset(huge, 'a', API_TOKEN_MAX);
    cr_expect_eq(verify(huge, NOW), API_TOKEN_INVALID);
}

Test(token, weak_keys_are_refused)
{
    struct api_token_keys none = {0};
    char secret[API_TOKEN_SECRET_MAX + 2];
    memset(secret, 'x', sizeof(secret));
    secret[sizeof(secret) - 1] = '\0';
    cr_expect(!api_token_keys_add(&none, "k", ""));
    cr_expect(!api_token_keys_add(&none, "k", "0123456789abcdef0123456789abcde"));
    cr_expect(!api_token_keys_add(&none, "k", secret));
    cr_expect(!api_token_keys_add(&none, "", SECRET));
    cr_expect_eq(none.n, 0);
}

Test(token, an_old_key_still_verifies)
{
    char token[API_TOKEN_MAX];
    struct api_token_keys rotated = {0};
    struct api_token_claims claims;
    cr_assert(api_token_make(&keys, 7, 5, NOW, token));
    cr_assert(api_token_keys_add(&rotated, "k2", OTHER));
    cr_expect_eq(api_token_verify(&rotated, token, NOW, &claims), API_TOKEN_INVALID);
    cr_assert(api_token_keys_add(&rotated, "k1", SECRET));
    cr_expect_eq(api_token_verify(&rotated, token, NOW, &claims), API_OK);
    cr_expect_eq(claims.player_id, 7);
    cr_expect(!api_token_keys_add(&rotated, "k3", OTHER)); /* the limit is reached */
}

Test(token, the_cache_agrees_with_the_check)
{
    struct api_token_cache *cache = api_token_cache_new();
    char token[API_TOKEN_MAX];
    struct api_token_claims claims;
    /* Verifies more tokens than the cache has slots, twice: some come from the cache, others are verified
     * again. */
    for (int round = 0; round < 2; round++) {
        for (int64_t player = 1; player <= 6000; player += round ? 7 : 1) {
            cr_assert(api_token_make(&keys, player, 3 * player, NOW, token));
            cr_assert_eq(api_token_cache_verify(cache, &keys, token, NOW, &claims), API_OK);
            cr_assert_eq(claims.player_id, player);
            cr_assert_eq(claims.session_id, 3 * player);
        }
    }
    cr_assert_eq(api_token_cache_verify(cache, &keys, token, NOW + API_TOKEN_TTL_S, &claims),
                 API_TOKEN_EXPIRED);
    cr_assert_eq(api_token_cache_verify(cache, &keys, "", NOW, &claims), API_TOKEN_INVALID);
    token[strlen(token) - 5] ^= 1;
    cr_assert_eq(api_token_cache_verify(cache, &keys, token, NOW, &claims), API_TOKEN_INVALID);
    api_token_cache_free(cache);
}

Test(token, tickets_round_trip_and_reject_changes)
{
    uint8_t id[API_TICKET_ID_LEN] = {1, 2, 3, 250}, got[API_TICKET_ID_LEN];
    char text[API_TICKET_TEXT_MAX];
    int64_t session = 0;
    uint8_t scopes = 0;
    api_ticket_write(&keys, id, INT64_MAX - 7, API_SCOPE_PLAY, text);
    cr_assert_eq(strlen(text), 83);
    cr_assert(api_ticket_read(&keys, text, got, &session, &scopes));
    cr_assert_eq(scopes, API_SCOPE_PLAY);
    cr_assert_eq(session, INT64_MAX - 7);
    cr_assert_arr_eq(id, got, sizeof(id));
    for (size_t i = 0; text[i]; i++) {
        char changed[API_TICKET_TEXT_MAX];
        memcpy(changed, text, sizeof(changed));
        changed[i] = changed[i] == '0' ? '1' : '0';
        cr_expect(!api_ticket_read(&keys, changed, got, &session, &scopes), "byte %zu", i);
    }
    struct api_token_keys others = {0};
    cr_assert(api_token_keys_add(&others, "k1", OTHER));
    cr_expect(!api_ticket_read(&others, text, got, &session, &scopes));
    cr_expect(!api_ticket_read(&keys, "", got, &session, &scopes));
    text[82] = '\0';
    cr_expect(!api_ticket_read(&keys, text, got, &session, &scopes));
}

Test(token, the_next_token_is_reproducible_only_from_the_same_input)
{
    char first[API_TOKEN_RANDOM_MAX], again[API_TOKEN_RANDOM_MAX], other[API_TOKEN_RANDOM_MAX];
    struct api_token_keys others = {0};
    cr_assert(api_token_keys_add(&others, "k1", OTHER));
    api_token_next(&keys, "refresh", "old", first);
    api_token_next(&keys, "refresh", "old", again);
    cr_expect_str_eq(first, again);
    cr_expect_eq(strlen(first), 43);
    api_token_next(&keys, "refresh", "old2", other);
    cr_expect_str_neq(first, other);
    api_token_next(&keys, "device", "old", other);
    cr_expect_str_neq(first, other);
    api_token_next(&others, "refresh", "old", other);
    cr_expect_str_neq(first, other);
    api_token_next(&keys, "refresh", first, other);
    cr_expect_str_neq(first, other, "the next one differs again");
}

Test(token, cursors_are_bound_to_their_list)
{
    static const int64_t positions[] = {0, 1, -1, 255, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof(positions) / sizeof(positions[0]); i++) {
        char text[API_CURSOR_TEXT_MAX];
        int64_t got = 77;
        api_cursor_write(&keys, "games:42", positions[i], text);
        cr_assert(api_cursor_read(&keys, "games:42", text, &got));
        cr_expect_eq(got, positions[i]);
        cr_expect(!api_cursor_read(&keys, "games:43", text, &got));
        cr_expect(!api_cursor_read(&keys, "postings:42", text, &got));
        cr_expect(!api_cursor_read(&keys, "games:42", text + 1, &got));
        text[3] = text[3] == 'A' ? 'B' : 'A';
        cr_expect(!api_cursor_read(&keys, "games:42", text, &got));
    }
    int64_t got;
    cr_expect(!api_cursor_read(&keys, "games:42", "", &got));
    cr_expect(!api_cursor_read(&keys, "games:42", "%%%", &got));
}

Test(token, a_cursor_can_hold_several_numbers)
{
    static const int64_t at[3] = {INT64_MAX, -5, 3};
    char text[API_CURSOR_TEXT_MAX];
    int64_t got[3] = {0};
    api_cursor_write_n(&keys, "board:42", at, 3, text);
    cr_assert(api_cursor_read_n(&keys, "board:42", text, got, 3));
    cr_expect_arr_eq(got, at, sizeof(at));
    cr_expect(!api_cursor_read_n(&keys, "board:42", text, got, 2), "a different count of numbers");
    cr_expect(!api_cursor_read(&keys, "board:42", text, got));
    cr_expect(!api_cursor_read_n(&keys, "board:43", text, got, 3));
    text[30] = text[30] == 'A' ? 'B' : 'A';
    cr_expect(!api_cursor_read_n(&keys, "board:42", text, got, 3));
}

Test(token, random_tokens_differ_and_hash_with_sha256)
{
    char a[API_TOKEN_RANDOM_MAX], b[API_TOKEN_RANDOM_MAX];
    uint8_t hash[32];
    char hex[65];
    api_token_random(a);
    api_token_random(b);
    cr_expect_eq(strlen(a), 43);
    cr_expect_str_neq(a, b);
    api_token_hash("abc", hash);
    text_hex(hex, hash, 32);
    cr_expect_str_eq(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

Test(token, passwords_are_salted_and_verified)
{
    char hash[API_PASSWORD_HASH_MAX], again[API_PASSWORD_HASH_MAX];
    cr_assert(api_password_hash("correct horse", hash) && api_password_hash("correct horse", again));
    cr_expect(strncmp(hash, "$argon2id$", 10) == 0);
    cr_expect_str_neq(hash, again);
    cr_expect(api_password_fits("correct horse", hash));
    cr_expect(!api_password_fits("correct horsf", hash));
    cr_expect(!api_password_fits("correct horse", ""));
    cr_expect(!api_password_fits("correct horse", "rubbish"));
}
