/* Verifies calls signed with a secret; see signed.h. */
#include "pay/signed.h"

#include "base/text.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define SIGNATURES_MAX 8 /* in one header: two while a secret is being rotated */

/* "t=1492774577,v1=5257a8…,v1=…,v0=…": the time and the signatures of scheme v1. */
struct signature {
    int64_t t;
    char t_text[24];
    uint8_t macs[SIGNATURES_MAX][crypto_auth_hmacsha256_BYTES];
    int n;
};

static bool read_signature(const char *header, struct signature *s)
{
    *s = (struct signature){.t = -1};
    while (*header) {
        size_t len = strcspn(header, ",");
        if (len > 2 && strncmp(header, "t=", 2) == 0 && len - 2 < sizeof(s->t_text)) {
            (void)snprintf(s->t_text, sizeof(s->t_text), "%.*s", (int)(len - 2), header + 2);
            if (!text_i64(s->t_text, 0, INT64_MAX, &s->t))
                return false;
        } else if (len > 3 && strncmp(header, "v1=", 3) == 0 && s->n < SIGNATURES_MAX) {
            if (text_unhex(s->macs[s->n], sizeof(s->macs[0]), header + 3, len - 3) == (int)sizeof(s->macs[0]))
                s->n++;
        }
        header += len;
        header += strspn(header, ", ");
    }
    return s->t >= 0 && s->n > 0;
}

enum pay_hook_result pay_signed_check(const char *secret, const char *prefix, const char *header,
                                      const struct pay_hook *call)
{
    struct signature s;
    uint8_t mac[crypto_auth_hmacsha256_BYTES];
    crypto_auth_hmacsha256_state state;
    if (!header || !read_signature(header, &s))
        return PAY_HOOK_UNSIGNED;
    crypto_auth_hmacsha256_init(&state, (const unsigned char *)secret, strlen(secret));
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)prefix, strlen(prefix));
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)s.t_text, strlen(s.t_text));
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)".", 1);
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)call->body, call->len);
    crypto_auth_hmacsha256_final(&state, mac);
    bool good = false;
    for (int i = 0; i < s.n; i++)
        good = text_equal_ct(mac, sizeof(mac), s.macs[i], sizeof(s.macs[i])) || good;
    sodium_memzero(&state, sizeof(state));
    if (!good)
        return PAY_HOOK_UNSIGNED;
    int64_t age = call->now_s - s.t;
    return age > PAY_TOLERANCE_S || age < -PAY_TOLERANCE_S ? PAY_HOOK_STALE : PAY_HOOK_OK;
}
