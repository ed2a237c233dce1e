/* Parses and verifies authenticators' output; see webauthn.h. libfido2 parses keys and checks signatures.
 * This file checks its input first, because libfido2 accepts trailing bytes and allocates as much memory as
 * untrusted CBOR specifies. */
#include "api/signin/webauthn.h"

#include "api/core/validators.h"
#include "base/bug.h"
#include "base/jread.h"
#include "base/text.h"

#include <fido.h>
#include <fido/eddsa.h>
#include <fido/es256.h>
#include <fido/rs256.h>
#include <string.h>

/* --- client data --- */

/* Reads a string member. false: it is missing, not a string, or too long. */
static bool read_text(const struct jread_node *root, const char *name, char *out, size_t cap)
{
    const struct jread_node *node = jread_member(root, name);
    return node && node->kind == JREAD_STRING && jread_text(node, out, cap) < cap;
}

enum api_code api_webauthn_client(const struct api_webauthn_site *site, const char *type,
                                  struct api_webauthn_bytes text, char challenge[API_TOKEN_RANDOM_MAX])
{
    struct jread tree;
    char origin[API_WEBAUTHN_ORIGIN_MAX];
    const char *json = (const char *)text.at;
    if (text.len > API_WEBAUTHN_CLIENT_MAX || !text_utf8_ok(json, text.len) ||
        jread(&tree, json, text.len) != JREAD_OK || tree.nodes[0].kind != JREAD_OBJECT)
        return API_PASSKEY_BAD;
    const struct jread_node *root = &tree.nodes[0], *stated_type = jread_member(root, "type");
    if (!stated_type || !jread_is(stated_type, type) ||
        !read_text(root, "challenge", challenge, API_TOKEN_RANDOM_MAX) ||
        strlen(challenge) != API_TOKEN_RANDOM_MAX - 1 || !api_valid_token(challenge))
        return API_PASSKEY_BAD;
    const struct jread_node *cross = jread_member(root, "crossOrigin");
    if (!read_text(root, "origin", origin, sizeof(origin)) || !site->origin_ok(site, origin) ||
        (cross && cross->kind != JREAD_FALSE) || jread_member(root, "topOrigin"))
        return API_PASSKEY_ELSEWHERE;
    return API_OK;
}

/* --- algorithms --- */

/* Algorithms in the order in which they are offered. */
static const struct {
    const char *name;
    int number;
    size_t key_len;
} algorithms[] = {
    {"ES256", COSE_ES256, 64},
    {"EdDSA", COSE_EDDSA, 32},
    {"RS256", COSE_RS256, 259},
};

const char *api_webauthn_algorithm(size_t i)
{
    return i < ARRAY_LEN(algorithms) ? algorithms[i].name : NULL;
}

int api_webauthn_algorithm_number(size_t i)
{
    ASSERT(i < ARRAY_LEN(algorithms));
    return algorithms[i].number;
}

/* A public key in libfido2's types. */
struct key {
    int number;
    es256_pk_t *es256;
    eddsa_pk_t *eddsa;
    rs256_pk_t *rs256;
};

static void free_key(struct key *key)
{
    es256_pk_free(&key->es256);
    eddsa_pk_free(&key->eddsa);
    rs256_pk_free(&key->rs256);
}

/* false: the bytes are not a key; they have the wrong length or are not on the curve. */
static bool read_key(struct key *key, const char *algorithm, const uint8_t *bytes, size_t len)
{
    *key = (struct key){0};
    for (size_t i = 0; i < ARRAY_LEN(algorithms); i++)
        if (strcmp(algorithms[i].name, algorithm) == 0 && algorithms[i].key_len == len)
            key->number = algorithms[i].number;
    switch (key->number) {
    case COSE_ES256:
        key->es256 = es256_pk_new();
        return key->es256 && es256_pk_from_ptr(key->es256, bytes, len) == FIDO_OK;
    case COSE_EDDSA:
        key->eddsa = eddsa_pk_new();
        return key->eddsa && eddsa_pk_from_ptr(key->eddsa, bytes, len) == FIDO_OK;
    case COSE_RS256:
        key->rs256 = rs256_pk_new();
        return key->rs256 && rs256_pk_from_ptr(key->rs256, bytes, len) == FIDO_OK;
    default:
        return false;
    }
}

/* --- authenticator data --- */

enum { /* WebAuthn, 6.1 */
       AT_FLAGS = 32,
       AT_COUNT = 33,
       AT_AAGUID = 37,
       AT_CREDENTIAL_LEN = 53,
       AT_CREDENTIAL = 55,
       FLAG_PRESENT = 0x01,
       FLAG_VERIFIED = 0x04,
       FLAG_ELIGIBLE = 0x08,
       FLAG_BACKED_UP = 0x10,
       FLAG_CREDENTIAL = 0x40,
       FLAG_EXTENSIONS = 0x80,
};

/* Reads the head of a CBOR item: its kind and a number. NULL: the head is incomplete or has an indefinite
 * length. */
static const uint8_t *cbor_head(const uint8_t *at, const uint8_t *end, unsigned *kind, uint64_t *number)
{
    if (at == end)
        return NULL;
    const unsigned more = *at & 0x1Fu;
    *kind = *at++ >> 5;
    *number = more;
    if (more < 24)
        return at;
    const size_t len = more <= 27 ? (size_t)1 << (more - 24) : 0;
    if (len == 0 || (size_t)(end - at) < len)
        return NULL;
    *number = 0;
    for (size_t i = 0; i < len; i++)
        *number = *number << 8 | *at++;
    return at;
}

enum { CBOR_BYTES = 2, CBOR_TEXT = 3, CBOR_LIST = 4, CBOR_MAP = 5, CBOR_TAG = 6 };

/* The end of the CBOR item that begins at `at`; NULL: it does not end before `end`. */
static const uint8_t *cbor_end(const uint8_t *at, const uint8_t *end, int depth)
{
    unsigned kind;
    uint64_t number;
    at = depth <= API_WEBAUTHN_DEPTH_MAX ? cbor_head(at, end, &kind, &number) : NULL;
    if (!at || kind == CBOR_TAG)
        return NULL;
    if (kind < CBOR_BYTES || kind > CBOR_MAP) /* a number, true, false, or null */
        return at;
    const size_t left = (size_t)(end - at);
    if (number > left)
        return NULL;
    if (kind <= CBOR_TEXT)
        return at + number;
    for (uint64_t n = kind == CBOR_MAP ? 2 * number : number; n > 0 && at; n--)
        at = cbor_end(at, end, depth + 1);
    return at;
}

/* Reads the fixed part, and checks that exactly the parts announced by its flags follow. */
static enum api_code read_data(const struct api_webauthn_site *site, struct api_webauthn_bytes data,
                               bool credential, struct api_webauthn_state *state)
{
    if (data.len < AT_AAGUID || data.len > API_WEBAUTHN_DATA_MAX)
        return API_PASSKEY_BAD;
    const uint8_t flags = data.at[AT_FLAGS], *end = data.at + data.len, *at = data.at + AT_AAGUID;
    if (((flags & FLAG_CREDENTIAL) != 0) != credential)
        return API_PASSKEY_BAD;
    if (credential) {
        if (data.len < AT_CREDENTIAL)
            return API_PASSKEY_BAD;
        const size_t len = (size_t)data.at[AT_CREDENTIAL_LEN] << 8 | data.at[AT_CREDENTIAL_LEN + 1];
        if (len == 0 || len > API_WEBAUTHN_CREDENTIAL_MAX || len > data.len - AT_CREDENTIAL)
            return API_PASSKEY_BAD;
        at = cbor_end(data.at + AT_CREDENTIAL + len, end, 1);
    }
    if (at && (flags & FLAG_EXTENSIONS))
        at = cbor_end(at, end, 1);
    if (at != end)
        return API_PASSKEY_BAD;
    if (!text_equal_ct(data.at, sizeof(site->id_hash), site->id_hash, sizeof(site->id_hash)))
        return API_PASSKEY_ELSEWHERE;
    if (!(flags & FLAG_PRESENT) || !(flags & FLAG_VERIFIED))
        return API_PASSKEY_UNVERIFIED;
    if ((flags & FLAG_BACKED_UP) && !(flags & FLAG_ELIGIBLE))
        return API_PASSKEY_BAD;
    const uint8_t *count = data.at + AT_COUNT;
    state->sign_count =
        (uint32_t)count[0] << 24 | (uint32_t)count[1] << 16 | (uint32_t)count[2] << 8 | count[3];
    state->backup_eligible = (flags & FLAG_ELIGIBLE) != 0;
    state->backed_up = (flags & FLAG_BACKED_UP) != 0;
    return API_OK;
}

enum api_code api_webauthn_state_read(const struct api_webauthn_site *site, struct api_webauthn_bytes data,
                                      struct api_webauthn_state *state)
{
    return read_data(site, data, false, state);
}

/* --- a new passkey --- */

/* The members of an attestation object. */
struct object {
    struct api_webauthn_bytes fmt, statement, data;
};

/* Reads the contents of a text or byte string. false: the item is not of this kind. */
static bool read_string(const uint8_t *at, const uint8_t *end, unsigned wanted,
                        struct api_webauthn_bytes *bytes)
{
    unsigned kind;
    uint64_t number;
    at = cbor_head(at, end, &kind, &number);
    if (!at || kind != wanted || number != (uint64_t)(end - at))
        return false;
    *bytes = (struct api_webauthn_bytes){at, (size_t)number};
    return true;
}

static bool is(struct api_webauthn_bytes bytes, const char *text)
{
    return bytes.len == strlen(text) && memcmp(bytes.at, text, bytes.len) == 0;
}

/* Reads a map of exactly three members in any order (WebAuthn, 6.5). */
static bool read_object(struct api_webauthn_bytes bytes, struct object *object)
{
    const uint8_t *end = bytes.at + bytes.len, *at = bytes.at;
    if (bytes.len == 0 || bytes.len > API_WEBAUTHN_OBJECT_MAX || *at++ != (CBOR_MAP << 5 | 3))
        return false;
    *object = (struct object){0};
    for (int i = 0; i < 3; i++) {
        struct api_webauthn_bytes name;
        const uint8_t *value = cbor_end(at, end, 2), *next = value ? cbor_end(value, end, 2) : NULL;
        if (!next || !read_string(at, value, CBOR_TEXT, &name))
            return false;
        at = next;
        if (is(name, "attStmt"))
            object->statement = (struct api_webauthn_bytes){value, (size_t)(next - value)};
        else if (!(is(name, "fmt")
                       ? read_string(value, next, CBOR_TEXT, &object->fmt)
                       : is(name, "authData") && read_string(value, next, CBOR_BYTES, &object->data)))
            return false;
    }
    return at == end && object->fmt.at && object->statement.at && object->data.at;
}

/* Tries each supported algorithm, because libfido2 requires the algorithm before it reads the key. NULL:
 * unsupported. */
static fido_cred_t *read_credential(struct api_webauthn_bytes data, const char **algorithm)
{
    for (size_t i = 0; i < ARRAY_LEN(algorithms); i++) {
        fido_cred_t *cred = fido_cred_new();
        if (cred && fido_cred_set_type(cred, algorithms[i].number) == FIDO_OK &&
            fido_cred_set_authdata_raw(cred, data.at, data.len) == FIDO_OK) {
            *algorithm = algorithms[i].name;
            return cred;
        }
        fido_cred_free(&cred);
    }
    return NULL;
}

/* The server requests no attestation, but browsers keep a self attestation, which must then be valid. */
static bool statement_ok(const struct api_webauthn_site *site, const struct object *object, fido_cred_t *cred,
                         struct api_webauthn_bytes client)
{
    if (is(object->fmt, "none"))
        return true;
    return is(object->fmt, "packed") && fido_cred_set_fmt(cred, "packed") == FIDO_OK &&
           fido_cred_set_attstmt(cred, object->statement.at, object->statement.len) == FIDO_OK &&
           fido_cred_set_clientdata(cred, client.at, client.len) == FIDO_OK &&
           fido_cred_set_rp(cred, site->id, NULL) == FIDO_OK &&
           fido_cred_set_uv(cred, FIDO_OPT_TRUE) == FIDO_OK && fido_cred_verify_self(cred) == FIDO_OK;
}

static bool take_over(fido_cred_t *cred, struct api_webauthn_passkey *passkey)
{
    struct key key;
    const bool sound =
        read_key(&key, passkey->algorithm, fido_cred_pubkey_ptr(cred), fido_cred_pubkey_len(cred));
    free_key(&key);
    if (!sound)
        return false;
    passkey->credential_len = fido_cred_id_len(cred);
    passkey->key_len = fido_cred_pubkey_len(cred);
    ASSERT(passkey->credential_len > 0 && passkey->credential_len <= sizeof(passkey->credential_id));
    ASSERT(passkey->key_len <= sizeof(passkey->key));
    memcpy(passkey->credential_id, fido_cred_id_ptr(cred), passkey->credential_len);
    memcpy(passkey->key, fido_cred_pubkey_ptr(cred), passkey->key_len);
    return true;
}

enum api_code api_webauthn_attested(const struct api_webauthn_site *site, struct api_webauthn_bytes bytes,
                                    struct api_webauthn_bytes client, struct api_webauthn_passkey *passkey)
{
    struct object object;
    if (!read_object(bytes, &object))
        return API_PASSKEY_BAD;
    const enum api_code code = read_data(site, object.data, true, &passkey->state);
    if (code != API_OK)
        return code;
    fido_init(0);
    fido_cred_t *cred = read_credential(object.data, &passkey->algorithm);
    const bool ok = cred && take_over(cred, passkey) && statement_ok(site, &object, cred, client);
    fido_cred_free(&cred);
    return ok ? API_OK : API_PASSKEY_BAD;
}

/* --- signatures --- */

static bool verify(fido_assert_t *assertion, const struct key *key)
{
    const void *pk = key->number == COSE_ES256   ? (const void *)key->es256
                     : key->number == COSE_EDDSA ? (const void *)key->eddsa
                                                 : (const void *)key->rs256;
    return fido_assert_verify(assertion, 0, key->number, pk) == FIDO_OK;
}

bool api_webauthn_signed(const struct api_webauthn_site *site, const char *algorithm,
                         struct api_webauthn_bytes key_bytes, struct api_webauthn_bytes data,
                         struct api_webauthn_bytes client, struct api_webauthn_bytes signature)
{
    fido_init(0);
    struct key key;
    fido_assert_t *assertion = fido_assert_new();
    const bool ok = read_key(&key, algorithm, key_bytes.at, key_bytes.len) && assertion &&
                    fido_assert_set_clientdata(assertion, client.at, client.len) == FIDO_OK &&
                    fido_assert_set_rp(assertion, site->id) == FIDO_OK &&
                    fido_assert_set_up(assertion, FIDO_OPT_TRUE) == FIDO_OK &&
                    fido_assert_set_uv(assertion, FIDO_OPT_TRUE) == FIDO_OK &&
                    fido_assert_set_count(assertion, 1) == FIDO_OK &&
                    fido_assert_set_authdata_raw(assertion, 0, data.at, data.len) == FIDO_OK &&
                    fido_assert_set_sig(assertion, 0, signature.at, signature.len) == FIDO_OK &&
                    verify(assertion, &key);
    free_key(&key);
    fido_assert_free(&assertion);
    return ok;
}
