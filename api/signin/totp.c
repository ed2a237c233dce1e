/* Second-factor codes with liboath; see totp.h. */
#include "api/signin/totp.h"

#include "base/bug.h"
#include "base/text.h"

#include <liboath/oath.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ISSUER "Rummy" /* the name that an app shows above the account */

static const char base32[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

void api_totp_code(const uint8_t secret[API_TOTP_SECRET_LEN], int64_t step, char out[API_TOTP_DIGITS + 1])
{
    char code[API_TOTP_DIGITS + 1];
    ASSERT(step >= 0);
    int result = oath_hotp_generate((const char *)secret, API_TOTP_SECRET_LEN, (uint64_t)step,
                                    API_TOTP_DIGITS, false, OATH_HOTP_DYNAMIC_TRUNCATION, code);
    ASSERT(result == OATH_OK && strlen(code) == API_TOTP_DIGITS);
    memcpy(out, code, sizeof(code));
}

int64_t api_totp_step_of(const uint8_t secret[API_TOTP_SECRET_LEN], const char *code, int64_t now_s)
{
    int64_t now = now_s / API_TOTP_STEP_S, found = 0;
    ASSERT(now > API_TOTP_WINDOW);
    for (int64_t step = now - API_TOTP_WINDOW; step <= now + API_TOTP_WINDOW; step++) {
        char right[API_TOTP_DIGITS + 1];
        api_totp_code(secret, step, right);
        bool fits = text_equal_ct(right, API_TOTP_DIGITS, code, strlen(code));
        found = fits ? step : found;
        sodium_memzero(right, sizeof(right));
    }
    return found;
}

/* Encodes in base32; only for lengths that need no padding. */
static void encode(const uint8_t *bytes, size_t len, char *out, size_t cap)
{
    char *text = NULL;
    size_t n = 0;
    ASSERT(len % 5 == 0);
    if (oath_base32_encode((const char *)bytes, len, &text, &n) != OATH_OK)
        BUG("no memory for base32");
    ASSERT(n == len / 5 * 8 && n < cap);
    memcpy(out, text, n);
    out[n] = '\0';
    sodium_memzero(text, n);
    free(text);
}

void api_totp_text(const uint8_t secret[API_TOTP_SECRET_LEN], char out[API_TOTP_TEXT_MAX])
{
    encode(secret, API_TOTP_SECRET_LEN, out, API_TOTP_TEXT_MAX);
}

void api_totp_uri(const char *text, const char *email, char out[API_TOTP_URI_MAX])
{
    char name[3 * 254 + 1];
    size_t n = 0;
    ASSERT(strlen(email) <= 254);
    for (const char *at = email; *at != '\0'; at++) {
        bool plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') ||
                     strchr("-._~", *at) != NULL;
        n += (size_t)snprintf(name + n, sizeof(name) - n, plain ? "%c" : "%%%02X", (unsigned char)*at);
    }
    int len = snprintf(out, API_TOTP_URI_MAX,
                       "otpauth://totp/" ISSUER ":%s?secret=%s&issuer=" ISSUER
                       "&algorithm=SHA1&digits=%d&period=%d",
                       name, text, API_TOTP_DIGITS, API_TOTP_STEP_S);
    ASSERT(len > 0 && len < API_TOTP_URI_MAX);
}

void api_recovery_make(char out[API_RECOVERY_TEXT_MAX], uint8_t hash[32])
{
    uint8_t bytes[API_RECOVERY_CHARS / 8 * 5];
    char code[API_RECOVERY_CHARS + 1];
    randombytes_buf(bytes, sizeof(bytes));
    encode(bytes, sizeof(bytes), code, sizeof(code));
    crypto_hash_sha256(hash, (const unsigned char *)code, API_RECOVERY_CHARS);
    size_t n = 0;
    for (size_t i = 0; i < API_RECOVERY_CHARS; i++) {
        if (i > 0 && i % 4 == 0)
            out[n++] = '-';
        out[n++] = code[i];
    }
    ASSERT(n == API_RECOVERY_TEXT_MAX - 1);
    out[n] = '\0';
    sodium_memzero(bytes, sizeof(bytes));
    sodium_memzero(code, sizeof(code));
}

bool api_factor_read(const char *text, char out[API_RECOVERY_CHARS + 1])
{
    size_t n = 0;
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == ' ' || *at == '-')
            continue;
        if (n == API_RECOVERY_CHARS)
            return false;
        out[n++] = (char)(*at >= 'a' && *at <= 'z' ? *at - 'a' + 'A' : *at);
    }
    out[n] = '\0';
    return (n == API_TOTP_DIGITS && strspn(out, "0123456789") == n) ||
           (n == API_RECOVERY_CHARS && strspn(out, base32) == n);
}

bool api_valid_factor_code(const char *text)
{
    char code[API_RECOVERY_CHARS + 1];
    return api_factor_read(text, code);
}
