/* Key sets: the example of RFC 7517, and sets that no provider should publish. */
#include "oidc/keys.h"
#include "tests/oidc/signer.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static char why[OIDC_WHY_MAX];

static struct oidc_keys *read_text(const char *text)
{
    why[0] = '\0';
    return oidc_keys_read(text, strlen(text), why);
}

/* Number of usable keys in a list. */
static size_t of_use(const char *list)
{
    char *text = malloc(strlen(list) + 16);
    (void)sprintf(text, "{\"keys\":%s}", list);
    struct oidc_keys *keys = read_text(text);
    size_t n = keys ? keys->n : 0;
    cr_assert((keys == NULL) == (why[0] != '\0'), "%s", why);
    oidc_keys_free(keys);
    free(text);
    return n;
}

/* RFC 7517, A.1: the first key is for encryption. */
Test(keys, the_example_of_rfc_7517_is_read)
{
    struct oidc_keys *keys = read_text(
        "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4\","
        "\"y\":\"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM\",\"use\":\"enc\",\"kid\":\"1\"},"
        "{\"kty\":\"RSA\",\"n\":"
        "\"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxu"
        "hDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_F"
        "DW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0f"
        "M4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw\",\"e\":\"AQAB\",\"alg\":"
        "\"RS256\",\"kid\":\"2011-04-29\"}]}");
    cr_assert_not_null(keys, "%s", why);
    cr_assert_eq(keys->n, 1);
    cr_assert_str_eq(keys->key[0].kid, "2011-04-29");
    cr_assert_eq(keys->key[0].alg, OIDC_RS256);
    cr_assert_eq(EVP_PKEY_get_bits(keys->key[0].key), 2048);
    oidc_keys_free(keys);
}

/* A list of one key, with some members changed. */
static size_t changed(const struct signer *signer, const char *changes)
{
    json_t *jwk = signer_jwk(signer);
    char *usual = json_dumps(jwk, 0), *text = json_changed(usual, changes);
    char *list = malloc(strlen(text) + 3);
    (void)sprintf(list, "[%s]", text);
    size_t n = of_use(list);
    free(list);
    free(text);
    free(usual);
    json_decref(jwk);
    return n;
}

Test(keys, members_of_rsa_keys_are_checked)
{
    struct signer rsa = signer_rsa(2048, "r");
    static const char *const good[] = {"{}",
                                       "{\"use\":null}",
                                       "{\"alg\":null}",
                                       "{\"kid\":null}",
                                       "{\"e\":\"Aw\"}",
                                       "{\"more\":[]}",
                                       "{\"key_ops\":[\"verify\"]}"};
    static const char *const bad[] = {
        "{\"use\":\"enc\"}",   "{\"use\":7}",       "{\"alg\":\"RS512\"}", "{\"alg\":\"HS256\"}",
        "{\"alg\":\"PS256\"}", "{\"kty\":\"oct\"}", "{\"kty\":\"rsa\"}",   "{\"kty\":null}",
        "{\"kty\":\"EC\"}",    "{\"n\":null}",      "{\"n\":\"\"}",        "{\"n\":\"!\"}",
        "{\"n\":\"AQAB\"}",    "{\"n\":7}",         "{\"e\":null}",        "{\"e\":\"\"}",
        "{\"e\":\"AQ\"}",      "{\"e\":\"AQAC\"}",  "{\"e\":\"AAEAAQ\"}",  "{\"e\":\"AQAAAAAAAAAB\"}",
        "{\"e\":\"AQAB==\"}",  "{\"kid\":7}",       "{\"kid\":\"\"}",
    };
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        cr_expect_eq(changed(&rsa, good[i]), 1, "%s: %s", good[i], why);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_expect_eq(changed(&rsa, bad[i]), 0, "%s", bad[i]);
}

Test(keys, small_rsa_keys_are_ignored)
{
    struct signer small = signer_rsa(1024, "r"), large = signer_rsa(3072, "r");
    cr_assert_eq(changed(&small, "{}"), 0);
    cr_assert_eq(changed(&large, "{}"), 1);
}

Test(keys, members_of_ec_keys_are_checked)
{
    struct signer ec = signer_ec("P-256", "e");
    static const char *const bad[] = {
        "{\"crv\":\"P-384\"}",
        "{\"crv\":null}",
        "{\"alg\":\"RS256\"}",
        "{\"alg\":\"ES384\"}",
        "{\"kty\":\"RSA\"}",
        "{\"x\":null}",
        "{\"x\":\"AA\"}",
        "{\"y\":\"AA\"}",
        "{\"y\":7}",
        /* A point off the curve, and the origin. */
        "{\"x\":\"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE\"}",
        ("{\"x\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\",\"y\":"
         "\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}"),
    };
    cr_expect_eq(changed(&ec, "{}"), 1, "%s", why);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_expect_eq(changed(&ec, bad[i]), 0, "%s", bad[i]);
    struct signer other = signer_ec("secp256k1", "e");
    cr_expect_eq(changed(&other, "{}"), 0, "a point of another curve");
}

Test(keys, valid_keys_are_used_and_others_ignored)
{
    struct signer ec = signer_ec("P-256", "e");
    json_t *jwk = signer_jwk(&ec);
    char *good = json_dumps(jwk, 0), list[2048];
    (void)snprintf(list, sizeof(list), "[{\"kty\":\"oct\",\"k\":\"AA\"},7,null,[],{},%s,\"x\",%s]", good,
                   good);
    cr_assert_eq(of_use(list), 2);
    free(good);
    json_decref(jwk);
}

Test(keys, a_set_has_at_most_64_keys)
{
    struct signer ec = signer_ec("P-256", "e");
    json_t *jwk = signer_jwk(&ec), *list = json_array();
    for (int n = 1; n <= 65; n++) {
        json_array_append(list, jwk);
        char *text = json_dumps(list, JSON_COMPACT);
        if (n >= 63)
            cr_assert_eq(of_use(text), n <= 64 ? (size_t)n : 0, "%d", n);
        free(text);
    }
    cr_assert_str_eq(why, "keys: too many");
    json_decref(list);
    json_decref(jwk);
}

Test(keys, malformed_sets_are_refused)
{
    struct signer ec = signer_ec("P-256", "e");
    json_t *jwk = signer_jwk(&ec);
    char *good = json_dumps(jwk, JSON_COMPACT), *deep = malloc(100001), text[1024];
    static const char *const odd[] = {
        "", "<html>", "[]", "null", "{}", "{\"keys\":{}}", "{\"keys\":[]}", "{\"keys\":7}"};
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
        cr_expect_null(read_text(odd[i]), "%s", odd[i]);
    (void)snprintf(text, sizeof(text), "{\"keys\":[],\"keys\":[%s]}", good);
    cr_expect_null(read_text(text), "members that appear twice");
    (void)snprintf(text, sizeof(text), "{\"keys\":[%.*s,\"kid\":\"x\"}]}", (int)strlen(good) - 1, good);
    cr_expect_null(read_text(text), "members of a key that appear twice");
    (void)snprintf(text, sizeof(text), "{\"keys\":%s}", good);
    cr_expect_null(read_text(text), "a key and no list");
    memset(deep, '[', 100000);
    deep[100000] = '\0';
    cr_expect_null(read_text(deep));
    free(deep);
    free(good);
    json_decref(jwk);
}
