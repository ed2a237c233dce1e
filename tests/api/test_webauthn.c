/* Data of authenticators and browsers, from vectors (tests/support/authenticator.py): valid data is
 * accepted; with any byte changed, removed, or added it is rejected. */
#include "api/signin/webauthn.h"

#include "base/bug.h"
#include "base/text.h"

#include <criterion/criterion.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define SITE "play.example.org"
#define ORIGIN "https://play.example.org"
#define CHALLENGE "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

static const struct vector {
    const char *algorithm, *object, *created, *got, *data, *signature;
} vectors[] = {
#define VECTOR(algorithm, object, created, got, data, signature)                                             \
    {algorithm, object, created, got, data, signature},
#include "tests/api/webauthn_vectors.def"
#undef VECTOR
};

static bool origin_ok(const struct api_webauthn_site *site, const char *origin)
{
    return strcmp(site->origins, origin) == 0;
}

static struct api_webauthn_site site = {.id = SITE, .origins = ORIGIN, .origin_ok = origin_ok};

static void setup(void)
{
    cr_assert(sodium_init() >= 0);
    crypto_hash_sha256(site.id_hash, (const unsigned char *)SITE, strlen(SITE));
}
TestSuite(webauthn, .init = setup);

/* A vector's bytes. */
struct loaded {
    const char *algorithm;
    uint8_t mem[5][API_WEBAUTHN_OBJECT_MAX + 1];
    struct api_webauthn_bytes object, created, got, data, signature;
    struct api_webauthn_passkey passkey;
};

static struct loaded *load(size_t i)
{
    static struct loaded loaded;
    const struct vector *v = &vectors[i];
    const char *texts[] = {v->object, v->created, v->got, v->data, v->signature};
    struct api_webauthn_bytes *all[] = {&loaded.object, &loaded.created, &loaded.got, &loaded.data,
                                        &loaded.signature};
    loaded.algorithm = v->algorithm;
    for (size_t t = 0; t < ARRAY_LEN(texts); t++) {
        const int len = text_unhex(loaded.mem[t], API_WEBAUTHN_OBJECT_MAX, texts[t], strlen(texts[t]));
        cr_assert(len > 0);
        *all[t] = (struct api_webauthn_bytes){loaded.mem[t], (size_t)len};
    }
    return &loaded;
}

static enum api_code attested(struct loaded *v)
{
    return api_webauthn_attested(&site, v->object, v->created, &v->passkey);
}

static bool is_signed(const struct loaded *v)
{
    const struct api_webauthn_bytes key = {v->passkey.key, v->passkey.key_len};
    return api_webauthn_signed(&site, v->algorithm, key, v->data, v->got, v->signature);
}

Test(webauthn, valid_credentials_are_accepted)
{
    for (size_t i = 0; i < ARRAY_LEN(vectors); i++) {
        struct loaded *v = load(i);
        char challenge[API_TOKEN_RANDOM_MAX];
        struct api_webauthn_state state;
        cr_assert_eq(api_webauthn_client(&site, "webauthn.create", v->created, challenge), API_OK);
        cr_assert_str_eq(challenge, CHALLENGE);
        cr_assert_eq(attested(v), API_OK, "%s", v->algorithm);
        cr_assert_str_eq(v->passkey.algorithm, v->algorithm);
        cr_assert_eq(v->passkey.credential_len, 20);
        cr_assert_eq(v->passkey.credential_id[19], 119);
        cr_assert_eq(v->passkey.state.sign_count, 7);
        cr_assert_eq(v->passkey.state.backed_up, strcmp(v->algorithm, "EdDSA") == 0);
        cr_assert_eq(api_webauthn_client(&site, "webauthn.get", v->got, challenge), API_OK);
        cr_assert_eq(api_webauthn_state_read(&site, v->data, &state), API_OK);
        cr_assert_eq(state.sign_count, 7);
        cr_assert(is_signed(v));
    }
}

Test(webauthn, changed_data_does_not_verify)
{
    for (size_t i = 0; i < 3; i++) {
        struct loaded *v = load(i);
        cr_assert_eq(attested(v), API_OK);
        const struct {
            uint8_t *at;
            size_t len;
        } parts[] = {{v->mem[2], v->got.len},
                     {v->mem[3], v->data.len},
                     {v->mem[4], v->signature.len},
                     {v->passkey.key, v->passkey.key_len}};
        for (size_t p = 0; p < ARRAY_LEN(parts); p++)
            for (size_t at = 0; at < parts[p].len; at++) {
                parts[p].at[at] ^= 0x04;
                cr_assert(!is_signed(v), "%s, part %zu, byte %zu", v->algorithm, p, at);
                parts[p].at[at] ^= 0x04;
            }
        cr_assert(is_signed(v));
    }
}

Test(webauthn, a_key_of_another_algorithm_verifies_nothing)
{
    struct loaded *v = load(0);
    cr_assert_eq(attested(v), API_OK);
    static const char *const names[] = {"EdDSA", "RS256", "ES384", ""};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        v->algorithm = names[i];
        cr_assert(!is_signed(v));
    }
}

Test(webauthn, truncated_and_overlong_objects_are_refused)
{
    for (size_t i = 0; i < ARRAY_LEN(vectors); i++) {
        struct loaded *v = load(i);
        const size_t whole = v->object.len;
        for (v->object.len = 0; v->object.len < whole; v->object.len++)
            cr_assert_eq(attested(v), API_PASSKEY_BAD, "%zu of %zu", v->object.len, whole);
        v->object.len = whole + 1;
        cr_assert_eq(attested(v), API_PASSKEY_BAD);
        v->object.len = API_WEBAUTHN_OBJECT_MAX + 1;
        cr_assert_eq(attested(v), API_PASSKEY_BAD);
        v->object.len = whole;
        cr_assert_eq(attested(v), API_OK);
    }
}

Test(webauthn, flipped_bits_in_an_object_do_not_crash)
{
    for (size_t i = 0; i < ARRAY_LEN(vectors); i++) {
        struct loaded *v = load(i);
        for (size_t at = 0; at < v->object.len; at++)
            for (int bit = 0; bit < 8; bit++) {
                v->mem[0][at] ^= (uint8_t)(1 << bit);
                (void)attested(v);
                v->mem[0][at] ^= (uint8_t)(1 << bit);
            }
        cr_assert_eq(attested(v), API_OK);
    }
}

/* Nested deeper than any valid data, or with absurd lengths. */
Test(webauthn, endless_and_deeply_nested_lists_are_refused)
{
    struct loaded *v = load(0);
    static const char *const objects[] = {
        "a363666d74646e6f6e656761747453746d748181818181808068617574684461746140",
        "a363666d74646e6f6e656761747453746d749bffffffffffffffff6861757468446174614100",
        "a363666d74646e6f6e656761747453746d74bfff6861757468446174614100",
        "a363666d74646e6f6e656761747453746d745bffffffffffffffff6861757468446174614100",
        "a363666d74646e6f6e656761747453746d74c0a06861757468446174614100",
        "bb0000000000000003",
        "a363666d74646e6f6e6563666d74646e6f6e6563666d74646e6f6e65",
    };
    for (size_t i = 0; i < ARRAY_LEN(objects); i++) {
        const int len = text_unhex(v->mem[0], API_WEBAUTHN_OBJECT_MAX, objects[i], strlen(objects[i]));
        cr_assert(len > 0);
        v->object.len = (size_t)len;
        cr_assert_eq(attested(v), API_PASSKEY_BAD);
    }
}

static enum api_code client(const char *text)
{
    char challenge[API_TOKEN_RANDOM_MAX];
    const struct api_webauthn_bytes bytes = {(const uint8_t *)text, strlen(text)};
    return api_webauthn_client(&site, "webauthn.get", bytes, challenge);
}

#define CLIENT(type, challenge, origin, more)                                                                \
    "{\"type\":\"" type "\",\"challenge\":\"" challenge "\",\"origin\":\"" origin "\"" more "}"

Test(webauthn, client_data_is_checked)
{
    cr_assert_eq(client(CLIENT("webauthn.get", CHALLENGE, ORIGIN, "")), API_OK);
    cr_assert_eq(client(CLIENT("webauthn.get", CHALLENGE, ORIGIN, ",\"crossOrigin\":false,\"x\":[{}]")),
                 API_OK);
    cr_assert_eq(client(CLIENT("webauthn.create", CHALLENGE, ORIGIN, "")), API_PASSKEY_BAD);
    cr_assert_eq(client(CLIENT("webauthn.get", CHALLENGE "A", ORIGIN, "")), API_PASSKEY_BAD);
    cr_assert_eq(client(CLIENT("webauthn.get", "AA+CAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", ORIGIN, "")),
                 API_PASSKEY_BAD);
    cr_assert_eq(client(CLIENT("webauthn.get", CHALLENGE, ORIGIN "/", "")), API_PASSKEY_ELSEWHERE);
    cr_assert_eq(client(CLIENT("webauthn.get", CHALLENGE, ORIGIN, ",\"crossOrigin\":true")),
                 API_PASSKEY_ELSEWHERE);
    cr_assert_eq(client(CLIENT("webauthn.get", CHALLENGE, ORIGIN, ",\"topOrigin\":\"" ORIGIN "\"")),
                 API_PASSKEY_ELSEWHERE);
    cr_assert_eq(client(CLIENT("webauthn.get", CHALLENGE, ORIGIN, " ")), API_OK);
    cr_assert_eq(client(CLIENT("webauthn.get", CHALLENGE, ORIGIN, "") "x"), API_PASSKEY_BAD);
    char text[API_WEBAUTHN_CLIENT_MAX + 2];
    (void)snprintf(text, sizeof(text), "%-*s", API_WEBAUTHN_CLIENT_MAX,
                   CLIENT("webauthn.get", CHALLENGE, ORIGIN, ""));
    cr_assert_eq(client(text), API_OK);
    strcat(text, " ");
    cr_assert_eq(client(text), API_PASSKEY_BAD);
    (void)snprintf(text, sizeof(text),
                   "{\"type\":\"webauthn.get\",\"challenge\":\"" CHALLENGE "\",\"origin\":\"%0*d\"}",
                   API_WEBAUTHN_ORIGIN_MAX, 0);
    cr_assert_eq(client(text), API_PASSKEY_ELSEWHERE);
}
