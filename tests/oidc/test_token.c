/* ID tokens: the examples of RFC 7515, variations that OpenID Connect Core allows, and forgeries. */
#include "oidc/keys.h"
#include "tests/oidc/signer.h"

#include <criterion/criterion.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define ISSUER "https://accounts.example"
#define CLIENT "rummy.example.apps"
#define NONCE "n-0S6_WzA2Mj"
enum { NOW = 1800000000 };
#define HEADER "{\"alg\":\"ES256\",\"kid\":\"k1\",\"typ\":\"JWT\"}"
#define CLAIMS                                                                                               \
    "{\"iss\":\"" ISSUER "\",\"aud\":\"" CLIENT "\",\"nonce\":\"" NONCE "\",\"sub\":\"248289761001\","       \
    "\"iat\":1800000000,\"exp\":1800000300}"

static const struct oidc_expected usual = {ISSUER, CLIENT, NONCE, NOW};
static struct oidc_person person;
static char why[OIDC_WHY_MAX];

static struct oidc_keys *read_set(const char *text)
{
    struct oidc_keys *keys = oidc_keys_read(text, strlen(text), why);
    cr_assert_not_null(keys, "%s", why);
    return keys;
}

static struct oidc_keys *keys_of(const struct signer *signers, size_t n)
{
    char *text = signer_set(signers, n);
    struct oidc_keys *keys = read_set(text);
    free(text);
    cr_assert_eq(keys->n, n);
    return keys;
}

/* The result for a token, which is freed. */
static enum oidc_token_result check(const struct oidc_keys *keys, char *token)
{
    memset(&person, 'x', sizeof(person));
    why[0] = '\0';
    enum oidc_token_result result = oidc_token_check(keys, &usual, token, &person, why);
    if (result != OIDC_TOKEN_OK) {
        cr_assert(person.subject[0] == '\0' && person.email[0] == '\0',
                  "a rejected token yields an identity");
        cr_assert_neq(why[0], '\0');
    }
    free(token);
    return result;
}

/* --- the examples of RFC 7515, appendix A: all sign the same claims --- */

#define RFC_CLAIMS                                                                                           \
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
#define RFC_RS256                                                                                            \
    "eyJhbGciOiJSUzI1NiJ9." RFC_CLAIMS ".cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7A"  \
    "AuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xB"   \
    "ArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh"  \
    "6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
#define RFC_RSA_N                                                                                            \
    "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-" \
    "SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS" \
    "-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2" \
    "ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"
#define RFC_ES256                                                                                            \
    "eyJhbGciOiJFUzI1NiJ9." RFC_CLAIMS ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSAp"  \
    "mWQxfKTUJqPP3-Kg6NU1Q"
#define RFC_SET                                                                                              \
    "{\"keys\":[{\"kty\":\"RSA\",\"n\":\"" RFC_RSA_N "\",\"e\":\"AQAB\"},{\"kty\":\"EC\",\"crv\":\"P-256\"," \
    "\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","                                                 \
    "\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\"}]}"

/* The claims name joe as the issuer but no audience, so with a valid signature the check fails at the
 * audience. */
static void check_example(const char *token, const char *said)
{
    static const struct oidc_expected joe = {"joe", CLIENT, NONCE, 1300819000};
    struct oidc_keys *keys = read_set(RFC_SET);
    cr_assert_eq(oidc_token_check(keys, &joe, token, &person, why), OIDC_TOKEN_BAD);
    cr_assert_str_eq(why, said, "%s", token);
    oidc_keys_free(keys);
}

Test(token, the_examples_of_rfc_7515_verify)
{
    check_example(RFC_RS256, "id token: for another client");
    check_example(RFC_ES256, "id token: for another client");
    /* A.1 and A.5: HS256 and none. */
    check_example("eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9." RFC_CLAIMS
                  ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
                  "id token: neither RS256 nor ES256");
    check_example("eyJhbGciOiJub25lIn0." RFC_CLAIMS ".", "id token: not a signed JSON object");
}

/* Changing any letter of an example makes it invalid. */
static void check_each_letter(const char *token)
{
    static const struct oidc_expected joe = {"joe", CLIENT, NONCE, 1300819000};
    struct oidc_keys *keys = read_set(RFC_SET);
    char *changed = strdup(token);
    for (size_t i = 0; changed[i]; i++) {
        char was = changed[i];
        changed[i] = was == 'A' ? 'B' : 'A';
        cr_assert_neq(oidc_token_check(keys, &joe, changed, &person, why), OIDC_TOKEN_OK);
        cr_assert_str_neq(why, "id token: for another client", "byte %zu may be another one", i);
        changed[i] = was;
    }
    free(changed);
    oidc_keys_free(keys);
}

Test(token, any_changed_letter_invalidates_a_token)
{
    check_each_letter(RFC_RS256);
    check_each_letter(RFC_ES256);
}

/* --- claims with a valid signature --- */

struct row {
    const char *what, *changes, *said; /* said NULL: the token is accepted */
};

static const struct row rows[] = {
    {"as usual", "{}", NULL},
    {"one audience in a list", "{\"aud\":[\"" CLIENT "\"]}", NULL},
    {"several audiences, made for us", "{\"aud\":[\"x\",\"" CLIENT "\"],\"azp\":\"" CLIENT "\"}", NULL},
    {"made for us", "{\"azp\":\"" CLIENT "\"}", NULL},
    {"an end far away", "{\"exp\":99999999999999}", NULL},
    {"an end with a fraction", "{\"exp\":1800000300.75}", NULL},
    {"more members", "{\"more\":{\"deep\":[1,null]}}", NULL},
    {"expired within the skew", "{\"exp\":1799999941}", NULL},
    {"made ten minutes ago", "{\"iat\":1799999400}", NULL},
    {"made in a minute", "{\"iat\":1800000060}", NULL},
    {"valid from in a minute", "{\"nbf\":1800000060}", NULL},
    {"a subject with a blank", "{\"sub\":\"CN=Ana Kos,O=Example\"}", NULL},
    {"another issuer", "{\"iss\":\"https://accounts.example.org\"}", "another issuer's"},
    {"an issuer with a slash", "{\"iss\":\"" ISSUER "/\"}", "another issuer's"},
    {"an issuer in other letters", "{\"iss\":\"https://Accounts.example\"}", "another issuer's"},
    {"no issuer", "{\"iss\":null}", "another issuer's"},
    {"a list of issuers", "{\"iss\":[\"" ISSUER "\"]}", "another issuer's"},
    {"another audience", "{\"aud\":\"another\"}", "for another client"},
    {"an audience in other letters", "{\"aud\":\"RUMMY.EXAMPLE.APPS\"}", "for another client"},
    {"an audience and more", "{\"aud\":\"" CLIENT " another\"}", "for another client"},
    {"no audience", "{\"aud\":null}", "for another client"},
    {"an empty list of audiences", "{\"aud\":[]}", "for another client"},
    {"several audiences", "{\"aud\":[\"" CLIENT "\",\"another\"]}", "for another client"},
    {"made for another of several", "{\"aud\":[\"" CLIENT "\",\"x\"],\"azp\":\"x\"}", "for another client"},
    {"made for another", "{\"azp\":\"another\"}", "for another client"},
    {"made for a number", "{\"azp\":7}", "for another client"},
    {"an audience that is not a string", "{\"aud\":[\"" CLIENT "\",7],\"azp\":\"" CLIENT "\"}",
     "for another client"},
    {"another nonce", "{\"nonce\":\"n-0S6_WzA2Mk\"}", "another nonce"},
    {"the beginning of the nonce", "{\"nonce\":\"n-0S6\"}", "another nonce"},
    {"an empty nonce", "{\"nonce\":\"\"}", "another nonce"},
    {"no nonce", "{\"nonce\":null}", "another nonce"},
    {"a nonce that is not a string", "{\"nonce\":7}", "another nonce"},
    {"expired", "{\"exp\":1799999940}", "too old"},
    {"an end before numbers", "{\"exp\":-1e30}", "too old"},
    {"no end", "{\"exp\":null}", "exp or iat is missing, or no number"},
    {"an end in letters", "{\"exp\":\"1800000300\"}", "exp or iat is missing, or no number"},
    {"valid later", "{\"nbf\":1800000061}", "from the future"},
    {"valid from in letters", "{\"nbf\":\"0\"}", "exp or iat is missing, or no number"},
    {"made later", "{\"iat\":1800000061}", "from the future"},
    {"made long ago", "{\"iat\":1799999399}", "too old"},
    {"no beginning", "{\"iat\":null}", "exp or iat is missing, or no number"},
    {"no subject", "{\"sub\":null}", "no subject"},
    {"an empty subject", "{\"sub\":\"\"}", "no subject"},
    {"a subject of blanks", "{\"sub\":\"   \"}", "no subject"},
    {"a subject that is not a string", "{\"sub\":7}", "no subject"},
    {"a subject with a line feed", "{\"sub\":\"a\\nb\"}", "no subject"},
    {"a subject with a NUL", "{\"sub\":\"a\\u0000b\"}", "not a signed JSON object"},
    {"a subject beyond ASCII", "{\"sub\":\"Jos\\u00e9\"}", "no subject"},
};

Test(token, claims_are_checked)
{
    struct signer ana = signer_ec("P-256", "k1");
    struct oidc_keys *keys = keys_of(&ana, 1);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char *claims = json_changed(CLAIMS, rows[i].changes), said[OIDC_WHY_MAX] = "";
        enum oidc_token_result result = check(keys, signer_token(&ana, HEADER, claims));
        if (rows[i].said)
            (void)snprintf(said, sizeof(said), "id token: %s", rows[i].said);
        cr_expect_eq(result, rows[i].said ? OIDC_TOKEN_BAD : OIDC_TOKEN_OK, "%s: %s", rows[i].what, why);
        cr_expect_str_eq(why, said, "%s", rows[i].what);
        free(claims);
    }
    oidc_keys_free(keys);
}

Test(token, google_may_omit_the_scheme_of_its_issuer)
{
    static const struct {
        const char *issuer, *named;
        enum oidc_token_result result;
    } names[] = {
        {"https://accounts.google.com", "https://accounts.google.com", OIDC_TOKEN_OK},
        {"https://accounts.google.com", "accounts.google.com", OIDC_TOKEN_OK},
        {"https://accounts.google.com", "http://accounts.google.com", OIDC_TOKEN_BAD},
        {"https://accounts.google.com", "accounts.example", OIDC_TOKEN_BAD},
        {ISSUER, "accounts.example", OIDC_TOKEN_BAD},
        {ISSUER, "accounts.google.com", OIDC_TOKEN_BAD},
    };
    struct signer ana = signer_ec("P-256", "k1");
    struct oidc_keys *keys = keys_of(&ana, 1);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct oidc_expected expected = {names[i].issuer, CLIENT, NONCE, usual.now_s};
        char changes[100];
        (void)snprintf(changes, sizeof(changes), "{\"iss\":\"%s\"}", names[i].named);
        char *claims = json_changed(CLAIMS, changes), *token = signer_token(&ana, HEADER, claims);
        cr_assert_eq(oidc_token_check(keys, &expected, token, &person, why), names[i].result, "%s: %s",
                     names[i].named, why);
        free(token);
        free(claims);
    }
    oidc_keys_free(keys);
}

Test(token, a_subject_has_at_most_255_characters)
{
    struct signer ana = signer_ec("P-256", "k1");
    struct oidc_keys *keys = keys_of(&ana, 1);
    for (size_t len = 254; len <= 257; len++) {
        char subject[300], changes[400];
        memset(subject, 's', len);
        subject[len] = '\0';
        (void)snprintf(changes, sizeof(changes), "{\"sub\":\"%s\"}", subject);
        char *claims = json_changed(CLAIMS, changes);
        enum oidc_token_result result = check(keys, signer_token(&ana, HEADER, claims));
        cr_assert_eq(result, len <= 255 ? OIDC_TOKEN_OK : OIDC_TOKEN_BAD, "%zu", len);
        if (result == OIDC_TOKEN_OK)
            cr_assert_str_eq(person.subject, subject);
        free(claims);
    }
    oidc_keys_free(keys);
}

Test(token, an_email_address_counts_only_if_verified_by_the_provider)
{
    static const struct {
        const char *changes, *email;
    } emails[] = {
        {"{\"email\":\"mia@example.org\",\"email_verified\":true}", "mia@example.org"},
        {"{\"email\":\"mia@example.org\",\"email_verified\":\"true\"}", "mia@example.org"}, /* Apple */
        {"{\"email\":\"mia@example.org\"}", ""},
        {"{\"email\":\"mia@example.org\",\"email_verified\":false}", ""},
        {"{\"email\":\"mia@example.org\",\"email_verified\":\"false\"}", ""},
        {"{\"email\":\"mia@example.org\",\"email_verified\":1}", ""},
        {"{\"email\":\"mia@example.org\",\"email_verified\":[true]}", ""},
        {"{\"email\":\"mia@example.org\\nBcc: x@example.org\",\"email_verified\":true}", ""},
        {"{\"email\":\"mia\",\"email_verified\":true}", ""},
        {"{\"email\":[\"mia@example.org\"],\"email_verified\":true}", ""},
        {"{\"email_verified\":true}", ""},
    };
    struct signer ana = signer_ec("P-256", "k1");
    struct oidc_keys *keys = keys_of(&ana, 1);
    for (size_t i = 0; i < sizeof(emails) / sizeof(emails[0]); i++) {
        char *claims = json_changed(CLAIMS, emails[i].changes);
        cr_assert_eq(check(keys, signer_token(&ana, HEADER, claims)), OIDC_TOKEN_OK, "%s", why);
        cr_assert_str_eq(person.email, emails[i].email, "%s", emails[i].changes);
        cr_assert_str_eq(person.subject, "248289761001");
        free(claims);
    }
    oidc_keys_free(keys);
}

/* --- headers and signatures --- */

static void expect_header(const struct oidc_keys *keys, const struct signer *by, const char *header,
                          enum oidc_token_result wanted, const char *said)
{
    cr_expect_eq(check(keys, signer_token(by, header, CLAIMS)), wanted, "%s: %s", header, why);
    cr_expect(strstr(why, said), "%s: %s", header, why);
}

Test(token, only_two_algorithms_are_accepted_by_exact_name)
{
    struct signer both[] = {signer_rsa(2048, "r"), signer_ec("P-256", "e")};
    struct oidc_keys *keys = keys_of(both, 2);
    static const char *const odd[] = {
        "{\"kid\":\"r\"}",
        "{\"alg\":\"none\",\"kid\":\"r\"}",
        "{\"alg\":\"None\",\"kid\":\"r\"}",
        "{\"alg\":\"rs256\",\"kid\":\"r\"}",
        "{\"alg\":\"RS256 \",\"kid\":\"r\"}",
        "{\"alg\":\"RS512\",\"kid\":\"r\"}",
        "{\"alg\":\"PS256\",\"kid\":\"r\"}",
        "{\"alg\":\"HS256\",\"kid\":\"r\"}",
        "{\"alg\":[\"RS256\"],\"kid\":\"r\"}",
        "{\"alg\":\"\",\"kid\":\"r\"}",
    };
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
        expect_header(keys, &both[0], odd[i], OIDC_TOKEN_BAD, "neither RS256 nor ES256");
    expect_header(keys, &both[0], "{\"alg\":\"RS256\",\"kid\":\"r\"}", OIDC_TOKEN_OK, "");
    expect_header(keys, &both[1], "{\"alg\":\"ES256\",\"kid\":\"e\"}", OIDC_TOKEN_OK, "");
    /* The kid of one key with the algorithm of the other. */
    expect_header(keys, &both[1], "{\"alg\":\"ES256\",\"kid\":\"r\"}", OIDC_TOKEN_KEY_UNKNOWN,
                  "not in the set");
    expect_header(keys, &both[0], "{\"alg\":\"RS256\",\"kid\":\"e\"}", OIDC_TOKEN_KEY_UNKNOWN,
                  "not in the set");
    oidc_keys_free(keys);
}

/* An attacker has the public key and may guess the client's secret; neither is accepted as an HMAC key. */
Test(token, mac_algorithms_are_refused)
{
    struct signer ana = signer_rsa(2048, "k1");
    struct oidc_keys *keys = keys_of(&ana, 1);
    char *set = signer_set(&ana, 1);
    const char *const secrets[] = {"", "secret", set};
    static const char *const headers[] = {"{\"alg\":\"HS256\",\"kid\":\"k1\"}",
                                          "{\"alg\":\"RS256\",\"kid\":\"k1\"}"};
    for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++)
        for (size_t k = 0; k < 2; k++) {
            uint8_t mac[crypto_auth_hmacsha256_BYTES];
            crypto_auth_hmacsha256_state state;
            char *text = token_of(headers[k], CLAIMS, (const uint8_t *)"", 0);
            crypto_auth_hmacsha256_init(&state, (const unsigned char *)secrets[i], strlen(secrets[i]));
            crypto_auth_hmacsha256_update(&state, (const unsigned char *)text, strlen(text) - 1);
            crypto_auth_hmacsha256_final(&state, mac);
            free(text);
            cr_assert_eq(check(keys, token_of(headers[k], CLAIMS, mac, sizeof(mac))), OIDC_TOKEN_BAD);
        }
    free(set);
    oidc_keys_free(keys);
}

Test(token, a_key_inside_a_token_is_ignored)
{
    struct signer ana = signer_ec("P-256", "k1"), eve = signer_ec("P-256", "k2");
    struct oidc_keys *keys = keys_of(&ana, 1);
    json_t *header = json_pack("{s:s,s:o}", "alg", "ES256", "jwk", signer_jwk(&eve));
    char *text = json_dumps(header, 0);
    expect_header(keys, &eve, text, OIDC_TOKEN_KEY_UNKNOWN, "not in the set");
    expect_header(keys, &eve, "{\"alg\":\"ES256\",\"kid\":\"k1\",\"jku\":\"https://evil.example/\"}",
                  OIDC_TOKEN_BAD, "wrong signature");
    expect_header(keys, &eve, "{\"alg\":\"ES256\",\"kid\":\"k2\"}", OIDC_TOKEN_KEY_UNKNOWN, "not in the set");
    free(text);
    json_decref(header);
    oidc_keys_free(keys);
}

Test(token, malformed_headers_are_refused)
{
    struct signer ana = signer_ec("P-256", "k1");
    struct oidc_keys *keys = keys_of(&ana, 1);
    expect_header(keys, &ana, HEADER, OIDC_TOKEN_OK, "");
    expect_header(keys, &ana, "{\"alg\":\"ES256\",\"kid\":\"k1\",\"typ\":\"application/JWT\"}", OIDC_TOKEN_OK,
                  "");
    expect_header(keys, &ana, "{\"alg\":\"ES256\",\"kid\":\"k1\",\"typ\":\"at+jwt\"}", OIDC_TOKEN_BAD,
                  "of another type");
    expect_header(keys, &ana, "{\"alg\":\"ES256\",\"kid\":\"k1\",\"typ\":7}", OIDC_TOKEN_BAD,
                  "of another type");
    expect_header(keys, &ana, "{\"alg\":\"ES256\",\"kid\":7}", OIDC_TOKEN_BAD, "odd kid");
    expect_header(keys, &ana, "{\"alg\":\"ES256\",\"kid\":\"\"}", OIDC_TOKEN_BAD, "odd kid");
    expect_header(keys, &ana, "{\"alg\":\"ES256\",\"kid\":\"K1\"}", OIDC_TOKEN_KEY_UNKNOWN, "not in the set");
    expect_header(keys, &ana, "{\"alg\":\"ES256\",\"kid\":\"k1\",\"crit\":[\"b64\"],\"b64\":true}",
                  OIDC_TOKEN_BAD, "wrong signature");
    expect_header(keys, &ana, "{\"alg\":\"none\",\"alg\":\"ES256\",\"kid\":\"k1\"}", OIDC_TOKEN_BAD,
                  "not a signed JSON object");
    expect_header(keys, &ana, "[]", OIDC_TOKEN_BAD, "not a signed JSON object");
    oidc_keys_free(keys);
}

Test(token, payloads_other_than_objects_are_refused)
{
    struct signer ana = signer_ec("P-256", "k1");
    struct oidc_keys *keys = keys_of(&ana, 1);
    static const char *const odd[] = {
        "", "sub=admin", "[" CLAIMS "]", "7", "null", CLAIMS "x", "{\"sub\":\"a\",\"sub\":\"admin\"}"};
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        cr_expect_eq(check(keys, signer_token(&ana, HEADER, odd[i])), OIDC_TOKEN_BAD, "%s", odd[i]);
        cr_expect_str_eq(why, "id token: not a signed JSON object", "%s", odd[i]);
    }
    oidc_keys_free(keys);
}

Test(token, malformed_tokens_are_refused)
{
    struct signer ana = signer_ec("P-256", "k1");
    struct oidc_keys *keys = keys_of(&ana, 1);
    char *good = signer_token(&ana, HEADER, CLAIMS), *long_text = malloc(OIDC_TOKEN_MAX + 1), text[2048];
    static const char *const odd[] = {"", ".", "..", "...", "x", "x.y", "x.y.z", "e30.e30.", " . . "};
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
        cr_expect_eq(check(keys, strdup(odd[i])), OIDC_TOKEN_BAD, "%s", odd[i]);
    static const char *const around[] = {"%s.x", "%s.", "%s=", "%s ", " %s", "%s\n", ".%s"};
    for (size_t i = 0; i < sizeof(around) / sizeof(around[0]); i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        (void)snprintf(text, sizeof(text), around[i], good);
#pragma GCC diagnostic pop
        cr_expect_eq(check(keys, strdup(text)), OIDC_TOKEN_BAD, "%s", around[i]);
    }
    memset(long_text, 'x', OIDC_TOKEN_MAX);
    long_text[OIDC_TOKEN_MAX] = '\0';
    cr_expect_eq(check(keys, long_text), OIDC_TOKEN_BAD);
    for (size_t len = 0; len < strlen(good); len++) {
        (void)snprintf(text, sizeof(text), "%.*s", (int)len, good);
        cr_assert_eq(check(keys, strdup(text)), OIDC_TOKEN_BAD, "the first %zu bytes are enough", len);
    }
    cr_assert_eq(check(keys, good), OIDC_TOKEN_OK, "%s", why);
    oidc_keys_free(keys);
}

/* r and s of ES256 have 32 bytes each; zeros, DER, and one byte more or less are rejected. */
Test(token, malformed_signatures_are_refused)
{
    struct signer ana = signer_ec("P-256", "k1");
    struct oidc_keys *keys = keys_of(&ana, 1);
    uint8_t zeros[128] = {0};
    for (size_t len = 0; len <= sizeof(zeros); len++)
        cr_assert_eq(check(keys, token_of(HEADER, CLAIMS, zeros, len)), OIDC_TOKEN_BAD, "%zu", len);
    oidc_keys_free(keys);
}

/* --- which key --- */

Test(token, without_a_kid_the_only_key_of_the_algorithm_is_used)
{
    static const char header[] = "{\"alg\":\"ES256\"}";
    struct signer set[] = {signer_ec("P-256", "a"), signer_rsa(2048, "r"), signer_ec("P-256", "b")};
    struct oidc_keys *one = keys_of(set, 2), *two = keys_of(set, 3), *none = keys_of(set + 1, 1);
    expect_header(one, &set[0], header, OIDC_TOKEN_OK, "");
    expect_header(two, &set[0], header, OIDC_TOKEN_BAD, "it does not say by which key");
    expect_header(none, &set[0], header, OIDC_TOKEN_KEY_UNKNOWN, "not in the set");
    oidc_keys_free(one);
    oidc_keys_free(two);
    oidc_keys_free(none);
}

/* A provider that publishes its next key before it uses it. */
Test(token, both_keys_of_a_rotation_are_accepted_by_kid)
{
    struct signer set[] = {signer_ec("P-256", "old"), signer_ec("P-256", "new")};
    struct oidc_keys *keys = keys_of(set, 2);
    expect_header(keys, &set[0], "{\"alg\":\"ES256\",\"kid\":\"old\"}", OIDC_TOKEN_OK, "");
    expect_header(keys, &set[1], "{\"alg\":\"ES256\",\"kid\":\"new\"}", OIDC_TOKEN_OK, "");
    expect_header(keys, &set[0], "{\"alg\":\"ES256\",\"kid\":\"new\"}", OIDC_TOKEN_BAD, "wrong signature");
    expect_header(keys, &set[1], "{\"alg\":\"ES256\",\"kid\":\"old\"}", OIDC_TOKEN_BAD, "wrong signature");
    oidc_keys_free(keys);
}
