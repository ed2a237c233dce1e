/* Codes of a second factor: TOTP (RFC 6238) with SHA-1, six digits and 30 seconds, which is what every
 * authenticator app knows, and recovery codes that stand in for one. Pure but for random bytes, any thread.
 */
#ifndef RUMMYD_API_TOTP_H
#define RUMMYD_API_TOTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define API_TOTP_SECRET_LEN 20 /* RFC 4226, 4: 160 bits are recommended */
#define API_TOTP_STEP_S 30
#define API_TOTP_WINDOW 1 /* steps before and after ours that count, for clocks that differ */
#define API_TOTP_DIGITS 6

/* The code of a step: seconds since 1970 divided by API_TOTP_STEP_S. */
void api_totp_code(const uint8_t secret[API_TOTP_SECRET_LEN], int64_t step, char out[API_TOTP_DIGITS + 1]);
/* The step within the window around now_s whose code this is; 0: none. Takes the same time for any code of
 * the right length. */
int64_t api_totp_step_of(const uint8_t secret[API_TOTP_SECRET_LEN], const char *code, int64_t now_s);

/* The secret as an app takes it in: RFC 4648 base32. */
#define API_TOTP_TEXT_MAX 33
void api_totp_text(const uint8_t secret[API_TOTP_SECRET_LEN], char out[API_TOTP_TEXT_MAX]);
/* The same with what it is for, as a QR code has it:
 * https://github.com/google/google-authenticator/wiki/Key-Uri-Format. email: of ASCII, 254 bytes at most. */
#define API_TOTP_URI_MAX 1024
void api_totp_uri(const char *text, const char *email, char out[API_TOTP_URI_MAX]);

/* --- recovery codes --- */

#define API_RECOVERY_CODES_N 10
#define API_RECOVERY_CHARS 24    /* base32: 120 random bits, enough for a plain hash (OWASP ASVS 5, 6.5.2) */
#define API_RECOVERY_TEXT_MAX 30 /* in groups of four with dashes, with the NUL */

/* A new one, and the hash of what api_factor_read makes of it. */
void api_recovery_make(char out[API_RECOVERY_TEXT_MAX], uint8_t hash[32]);

/* --- what people type --- */

#define API_FACTOR_CODE_MIN API_TOTP_DIGITS
#define API_FACTOR_CODE_MAX 40 /* blanks and dashes included */

/* Leaves blanks and dashes out and makes small letters large. false: neither six digits nor a recovery code.
 */
bool api_factor_read(const char *text, char out[API_RECOVERY_CHARS + 1]);
/* For body specs. */
bool api_valid_factor_code(const char *text);

#endif
