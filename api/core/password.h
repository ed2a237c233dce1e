/* Passwords, hashed with argon2id after normalization to NFC. Hashing takes tens of milliseconds and 64
 * MiB, so call these functions only on workers, never on a loop's thread. */
#ifndef RUMMYD_API_PASSWORD_H
#define RUMMYD_API_PASSWORD_H

#include <stdbool.h>

#define API_PASSWORD_HASH_MAX 128 /* bytes of a stored hash, including the NUL */

/* The password must have a length that the rules accept (api/signin/password_rules.h). false: out of
 * memory. */
bool api_password_hash(const char *password, char out[API_PASSWORD_HASH_MAX]);
/* An empty hash represents a nonexistent account; it takes as long as a real one and never matches. */
bool api_password_fits(const char *password, const char *hash);

#endif
