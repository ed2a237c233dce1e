/* Password hashing with libsodium; see password.h. */
#include "api/core/password.h"

#include "api/core/unicode.h"
#include "base/bug.h"

#include <sodium.h>
#include <string.h>

_Static_assert(API_PASSWORD_HASH_MAX >= crypto_pwhash_STRBYTES, "a hash fits");

enum { NFC_MAX = 2048 }; /* enough for any password that the rules accept, including the NUL */

bool api_password_hash(const char *password, char out[API_PASSWORD_HASH_MAX])
{
    char nfc[NFC_MAX];
    bool fits = api_unicode_nfc(password, nfc, sizeof(nfc));
    ASSERT(fits && nfc[0] != '\0'); /* the length was checked before */
    bool ok = crypto_pwhash_str(out, nfc, strlen(nfc), crypto_pwhash_OPSLIMIT_INTERACTIVE,
                                crypto_pwhash_MEMLIMIT_INTERACTIVE) == 0;
    sodium_memzero(nfc, sizeof(nfc));
    return ok;
}

/* Takes as long as a verification, so that timing does not reveal a missing account. */
static void waste(const char *password)
{
    static const unsigned char salt[crypto_pwhash_SALTBYTES] = {0};
    unsigned char out[32];
    int ignored =
        crypto_pwhash(out, sizeof(out), password, strlen(password), salt, crypto_pwhash_OPSLIMIT_INTERACTIVE,
                      crypto_pwhash_MEMLIMIT_INTERACTIVE, crypto_pwhash_ALG_ARGON2ID13);
    (void)ignored;
}

static bool compare(const char *password, const char *hash)
{
    if (hash[0] != '\0')
        return crypto_pwhash_str_verify(hash, password, strlen(password)) == 0;
    waste(password);
    return false;
}

bool api_password_fits(const char *password, const char *hash)
{
    char nfc[NFC_MAX];
    if (!api_unicode_nfc(password, nfc, sizeof(nfc)))
        return false;
    /* Older hashes were made from the password as typed, without normalization. */
    bool ok = compare(nfc, hash) || (strcmp(nfc, password) != 0 && compare(password, hash));
    sodium_memzero(nfc, sizeof(nfc));
    return ok;
}
