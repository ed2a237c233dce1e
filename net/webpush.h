/* Web Push: messages encrypted for one browser (RFC 8291, aes128gcm) and the sender's identification (VAPID,
 * RFC 8292). Pure except for random bytes, any thread. */
#ifndef RUMMYD_NET_WEBPUSH_H
#define RUMMYD_NET_WEBPUSH_H

#include <openssl/evp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NET_WEBPUSH_POINT = 65, /* bytes of an uncompressed P-256 public key */
    NET_WEBPUSH_AUTH = 16,
    NET_WEBPUSH_SALT = 16,
    NET_WEBPUSH_PLAIN_MAX = 3000, /* bytes of a message that every service accepts */
    NET_WEBPUSH_MORE = NET_WEBPUSH_SALT + 4 + 1 + 65 + 1 + 16, /* bytes added by encryption */
    NET_WEBPUSH_MAX = NET_WEBPUSH_PLAIN_MAX + NET_WEBPUSH_MORE,
    NET_WEBPUSH_KEY_MAX = 88, /* bytes of a public key in base64url, including the NUL */
    NET_WEBPUSH_PROOF_MAX = 1024,
};

/* Whether this is a point on the curve. */
bool net_webpush_point_ok(const uint8_t point[NET_WEBPUSH_POINT]);

/* Encrypts for a browser's key and secret. Returns the length of out; 0: invalid key, or out of memory. */
size_t net_webpush_encrypt(const uint8_t point[NET_WEBPUSH_POINT], const uint8_t auth[NET_WEBPUSH_AUTH],
                           const char *plain, size_t len, uint8_t out[NET_WEBPUSH_MAX]);
/* The same with a given sender key and salt; normally each message uses new ones. */
size_t net_webpush_encrypt_with(EVP_PKEY *sender, const uint8_t salt[NET_WEBPUSH_SALT],
                                const uint8_t point[NET_WEBPUSH_POINT], const uint8_t auth[NET_WEBPUSH_AUTH],
                                const char *plain, size_t len, uint8_t out[NET_WEBPUSH_MAX]);

/* Parses the P-256 private key (PEM) that identifies the sender; NULL: invalid. Free it with
 * EVP_PKEY_free. */
EVP_PKEY *net_webpush_key_read(const char *pem, size_t len);
/* Writes its public key in the form for browsers. */
bool net_webpush_key_public(EVP_PKEY *key, char out[NET_WEBPUSH_KEY_MAX]);
/* "Authorization: vapid t=…, k=…" for a message to this URL. contact: a mailto: or https: URL. false: invalid
 * URL, or out of memory. */
bool net_webpush_proof(EVP_PKEY *key, const char *url, const char *contact, int64_t now_s,
                       char out[NET_WEBPUSH_PROOF_MAX]);

#endif
