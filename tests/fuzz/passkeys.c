/* Passkey data of browsers and authenticators: client data, authenticator data, attestation objects, keys,
 * and signatures of any bytes. Accepted values are within their limits, and nothing unsigned is accepted. */
#include "api/signin/webauthn.h"
#include "base/bug.h"

#include <sodium.h>
#include <string.h>

static bool origin_ok(const struct api_webauthn_site *site, const char *origin)
{
    (void)site;
    return strcmp(origin, "https://play.example.org") == 0;
}

static struct api_webauthn_site site = {.id = "play.example.org", .origin_ok = origin_ok};

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    ASSERT(sodium_init() >= 0);
    crypto_hash_sha256(site.id_hash, (const unsigned char *)site.id, strlen(site.id));
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char text[] = "{}";
    static const uint8_t zeros[API_WEBAUTHN_KEY_MAX];
    const struct api_webauthn_bytes bytes = {data, size}, client = {(const uint8_t *)text, sizeof(text) - 1};
    char challenge[API_TOKEN_RANDOM_MAX];
    if (api_webauthn_client(&site, "webauthn.get", bytes, challenge) == API_OK) {
        ASSERT(size <= API_WEBAUTHN_CLIENT_MAX && strlen(challenge) == API_TOKEN_RANDOM_MAX - 1);
        ASSERT(api_webauthn_client(&site, "webauthn.create", bytes, challenge) != API_OK);
    }
    struct api_webauthn_state state;
    if (api_webauthn_state_read(&site, bytes, &state) == API_OK)
        ASSERT(size >= 37 && size <= API_WEBAUTHN_DATA_MAX && (state.backup_eligible || !state.backed_up));
    struct api_webauthn_passkey passkey;
    if (api_webauthn_attested(&site, bytes, client, &passkey) == API_OK) {
        ASSERT(passkey.credential_len > 0 && passkey.credential_len <= sizeof(passkey.credential_id));
        ASSERT(passkey.key_len == 64 || passkey.key_len == 32 || passkey.key_len == 259);
        const struct api_webauthn_bytes key = {passkey.key, passkey.key_len}, none = {zeros, 70};
        ASSERT(!api_webauthn_signed(&site, passkey.algorithm, key, bytes, client, none));
    }
    for (size_t i = 0; api_webauthn_algorithm(i); i++)
        ASSERT(!api_webauthn_signed(&site, api_webauthn_algorithm(i), bytes, bytes, client, bytes));
    return 0;
}
