/* Password hashing through libsodium; see password.h. */
#include "api/password.h"

#include "base/bug.h"

#include <sodium.h>
#include <string.h>

_Static_assert(API_PASSWORD_HASH_MAX >= crypto_pwhash_STRBYTES, "a hash fits");

bool api_password_hash(const char *password, char out[API_PASSWORD_HASH_MAX])
{
    ASSERT(password[0] != '\0');
    return crypto_pwhash_str(out, password, strlen(password), crypto_pwhash_OPSLIMIT_INTERACTIVE,
                             crypto_pwhash_MEMLIMIT_INTERACTIVE) == 0;
}

/* The work of a verification whose outcome is known, so that its time tells nothing. */
static void waste(const char *password)
{
    static const unsigned char salt[crypto_pwhash_SALTBYTES] = {0};
    unsigned char out[32];
    int ignored =
        crypto_pwhash(out, sizeof(out), password, strlen(password), salt, crypto_pwhash_OPSLIMIT_INTERACTIVE,
                      crypto_pwhash_MEMLIMIT_INTERACTIVE, crypto_pwhash_ALG_ARGON2ID13);
    (void)ignored;
}

bool api_password_fits(const char *password, const char *hash)
{
    if (hash[0] == '\0') {
        waste(password);
        return false;
    }
    return crypto_pwhash_str_verify(hash, password, strlen(password)) == 0;
}
