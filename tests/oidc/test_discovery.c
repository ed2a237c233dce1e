/* Discovery documents, good and hostile, and the operator's file of providers. */
#include "oidc/answers.h"
#include "tests/oidc/signer.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define ISSUER "https://accounts.example"
#define DOCUMENT                                                                                             \
    "{\"issuer\":\"" ISSUER "\",\"authorization_endpoint\":\"" ISSUER "/authorize?a=b\","                    \
    "\"token_endpoint\":\"" ISSUER "/token\",\"jwks_uri\":\"" ISSUER "/keys\","                              \
    "\"response_types_supported\":[\"code\"]}"

static const struct oidc_provider provider = {.issuer = ISSUER};
static struct oidc_endpoints endpoints;
static char why[OIDC_WHY_MAX];

static bool discovered(const char *changes, bool plain_ok)
{
    struct oidc_client *oidc = calloc(1, sizeof(*oidc));
    char *text = json_changed(DOCUMENT, changes);
    oidc->plain_ok = plain_ok;
    why[0] = '\0';
    bool ok = oidc_discovery_read(oidc, &provider, text, strlen(text), &endpoints, why);
    cr_assert_eq(ok, why[0] == '\0', "%s", why);
    free(text);
    free(oidc);
    return ok;
}

Test(discovery, endpoints_are_read)
{
    cr_assert(discovered("{}", false));
    cr_assert_str_eq(endpoints.authorize, ISSUER "/authorize?a=b");
    cr_assert_str_eq(endpoints.token, ISSUER "/token");
    cr_assert_str_eq(endpoints.keys, ISSUER "/keys");
    cr_assert(!endpoints.secret_in_form && !endpoints.names_itself);
}

/* OpenID Connect Discovery, 3: without the list, client_secret_basic is assumed. */
Test(discovery, the_secret_method_follows_the_document)
{
    static const char *const form[] = {"[\"client_secret_post\"]",
                                       "[\"client_secret_basic\",\"client_secret_post\"]"};
    static const char *const header[] = {"[\"client_secret_basic\"]", "[]", "[7,null]",
                                         "\"client_secret_post\"", "[\"CLIENT_SECRET_POST\"]"};
    char changes[256];
    for (size_t i = 0; i < 7; i++) {
        const char *list = i < 2 ? form[i] : header[i - 2];
        (void)snprintf(changes, sizeof(changes), "{\"token_endpoint_auth_methods_supported\":%s}", list);
        cr_assert(discovered(changes, false));
        cr_assert_eq(endpoints.secret_in_form, i < 2, "%s", list);
    }
}

Test(discovery, issuer_support_follows_the_document)
{
    cr_assert(discovered("{\"authorization_response_iss_parameter_supported\":true}", false));
    cr_assert(endpoints.names_itself);
    cr_assert(discovered("{\"authorization_response_iss_parameter_supported\":\"true\"}", false));
    cr_assert(!endpoints.names_itself);
}

Test(discovery, hostile_documents_are_refused)
{
    static const char *const odd[] = {
        "{\"issuer\":\"https://evil.example\"}",
        "{\"issuer\":\"" ISSUER "/\"}",
        "{\"issuer\":null}",
        "{\"issuer\":[\"" ISSUER "\"]}",
        "{\"issuer\":\"https://evil.example\\n\\u001b[31m\"}",
        "{\"token_endpoint\":null}",
        "{\"token_endpoint\":\"\"}",
        "{\"token_endpoint\":\"http://accounts.example/token\"}",
        "{\"token_endpoint\":\"https:///token\"}",
        "{\"token_endpoint\":\"https://\"}",
        "{\"token_endpoint\":\"https://accounts.example@evil.example/token\"}",
        "{\"token_endpoint\":\"HTTPS://accounts.example/token\"}",
        "{\"jwks_uri\":\"file:///etc/passwd\"}",
        "{\"jwks_uri\":\"https://evil.example\\\\@accounts.example/\"}",
        "{\"jwks_uri\":\"https://accounts.example/ keys\"}",
        "{\"jwks_uri\":\"https://accounts.ex\\u00e4mple/\"}",
        "{\"jwks_uri\":\"https://accounts.example/\\u0000\"}",
        "{\"jwks_uri\":7}",
        "{\"jwks_uri\":{\"url\":\"https://accounts.example/\"}}",
        "{\"authorization_endpoint\":\"javascript:alert(1)\"}",
        "{\"authorization_endpoint\":\"//accounts.example/authorize\"}",
        "{\"authorization_endpoint\":\"https://accounts.example/#fragment\"}",
        "{\"authorization_endpoint\":\"https://accounts.example/\\\"><script>\"}",
        "{\"authorization_endpoint\":\"https://accounts.example/\\r\\nX: y\"}",
    };
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        cr_expect(!discovered(odd[i], false), "%s", odd[i]);
        for (const char *p = why; *p; p++)
            cr_assert(*p >= ' ' && *p <= '~', "the log would have a byte %d of %s", *p, odd[i]);
    }
}

Test(discovery, the_length_of_urls_is_limited)
{
    for (size_t len = OIDC_URL_MAX - 2; len <= OIDC_URL_MAX; len++) {
        char url[OIDC_URL_MAX + 1] = ISSUER "/", changes[OIDC_URL_MAX + 64];
        memset(url + strlen(url), 'x', len - strlen(url));
        url[len] = '\0';
        (void)snprintf(changes, sizeof(changes), "{\"authorization_endpoint\":\"%s\"}", url);
        cr_assert_eq(discovered(changes, false), len < OIDC_URL_MAX, "%zu", len);
        if (len < OIDC_URL_MAX)
            cr_assert_str_eq(endpoints.authorize, url);
    }
}

Test(discovery, plain_http_is_accepted_only_if_allowed)
{
    static const char plain[] = "{\"token_endpoint\":\"http://127.0.0.1:9/token\"}";
    cr_assert(!discovered(plain, false));
    cr_assert(discovered(plain, true));
}

Test(discovery, malformed_documents_are_refused)
{
    static const char *const odd[] = {"",
                                      "<html>",
                                      "[]",
                                      "null",
                                      "{",
                                      DOCUMENT "x",
                                      "{\"issuer\":\"" ISSUER "\",\"issuer\":\"" ISSUER "\"}"};
    static const struct oidc_client oidc;
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        cr_expect(!oidc_discovery_read(&oidc, &provider, odd[i], strlen(odd[i]), &endpoints, why), "%s",
                  odd[i]);
        cr_expect_str_eq(why, "discovery: not a JSON object");
    }
}

/* --- the operator's file --- */

#define GOOGLE "{\"id\":\"google\",\"name\":\"Google\",\"issuer\":\"" ISSUER "\",\"client_id\":\"x\"}"

static bool configured(struct oidc_client *oidc, const char *text)
{
    *oidc = (struct oidc_client){0};
    why[0] = '\0';
    bool ok = oidc_config_read(oidc, text, strlen(text), why);
    cr_assert_eq(ok, why[0] == '\0', "%s", why);
    return ok;
}

Test(config, providers_and_redirects_are_read)
{
    struct oidc_client *oidc = calloc(1, sizeof(*oidc));
    cr_assert(
        configured(oidc,
                   "{\"providers\":[" GOOGLE ",{\"id\":\"apple\",\"name\":\"Apple\",\"issuer\":"
                   "\"https://apple.example/\",\"client_id\":\"y\",\"client_secret_file\":\"/run/secret\","
                   "\"scopes\":\"openid name email\"}],\"redirect_uris\":[\"com.example:/in\"]}"),
        "%s", why);
    cr_assert_eq(oidc->providers_n, 2);
    cr_assert_str_eq(oidc->provider[0].scopes, "openid email");
    cr_assert_str_eq(oidc->provider[1].scopes, "openid name email");
    cr_assert_str_eq(oidc->provider[1].client_secret_file, "/run/secret");
    cr_assert_eq(oidc_find(oidc, "apple"), &oidc->provider[1]);
    cr_assert_null(oidc_find(oidc, "Apple"));
    cr_assert_eq(oidc_find_issuer(oidc, ISSUER), &oidc->provider[0]);
    cr_assert_null(oidc_find_issuer(oidc, ISSUER "/"));
    cr_assert(oidc_redirect_ok(oidc, "com.example:/in") && !oidc_redirect_ok(oidc, "com.example:/in/"));
    free(oidc);
}

Test(config, a_refused_file_is_reported_with_the_wrong_member)
{
    static const struct {
        const char *changes, *said; /* changes to the only provider */
    } odd[] = {
        {"{\"id\":\"a/b\"}", "id: "},
        {"{\"id\":\"\"}", "id: "},
        {"{\"id\":\"Google\"}", "id: "},
        {"{\"id\":\"123456789012345678901234567890123\"}", "id: "},
        {"{\"id\":null}", "id: "},
        {"{\"name\":null}", "google: name"},
        {"{\"name\":\"12345678901234567890123456789012345678901\"}", "google: name"},
        {"{\"name\":\"a\\tb\"}", "google: name"},
        {"{\"issuer\":\"accounts.example\"}", "google: issuer"},
        {"{\"issuer\":\"http://accounts.example\"}", "google: issuer"},
        {"{\"issuer\":\"https://accounts.example?x\"}", "google: issuer"},
        {"{\"issuer\":\"https://accounts.example#x\"}", "google: issuer"},
        {"{\"client_id\":\"\"}", "google: client_id"},
        {"{\"client_id\":\"a b\"}", "google: client_id"},
        {"{\"client_secret\":\"x\"}", "client_secret: providers have no such member"},
        {"{\"client_secret_file\":7}", "google: client_secret_file"},
        {"{\"scopes\":\"email\"}", "google: scopes"},
        {"{\"scopes\":\"openid  email\"}", "google: scopes"},
        {"{\"scopes\":\"openid \"}", "google: scopes"},
        {"{\"scopes\":\"openidemail\"}", "google: scopes"},
        {"{\"scopes\":\"openid &x=y\\\"\"}", "google: scopes"},
        {"{\"scopes\":\"\"}", "google: scopes"},
    };
    struct oidc_client *oidc = calloc(1, sizeof(*oidc));
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        char *one = json_changed(GOOGLE, odd[i].changes), text[1024];
        (void)snprintf(text, sizeof(text), "{\"providers\":[%s]}", one);
        cr_expect(!configured(oidc, text), "%s", odd[i].changes);
        cr_expect_eq(strncmp(why, odd[i].said, strlen(odd[i].said)), 0, "%s: %s", odd[i].changes, why);
        free(one);
    }
    free(oidc);
}

Test(config, lists_are_checked_and_limited)
{
    static const char *const odd[] = {
        "providers",
        "[]",
        "{}",
        "{\"providers\":[]}",
        "{\"providers\":" GOOGLE "}",
        "{\"providers\":[],\"providers\":[" GOOGLE "]}",
        "{\"providers\":[7]}",
        "{\"providers\":[" GOOGLE "],\"more\":1}",
        "{\"providers\":[" GOOGLE "," GOOGLE "]}",
        "{\"providers\":[" GOOGLE ",{\"id\":\"b\",\"name\":\"B\",\"issuer\":\"" ISSUER
        "\",\"client_id\":\"x\"}]}",
        "{\"providers\":[" GOOGLE "],\"redirect_uris\":\"app:/\"}",
        "{\"providers\":[" GOOGLE "],\"redirect_uris\":[\"/sign-in\"]}",
        "{\"providers\":[" GOOGLE "],\"redirect_uris\":[\":/sign-in\"]}",
        "{\"providers\":[" GOOGLE "],\"redirect_uris\":[\"https://a.example/#x\"]}",
        "{\"providers\":[" GOOGLE "],\"redirect_uris\":[7]}",
    };
    struct oidc_client *oidc = calloc(1, sizeof(*oidc));
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
        cr_expect(!configured(oidc, odd[i]), "%s", odd[i]);
    for (int n = 7; n <= 9; n++) {
        char text[2048] = "{\"providers\":[", *at = text + strlen(text);
        for (int i = 0; i < n; i++)
            at += sprintf(
                at,
                "%s{\"id\":\"p%d\",\"name\":\"P\",\"issuer\":\"https://p%d.example\",\"client_id\":\"x\"}",
                i ? "," : "", i, i);
        (void)strcpy(at, "]}");
        cr_expect_eq(configured(oidc, text), n <= OIDC_PROVIDERS_MAX, "%d: %s", n, why);
    }
    for (int n = 15; n <= 17; n++) {
        char text[2048] = "{\"providers\":[" GOOGLE "],\"redirect_uris\":[", *at = text + strlen(text);
        for (int i = 0; i < n; i++)
            at += sprintf(at, "%s\"app:/%d\"", i ? "," : "", i);
        (void)strcpy(at, "]}");
        cr_expect_eq(configured(oidc, text), n <= OIDC_REDIRECTS_MAX, "%d: %s", n, why);
    }
    free(oidc);
}
