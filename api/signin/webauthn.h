/* Passkeys: parses the output of authenticators strictly, as returned by browsers (WebAuthn level 3,
 * https://www.w3.org/TR/webauthn-3/), and verifies it with libfido2. passkeys.c and passkey_login.c run the
 * ceremonies. Stateless; any thread. */
#ifndef RUMMYD_API_WEBAUTHN_H
#define RUMMYD_API_WEBAUTHN_H

#include "api/core/problem.h"
#include "api/core/token.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    API_WEBAUTHN_CREDENTIAL_MAX = 1023, /* bytes of a credential id (WebAuthn, 4) */
    API_WEBAUTHN_KEY_MAX = 259,         /* bytes of a stored public key (RSA of 2048 bits) */
    API_WEBAUTHN_HANDLE_LEN = 32,       /* of a user handle */
    API_WEBAUTHN_CLIENT_MAX = 2048,     /* of a client data text */
    API_WEBAUTHN_DATA_MAX = 2048,       /* of authenticator data */
    API_WEBAUTHN_OBJECT_MAX = 4096,     /* of an attestation object */
    API_WEBAUTHN_SIGNATURE_MAX = 512,
    API_WEBAUTHN_DEPTH_MAX = 4, /* of nested CBOR: an attestation object has a statement that has a list */
    API_WEBAUTHN_ORIGIN_MAX = 512,
};

/* The relying party of the passkeys. Constant after startup. */
struct api_webauthn_site {
    char id[256]; /* the domain to which passkeys are bound; empty: passkeys are off */
    char name[64];
    uint8_t id_hash[32];
    char origins[512]; /* comma-separated origins from which passkeys can be used */
    bool dev;
    bool (*origin_ok)(const struct api_webauthn_site *site, const char *origin);
};

struct api_webauthn_bytes {
    const uint8_t *at;
    size_t len;
};

/* An authenticator's state, reported each time. */
struct api_webauthn_state {
    uint32_t sign_count; /* number of uses; 0: the authenticator does not count */
    bool backup_eligible, backed_up;
};

/* Parses a client data text (JSON) of type "webauthn.create" or "webauthn.get". Returns API_OK and the
 * challenge as issued, or the reason for the rejection. */
enum api_code api_webauthn_client(const struct api_webauthn_site *site, const char *type,
                                  struct api_webauthn_bytes text, char challenge[API_TOKEN_RANDOM_MAX]);

/* The stored name of an algorithm: "ES256". NULL after the last. */
const char *api_webauthn_algorithm(size_t i);
/* The algorithm's COSE number, as browsers expect it. */
int api_webauthn_algorithm_number(size_t i);

/* A new passkey. */
struct api_webauthn_passkey {
    uint8_t credential_id[API_WEBAUTHN_CREDENTIAL_MAX];
    size_t credential_len;
    const char *algorithm;
    uint8_t key[API_WEBAUTHN_KEY_MAX];
    size_t key_len;
    struct api_webauthn_state state;
};
/* Parses an attestation object: format "none", or "packed" signed with the passkey's own key. */
enum api_code api_webauthn_attested(const struct api_webauthn_site *site, struct api_webauthn_bytes bytes,
                                    struct api_webauthn_bytes client, struct api_webauthn_passkey *passkey);

/* Parses a login's authenticator data; api_webauthn_signed checks its signature. */
enum api_code api_webauthn_state_read(const struct api_webauthn_site *site, struct api_webauthn_bytes data,
                                      struct api_webauthn_state *state);

/* Whether authenticator data and client data were signed with the key. Takes 0.25 ms, so call it on a
 * worker. */
bool api_webauthn_signed(const struct api_webauthn_site *site, const char *algorithm,
                         struct api_webauthn_bytes key, struct api_webauthn_bytes data,
                         struct api_webauthn_bytes client, struct api_webauthn_bytes signature);

#endif
