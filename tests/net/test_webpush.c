/* Web Push: the example of RFC 8291, and VAPID tokens that verify. */
#include "net/jws.h"
#include "net/webpush.h"

#include <criterion/criterion.h>
#include <openssl/core_names.h>
#include <openssl/param_build.h>
#include <sodium.h>
#include <string.h>

#define POINT "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
#define SENDER_PRIVATE "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
#define SENDER_POINT "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
#define SALT "DGv6ra1nlYgDCS1FRnbzlw"
#define AUTH "BTBZMqHH6r4Tts7J_aSIgg"
#define MESSAGE                                                                                              \
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_"                                                         \
    "c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru"                                        \
    "3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"

static void bytes(const char *text, uint8_t *out, size_t len)
{
    size_t n = 0;
    cr_assert_eq(sodium_base642bin(out, len, text, strlen(text), NULL, &n, NULL,
                                   sodium_base64_VARIANT_URLSAFE_NO_PADDING),
                 0);
    cr_assert_eq(n, len);
}

static EVP_PKEY *sender(void)
{
    uint8_t point[NET_WEBPUSH_POINT], secret[32];
    EVP_PKEY *key = NULL;
    bytes(SENDER_POINT, point, sizeof(point));
    bytes(SENDER_PRIVATE, secret, sizeof(secret));
    BIGNUM *number = BN_bin2bn(secret, sizeof(secret), NULL);
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    cr_assert(OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0));
    cr_assert(OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof(point)));
    cr_assert(OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_PRIV_KEY, number));
    OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(build);
    cr_assert_eq(EVP_PKEY_fromdata_init(ctx), 1);
    cr_assert_eq(EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_KEYPAIR, params), 1);
    OSSL_PARAM_free(params);
    OSSL_PARAM_BLD_free(build);
    EVP_PKEY_CTX_free(ctx);
    BN_free(number);
    return key;
}

Test(webpush, encrypts_as_in_the_example_of_the_standard)
{
    static const char plain[] = "When I grow up, I want to be a watermelon";
    uint8_t point[NET_WEBPUSH_POINT], salt[NET_WEBPUSH_SALT], auth[NET_WEBPUSH_AUTH], out[NET_WEBPUSH_MAX];
    char text[512];
    bytes(POINT, point, sizeof(point));
    bytes(SALT, salt, sizeof(salt));
    bytes(AUTH, auth, sizeof(auth));
    EVP_PKEY *key = sender();
    size_t n = net_webpush_encrypt_with(key, salt, point, auth, plain, strlen(plain), out);
    cr_assert_eq(n, strlen(plain) + NET_WEBPUSH_MORE);
    (void)sodium_bin2base64(text, sizeof(text), out, n, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    cr_expect_str_eq(text, MESSAGE);
    EVP_PKEY_free(key);
}

Test(webpush, messages_differ_and_a_point_off_the_curve_is_refused)
{
    uint8_t point[NET_WEBPUSH_POINT], auth[NET_WEBPUSH_AUTH] = {7}, one[NET_WEBPUSH_MAX],
                                      two[NET_WEBPUSH_MAX];
    bytes(POINT, point, sizeof(point));
    cr_expect(net_webpush_point_ok(point));
    size_t n = net_webpush_encrypt(point, auth, "x", 1, one);
    cr_assert_eq(n, 1 + NET_WEBPUSH_MORE);
    cr_assert_eq(net_webpush_encrypt(point, auth, "x", 1, two), n);
    cr_expect(memcmp(one, two, NET_WEBPUSH_SALT) != 0 && memcmp(one + 21, two + 21, NET_WEBPUSH_POINT) != 0);
    point[64] ^= 1;
    cr_expect(!net_webpush_point_ok(point));
    cr_expect_eq(net_webpush_encrypt(point, auth, "x", 1, one), 0);
    memset(point, 0, sizeof(point));
    cr_expect(!net_webpush_point_ok(point));
}

Test(webpush, a_proof_is_for_one_origin_and_verifies)
{
    char proof[NET_WEBPUSH_PROOF_MAX], public[NET_WEBPUSH_KEY_MAX];
    struct net_jws jws;
    EVP_PKEY *key = sender();
    cr_assert(net_webpush_key_public(key, public));
    cr_expect_str_eq(public, SENDER_POINT);
    cr_assert(net_webpush_proof(key, "https://push.example:8443/send/abc?x=1", "mailto:a@b.example",
                                1700000000, proof));
    cr_assert(strncmp(proof, "Authorization: vapid t=", 23) == 0);
    char *end = strstr(proof, ", k=" SENDER_POINT);
    cr_assert_not_null(end);
    *end = '\0';
    cr_assert(net_jws_split(proof + 23, &jws));
    cr_expect(net_jws_es256(&jws, key));
    cr_expect_str_eq(json_string_value(json_object_get(jws.payload, "aud")), "https://push.example:8443");
    cr_expect_str_eq(json_string_value(json_object_get(jws.payload, "sub")), "mailto:a@b.example");
    cr_expect_eq(json_integer_value(json_object_get(jws.payload, "exp")), 1700043200);
    net_jws_free(&jws);
    cr_expect(!net_webpush_proof(key, "push.example", "mailto:a@b.example", 1700000000, proof));
    EVP_PKEY_free(key);
}
