/* Passwords, hashed with argon2id after normalization to NFC. Takes tens of milliseconds and 64 MiB: call it
 * only on workers, never on a loop's thread. */
#ifndef RUMMYD_API_PASSWORD_H
#define RUMMYD_API_PASSWORD_H

#include <stdbool.h>

#define API_PASSWORD_HASH_MAX 128 /* bytes of a stored hash, including the NUL */

/* password: of a length that the rules accept (api/signin/password_rules.h). false: out of memory. */
bool api_password_hash(const char *password, char out[API_PASSWORD_HASH_MAX]);
/* An empty hash takes as long as a real one and never matches: it stands for a nonexistent account. */
bool api_password_fits(const char *password, const char *hash);

#endif
