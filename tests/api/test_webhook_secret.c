/* Signatures of webhooks: the example of Standard Webhooks, and secrets that only the right key opens. */
#include "api/admin/webhook_secret.h"

#include <criterion/criterion.h>
#include <sodium.h>
#include <string.h>

Test(webhook_secret, signs_as_specified_by_the_standard)
{
    uint8_t secret[24];
    char signature[API_WEBHOOK_SIGNATURE_MAX];
    cr_assert_eq(sodium_base642bin(secret, sizeof(secret), "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", 32, NULL, NULL,
                                   NULL, sodium_base64_VARIANT_ORIGINAL),
                 0);
    api_webhook_sign(secret, sizeof(secret), "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330,
                     "{\"test\": 2432232314}", signature);
    cr_expect_str_eq(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    api_webhook_sign(secret, sizeof(secret), "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265331,
                     "{\"test\": 2432232314}", signature);
    cr_expect_str_neq(signature,
                      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", "the time is signed, too");
}

Test(webhook_secret, opens_only_with_the_key_that_sealed_it)
{
    struct api_token_keys keys = {0}, others = {0};
    uint8_t sealed[API_WEBHOOK_SEALED_LEN], secret[API_WEBHOOK_SECRET_LEN];
    char hex[2 * API_WEBHOOK_SEALED_LEN + 1], text[API_WEBHOOK_SECRET_MAX];
    cr_assert(api_token_keys_add(&keys, "k1", "0123456789abcdef0123456789abcdef"));
    cr_assert(api_token_keys_add(&others, "k1", "fedcba9876543210fedcba9876543210"));
    api_webhook_secret_make(&keys, sealed);
    (void)sodium_bin2hex(hex, sizeof(hex), sealed, sizeof(sealed));
    cr_assert(api_webhook_secret_open(&keys, "k1", hex, secret));
    api_webhook_secret_text(secret, text);
    cr_expect_eq(strlen(text), 50);
    cr_expect(strncmp(text, "whsec_", 6) == 0);
    cr_expect(!api_webhook_secret_open(&keys, "k2", hex, secret));
    cr_expect(!api_webhook_secret_open(&others, "k1", hex, secret));
    hex[0] = hex[0] == '0' ? '1' : '0';
    cr_expect(!api_webhook_secret_open(&keys, "k1", hex, secret));
    cr_expect(!api_webhook_secret_open(&keys, "k1", "", secret));
}
