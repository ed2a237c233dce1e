/* Checks the ID token (OpenID Connect Core, 3.1.3.7); see answers.h. */
#include "oidc/keys.h"

#include "base/text.h"
#include "net/jws.h"
#include "net/read.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static enum oidc_token_result bad(char why[OIDC_WHY_MAX], const char *what)
{
    (void)snprintf(why, OIDC_WHY_MAX, "id token: %s", what);
    return OIDC_TOKEN_BAD;
}

/* --- the signature --- */

/* Tries the keys that may have signed the token: those with its kid and those without a kid. If the token
 * has no kid, the set must have only one key for its algorithm. */
static enum oidc_token_result check_signature(const struct oidc_keys *keys, const struct net_jws *jws,
                                              char why[OIDC_WHY_MAX])
{
    char kid[OIDC_KID_MAX];
    enum oidc_alg alg = net_read_is(jws->header, "alg", "ES256") ? OIDC_ES256 : OIDC_RS256;
    if (alg == OIDC_RS256 && !net_read_is(jws->header, "alg", "RS256"))
        return bad(why, "neither RS256 nor ES256");
    bool named = net_read_has(jws->header, "kid");
    net_read_text(jws->header, "kid", kid, sizeof(kid));
    if (named && kid[0] == '\0')
        return bad(why, "odd kid");
    size_t fit_n = 0;
    bool good = false, by_name = false;
    for (size_t i = 0; i < keys->n; i++) {
        const struct oidc_key *key = &keys->key[i];
        if (key->alg != alg || (named && key->kid[0] != '\0' && strcmp(key->kid, kid) != 0))
            continue;
        fit_n++;
        by_name = by_name || (named && key->kid[0] != '\0');
        good = good || (alg == OIDC_ES256 ? net_jws_es256(jws, key->key) : net_jws_rs256(jws, key->key));
    }
    if (!named && fit_n > 1)
        return bad(why, "it does not say by which key");
    if (good)
        return OIDC_TOKEN_OK;
    if (by_name)
        return bad(why, "wrong signature");
    (void)bad(why, "signed by a key that is not in the set"); /* a newer key may have no kid, either */
    return OIDC_TOKEN_KEY_UNKNOWN;
}

/* --- the claims --- */

/* According to Google's documentation, its issuer may lack the scheme. */
static bool is_issuer(const json_t *claims, const char *issuer)
{
    return net_read_is(claims, "iss", issuer) || (strcmp(issuer, "https://accounts.google.com") == 0 &&
                                                  net_read_is(claims, "iss", "accounts.google.com"));
}

/* Whether we are the audience and, if there are several audiences, also the authorized party. */
static bool is_for(const json_t *claims, const char *client)
{
    const json_t *aud = json_object_get(claims, "aud");
    bool named = net_read_is(claims, "aud", client), others = false, azp = net_read_has(claims, "azp");
    for (size_t i = 0; i < json_array_size(aud); i++) {
        const char *one = json_string_value(json_array_get(aud, i));
        if (!one)
            return false;
        bool ours = strcmp(one, client) == 0;
        named = named || ours;
        others = others || !ours;
    }
    if (others && !azp)
        return false;
    return named && (!azp || net_read_is(claims, "azp", client));
}

/* Checks the times. A NumericDate (RFC 7519, 2) may have a fraction, and the expiry may be arbitrarily far
 * in the future. */
static bool is_timely(const json_t *claims, int64_t now_s, char why[OIDC_WHY_MAX])
{
    int64_t exp, iat, nbf = 0;
    if (!net_read_number(claims, "exp", &exp) || !net_read_number(claims, "iat", &iat) ||
        (net_read_has(claims, "nbf") && !net_read_number(claims, "nbf", &nbf))) {
        (void)bad(why, "exp or iat is missing, or no number");
        return false;
    }
    bool over = exp <= now_s - OIDC_SKEW_S;
    bool old = iat < now_s - OIDC_TOKEN_AGE_S;
    bool early = iat > now_s + OIDC_SKEW_S || nbf > now_s + OIDC_SKEW_S;
    if (over || old || early)
        (void)bad(why, early ? "from the future" : "too old");
    return !over && !old && !early;
}

/* Reads the email address only if the provider has verified it. Apple sends "email_verified" as a
 * string. */
static void take_email(const json_t *claims, char out[OIDC_EMAIL_MAX])
{
    const json_t *verified = json_object_get(claims, "email_verified");
    out[0] = '\0';
    if (json_is_true(verified) || net_read_is(claims, "email_verified", "true"))
        net_read_text(claims, "email", out, OIDC_EMAIL_MAX);
    if (!text_email_ok(out))
        out[0] = '\0';
}

/* Whether the subject is ASCII (OpenID Connect Core, 2). Some directories use spaces: "CN=Ana
 * Kos,O=Example". */
static bool subject_ok(const char *subject)
{
    const char *p = subject;
    while (*p >= ' ' && *p <= '~')
        p++;
    return p > subject && *p == '\0' && subject[strspn(subject, " ")] != '\0';
}

static enum oidc_token_result check_claims(const json_t *claims, const struct oidc_expected *expected,
                                           struct oidc_person *person, char why[OIDC_WHY_MAX])
{
    if (!is_issuer(claims, expected->issuer))
        return bad(why, "another issuer's");
    if (!is_for(claims, expected->client))
        return bad(why, "for another client");
    const char *nonce = json_string_value(json_object_get(claims, "nonce"));
    if (!nonce || !text_equal_ct(nonce, strlen(nonce), expected->nonce, strlen(expected->nonce)))
        return bad(why, "another nonce");
    if (!is_timely(claims, expected->now_s, why))
        return OIDC_TOKEN_BAD;
    net_read_text(claims, "sub", person->subject, sizeof(person->subject));
    if (!subject_ok(person->subject))
        return bad(why, "no subject");
    take_email(claims, person->email);
    return OIDC_TOKEN_OK;
}

static bool type_ok(const json_t *header)
{
    const json_t *type = json_object_get(header, "typ");
    const char *text = json_string_value(type);
    return !type || (text && (strcasecmp(text, "JWT") == 0 || strcasecmp(text, "application/jwt") == 0));
}

enum oidc_token_result oidc_token_check(const struct oidc_keys *keys, const struct oidc_expected *expected,
                                        const char *text, struct oidc_person *person, char why[OIDC_WHY_MAX])
{
    struct net_jws jws;
    *person = (struct oidc_person){0};
    if (strlen(text) >= OIDC_TOKEN_MAX || !net_jws_split(text, &jws))
        return bad(why, "not a signed JSON object");
    enum oidc_token_result result =
        type_ok(jws.header) ? check_signature(keys, &jws, why) : bad(why, "of another type");
    if (result == OIDC_TOKEN_OK)
        result = check_claims(jws.payload, expected, person, why);
    if (result != OIDC_TOKEN_OK)
        *person = (struct oidc_person){0};
    net_jws_free(&jws);
    return result;
}
