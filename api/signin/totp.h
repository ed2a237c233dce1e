/* Second-factor codes: TOTP (RFC 6238) with SHA-1, six digits, and steps of 30 s, which every authenticator
 * app supports, and recovery codes as a substitute. Pure except for random bytes, any thread. */
#ifndef RUMMYD_API_TOTP_H
#define RUMMYD_API_TOTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define API_TOTP_SECRET_LEN 20 /* RFC 4226, 4 recommends 160 bits */
#define API_TOTP_STEP_S 30
#define API_TOTP_WINDOW 1 /* accepted steps before and after the current one, for clock differences */
#define API_TOTP_DIGITS 6

/* The code of a step: Unix time divided by API_TOTP_STEP_S. */
void api_totp_code(const uint8_t secret[API_TOTP_SECRET_LEN], int64_t step, char out[API_TOTP_DIGITS + 1]);
/* The step of this code within the window around now_s; 0: none. Takes constant time for codes of the right
 * length. */
int64_t api_totp_step_of(const uint8_t secret[API_TOTP_SECRET_LEN], const char *code, int64_t now_s);

/* Writes the secret for typing into an app, in base32 (RFC 4648). */
#define API_TOTP_TEXT_MAX 33
void api_totp_text(const uint8_t secret[API_TOTP_SECRET_LEN], char out[API_TOTP_TEXT_MAX]);
/* Writes the URI with secret and label for a QR code:
 * https://github.com/google/google-authenticator/wiki/Key-Uri-Format. email: ASCII, at most 254 bytes. */
#define API_TOTP_URI_MAX 1024
void api_totp_uri(const char *text, const char *email, char out[API_TOTP_URI_MAX]);

/* --- recovery codes --- */

#define API_RECOVERY_CODES_N 10
#define API_RECOVERY_CHARS 24    /* base32; 120 random bits suffice for a plain hash (OWASP ASVS 5, 6.5.2) */
#define API_RECOVERY_TEXT_MAX 30 /* in groups of four with dashes, including the NUL */

/* Makes a recovery code, and the hash of its form after api_factor_read. */
void api_recovery_make(char out[API_RECOVERY_TEXT_MAX], uint8_t hash[32]);

/* --- user input --- */

/* Removes spaces and dashes and converts to upper case. false: neither six digits nor a recovery code. */
bool api_factor_read(const char *text, char out[API_RECOVERY_CHARS + 1]);
/* For body specs. */
bool api_valid_factor_code(const char *text);

#endif
