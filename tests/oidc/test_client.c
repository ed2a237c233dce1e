/* A whole sign-in with a provider on the loopback: PKCE, the exchange of the code, keys that change, and
 * invalid responses. */
#include "base/clock.h"
#include "tests/oidc/provider.h"
#include "tests/oidc/signer.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* RFC 7636, appendix B. */
#define VERIFIER "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
#define CHALLENGE "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

static const struct oidc_sent sent = {"https://rummy.example/sign-in?a=b&c", "st&te", "non=ce", VERIFIER};
static char url[OIDC_AUTHORIZE_MAX], why[OIDC_WHY_MAX];
static struct oidc_person person;

static void publish(const struct signer *signers, size_t n)
{
    char *set = signer_set(signers, n);
    (void)snprintf(provider.at[PROVIDER_KEYS].body, sizeof(provider.at[0].body), "%s", set);
    free(set);
}

/* The token endpoint responds with an ID token for sent.nonce. */
static void sign_by(const struct signer *signer)
{
    char claims[512], header[128];
    int64_t now_s = clock_unix_ms() / 1000;
    (void)snprintf(claims, sizeof(claims),
                   "{\"iss\":\"%s\",\"aud\":\"rummy.example.apps\",\"nonce\":\"%s\",\"sub\":\"248289761001\","
                   "\"iat\":%lld,\"exp\":%lld}",
                   provider.url, sent.nonce, (long long)now_s, (long long)now_s + 300);
    (void)snprintf(header, sizeof(header), "{\"alg\":\"%s\",\"kid\":\"%s\"}", signer->alg, signer->kid);
    char *token = signer_token(signer, header, claims);
    (void)snprintf(provider.at[PROVIDER_TOKEN].body, sizeof(provider.at[0].body), "{\"id_token\":\"%s\"}",
                   token);
    free(token);
}

static enum oidc_outcome finish(const struct oidc_client *oidc, const char *iss)
{
    const struct oidc_back back = {.code = "SplxlOBeZQQYbYS6WxSbIA", .iss = iss};
    why[0] = '\0';
    enum oidc_outcome outcome = oidc_finish(oidc, &oidc->provider[0], &sent, &back, &person, why);
    cr_assert_eq(outcome == OIDC_OK, person.subject[0] != '\0', "%s", why);
    return outcome;
}

Test(client, the_url_contains_the_challenge_of_rfc_7636)
{
    struct oidc_client *oidc = provider_start();
    char wanted[OIDC_AUTHORIZE_MAX];
    cr_assert_eq(oidc_authorize(oidc, &oidc->provider[0], &sent, url, why), OIDC_OK, "%s", why);
    (void)snprintf(
        wanted, sizeof(wanted),
        "%s/authorize?response_type=code&client_id=rummy.example.apps&redirect_uri="
        "https%%3A%%2F%%2Frummy.example%%2Fsign-in%%3Fa%%3Db%%26c&scope=openid%%20email&state=st%%26te&nonce="
        "non%%3Dce&code_challenge=" CHALLENGE "&code_challenge_method=S256",
        provider.url);
    cr_assert_str_eq(url, wanted);
    cr_assert_null(strstr(url, VERIFIER));
    cr_assert_eq(provider.at[PROVIDER_DISCOVERY].asked, 1);
    /* A second one uses the cache. */
    cr_assert_eq(oidc_authorize(oidc, &oidc->provider[0], &sent, url, why), OIDC_OK);
    cr_assert_eq(provider.at[PROVIDER_DISCOVERY].asked, 1);
    oidc_free(oidc);
}

Test(client, parameters_are_added_to_those_of_the_endpoint)
{
    struct oidc_client *oidc = provider_start();
    char *text = json_changed(provider.at[PROVIDER_DISCOVERY].body,
                              "{\"authorization_endpoint\":\"https://a.example/in?tenant=x\"}");
    (void)strcpy(provider.at[PROVIDER_DISCOVERY].body, text);
    free(text);
    cr_assert_eq(oidc_authorize(oidc, &oidc->provider[0], &sent, url, why), OIDC_OK, "%s", why);
    static const char beginning[] = "https://a.example/in?tenant=x&response_type=code&";
    cr_assert_eq(strncmp(url, beginning, strlen(beginning)), 0, "%s", url);
    oidc_free(oidc);
}

Test(client, a_code_is_exchanged_for_an_identity)
{
    struct oidc_client *oidc = provider_start();
    struct signer ana = signer_ec("P-256", "k1");
    publish(&ana, 1);
    sign_by(&ana);
    cr_assert_eq(finish(oidc, NULL), OIDC_OK, "%s", why);
    cr_assert_str_eq(person.subject, "248289761001");
    cr_assert_str_eq(provider.form,
                     "grant_type=authorization_code&code=SplxlOBeZQQYbYS6WxSbIA&redirect_uri="
                     "https%3A%2F%2Frummy.example%2Fsign-in%3Fa%3Db%26c&code_verifier=" VERIFIER
                     "&client_id=rummy.example.apps");
    cr_assert_str_empty(provider.authorization);
    oidc_free(oidc);
}

/* RFC 6749, 2.3.1: both parts are encoded before they are joined by a colon. */
Test(client, the_secret_is_sent_in_the_header)
{
    struct oidc_client *oidc = provider_start();
    struct signer ana = signer_ec("P-256", "k1");
    publish(&ana, 1);
    sign_by(&ana);
    (void)strcpy(oidc->provider[0].secret, "s:cret &/\xc3\xbc");
    cr_assert_eq(finish(oidc, NULL), OIDC_OK, "%s", why);
    /* rummy.example.apps:s%3Acret%20%26%2F%C3%BC */
    cr_assert_str_eq(provider.authorization,
                     "Basic cnVtbXkuZXhhbXBsZS5hcHBzOnMlM0FjcmV0JTIwJTI2JTJGJUMzJUJD");
    cr_assert(!strstr(provider.form, "client_secret") && !strstr(provider.form, "client_id"));
    oidc_free(oidc);
}

Test(client, the_secret_is_sent_in_the_form_if_the_provider_requires_it)
{
    struct oidc_client *oidc = provider_start();
    struct signer ana = signer_ec("P-256", "k1");
    char *text = json_changed(provider.at[PROVIDER_DISCOVERY].body,
                              "{\"token_endpoint_auth_methods_supported\":[\"client_secret_post\"]}");
    (void)strcpy(provider.at[PROVIDER_DISCOVERY].body, text);
    free(text);
    publish(&ana, 1);
    sign_by(&ana);
    (void)strcpy(oidc->provider[0].secret, "s&cret");
    cr_assert_eq(finish(oidc, NULL), OIDC_OK, "%s", why);
    cr_assert(strstr(provider.form, "&client_id=rummy.example.apps&client_secret=s%26cret"), "%s",
              provider.form);
    cr_assert_str_empty(provider.authorization);
    oidc_free(oidc);
}

/* RFC 9207: the response must come from the provider that the user was sent to. */
Test(client, a_code_of_another_issuer_is_not_exchanged)
{
    struct oidc_client *oidc = provider_start();
    struct signer ana = signer_ec("P-256", "k1");
    publish(&ana, 1);
    sign_by(&ana);
    cr_assert_eq(finish(oidc, "https://evil.example"), OIDC_REFUSED);
    cr_assert_eq(finish(oidc, ""), OIDC_REFUSED);
    cr_assert_eq(provider.at[PROVIDER_TOKEN].asked, 0);
    cr_assert_eq(finish(oidc, provider.url), OIDC_OK, "%s", why);
    oidc_free(oidc);
}

Test(client, a_provider_that_announces_its_issuer_must_send_it)
{
    struct oidc_client *oidc = provider_start();
    char *text = json_changed(provider.at[PROVIDER_DISCOVERY].body,
                              "{\"authorization_response_iss_parameter_supported\":true}");
    (void)strcpy(provider.at[PROVIDER_DISCOVERY].body, text);
    free(text);
    cr_assert_eq(finish(oidc, NULL), OIDC_REFUSED);
    cr_assert_eq(provider.at[PROVIDER_TOKEN].asked, 0);
    oidc_free(oidc);
}

/* --- keys that change --- */

Test(client, a_new_key_is_fetched_when_first_used)
{
    struct oidc_client *oidc = provider_start();
    struct signer keys[] = {signer_ec("P-256", "k1"), signer_rsa(2048, "k2")};
    publish(&keys[0], 1);
    sign_by(&keys[0]);
    cr_assert_eq(finish(oidc, NULL), OIDC_OK, "%s", why);
    cr_assert_eq(finish(oidc, NULL), OIDC_OK, "%s", why);
    cr_assert_eq(provider.at[PROVIDER_KEYS].asked, 1);
    publish(&keys[1], 1);
    sign_by(&keys[1]);
    cr_assert_eq(finish(oidc, NULL), OIDC_OK, "%s", why);
    cr_assert_eq(provider.at[PROVIDER_KEYS].asked, 2);
    /* The old key was removed with its set, and an unknown key has just caused a request. */
    sign_by(&keys[0]);
    for (int i = 0; i < 5; i++)
        cr_assert_eq(finish(oidc, NULL), OIDC_REFUSED);
    cr_assert_eq(provider.at[PROVIDER_KEYS].asked, 2);
    oidc_free(oidc);
}

Test(client, a_wrong_signature_fetches_no_keys)
{
    struct oidc_client *oidc = provider_start();
    struct signer ana = signer_ec("P-256", "k1"), eve = signer_ec("P-256", "k1");
    publish(&ana, 1);
    sign_by(&eve);
    for (int i = 0; i < 3; i++)
        cr_assert_eq(finish(oidc, NULL), OIDC_REFUSED);
    cr_assert_eq(provider.at[PROVIDER_KEYS].asked, 1);
    oidc_free(oidc);
}

/* An invalid set does not replace a valid one. */
Test(client, known_keys_remain_valid_while_the_provider_has_no_new_ones)
{
    struct oidc_client *oidc = provider_start();
    struct signer ana = signer_ec("P-256", "k1"), eve = signer_ec("P-256", "k2");
    publish(&ana, 1);
    sign_by(&ana);
    cr_assert_eq(finish(oidc, NULL), OIDC_OK, "%s", why);
    (void)strcpy(provider.at[PROVIDER_KEYS].body, "<html>");
    sign_by(&eve);
    cr_assert_eq(finish(oidc, NULL), OIDC_REFUSED);
    cr_assert_eq(provider.at[PROVIDER_KEYS].asked, 2);
    sign_by(&ana);
    cr_assert_eq(finish(oidc, NULL), OIDC_OK, "%s", why);
    oidc_free(oidc);
}

/* --- invalid responses --- */

Test(client, an_unresponsive_provider_is_queried_rarely)
{
    struct oidc_client *oidc = provider_start();
    provider.at[PROVIDER_DISCOVERY].status = 503;
    for (int i = 0; i < 5; i++)
        cr_assert_eq(oidc_authorize(oidc, &oidc->provider[0], &sent, url, why), OIDC_UNAVAILABLE);
    cr_assert_eq(provider.at[PROVIDER_DISCOVERY].asked, 1);
    cr_assert_eq(finish(oidc, NULL), OIDC_UNAVAILABLE);
    cr_assert_eq(provider.at[PROVIDER_TOKEN].asked, 0);
    oidc_free(oidc);
}

Test(client, redirects_are_not_followed)
{
    struct oidc_client *oidc = provider_start();
    provider.at[PROVIDER_DISCOVERY].status = 302;
    provider.at[PROVIDER_DISCOVERY].headers = "Location: /keys\r\n";
    cr_assert_eq(oidc_authorize(oidc, &oidc->provider[0], &sent, url, why), OIDC_UNAVAILABLE);
    cr_assert_str_eq(why, "status 302");
    cr_assert_eq(provider.at[PROVIDER_KEYS].asked, 0);
    oidc_free(oidc);
}

Test(client, responses_of_the_token_endpoint_are_classified)
{
    static const struct {
        int status;
        const char *body;
        enum oidc_outcome outcome;
    } odd[] = {
        {400, "{\"error\":\"invalid_grant\"}", OIDC_REFUSED},
        {401, "{\"error\":\"invalid_grant\"}", OIDC_REFUSED},
        {200, "{\"error\":\"invalid_grant\"}", OIDC_REFUSED},
        {500, "{\"error\":\"invalid_grant\"}", OIDC_UNAVAILABLE},
        {401, "{\"error\":\"invalid_client\"}", OIDC_UNAVAILABLE},
        {400, "{\"error\":\"invalid_request\"}", OIDC_UNAVAILABLE},
        {400, "{\"error\":[\"invalid_grant\"]}", OIDC_UNAVAILABLE},
        {400, "{\"error\":\"invalid_grant\",\"error\":\"x\"}", OIDC_UNAVAILABLE},
        {400, "<html>", OIDC_UNAVAILABLE},
        {200, "<html>", OIDC_UNAVAILABLE},
        {200, "", OIDC_UNAVAILABLE},
        {200, "[]", OIDC_UNAVAILABLE},
        {200, "{}", OIDC_UNAVAILABLE},
        {200, "{\"id_token\":7}", OIDC_UNAVAILABLE},
        {200, "{\"id_token\":null,\"access_token\":\"x\"}", OIDC_UNAVAILABLE},
        {200, "{\"id_token\":\"x\"}", OIDC_REFUSED},
        {200, "{\"error\":\"\\u001b[31m\"}", OIDC_UNAVAILABLE},
        {302, "{\"id_token\":\"x.y.z\"}", OIDC_UNAVAILABLE},
        {0, "", OIDC_UNAVAILABLE}, /* closes the connection */
    };
    struct oidc_client *oidc = provider_start();
    struct signer ana = signer_ec("P-256", "k1");
    publish(&ana, 1);
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        provider.at[PROVIDER_TOKEN].status = odd[i].status;
        (void)strcpy(provider.at[PROVIDER_TOKEN].body, odd[i].body);
        cr_expect_eq(finish(oidc, NULL), odd[i].outcome, "%d %s: %s", odd[i].status, odd[i].body, why);
        for (const char *p = why; *p; p++)
            cr_assert(*p >= ' ' && *p <= '~', "the log would have a byte %d of %s", *p, odd[i].body);
        cr_assert_eq(provider.at[PROVIDER_TOKEN].asked, (int)i + 1, "a code is sent once");
    }
    oidc_free(oidc);
}
