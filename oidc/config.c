/* Reads the operator's file of providers; see oidc.h. Main thread. */
#include "oidc/oidc.h"

#include "base/bug.h"
#include "base/setting.h"
#include "base/text.h"
#include "base/url.h"
#include "net/read.h"

#include <stdio.h>
#include <string.h>

static bool fail(char why[OIDC_WHY_MAX], const char *where, const char *what)
{
    (void)snprintf(why, OIDC_WHY_MAX, "%.60s%s%s", where, where[0] ? ": " : "", what);
    return false;
}

bool oidc_url_ok(const struct oidc_client *oidc, const char *text)
{
    struct url url;
    /* No user, no fragment, and nothing that two parsers could interpret as different hosts. */
    return !url_read(text, &url) && !strpbrk(text, "#@\"<>^`{|}") && strlen(text) < OIDC_URL_MAX &&
           (strcmp(url.scheme, "https") == 0 || (oidc->plain_ok && strcmp(url.scheme, "http") == 0));
}

/* Reads a string member of min to cap - 1 bytes, which may be missing if min is 0. */
static bool take_text(const json_t *object, const char *name, size_t min, char *out, size_t cap)
{
    const json_t *value = json_object_get(object, name);
    const char *text = json_string_value(value);
    if (!value && min == 0)
        return true;
    size_t len = text ? json_string_length(value) : 0;
    if (!text || len != strlen(text) || len < min || len >= cap)
        return false;
    memcpy(out, text, len + 1);
    return true;
}

static bool only_known(const json_t *object, const char *const *names, const char **odd)
{
    for (void *at = json_object_iter((json_t *)(uintptr_t)object); at;
         at = json_object_iter_next((json_t *)(uintptr_t)object, at)) {
        size_t i = 0;
        *odd = json_object_iter_key(at);
        while (names[i] && strcmp(names[i], *odd) != 0)
            i++;
        if (!names[i])
            return false;
    }
    return true;
}

static bool is_id(const struct oidc_client *oidc, const char *text)
{
    (void)oidc;
    return strspn(text, SETTING_LOWER SETTING_DIGITS "-_") == strlen(text);
}

/* Whether these are "openid" and optionally other scopes, separated by single spaces, because they go into
 * a URL. */
static bool are_scopes(const struct oidc_client *oidc, const char *text)
{
    bool openid = false;
    (void)oidc;
    for (const char *at = text; *at;) {
        size_t len = strcspn(at, " ");
        openid = openid || (len == 6 && strncmp(at, "openid", 6) == 0);
        for (size_t i = 0; i < len; i++)
            if (at[i] <= ' ' || at[i] > '~' || at[i] == '"' || at[i] == '\\')
                return false;
        if (len == 0 || (at[len] == ' ' && at[len + 1] == '\0'))
            return false;
        at += len + (at[len] == ' ');
    }
    return openid;
}

static bool is_name(const struct oidc_client *oidc, const char *text)
{
    (void)oidc;
    for (const char *p = text; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7F)
            return false;
    return text_utf8_ok(text, strlen(text));
}

static bool is_issuer(const struct oidc_client *oidc, const char *text)
{
    return oidc_url_ok(oidc, text) && !strchr(text, '?');
}

static bool is_printed(const struct oidc_client *oidc, const char *text)
{
    (void)oidc;
    return net_read_printed(text);
}

#define OIDC_MEMBER(name, min, cap, initial, ok, must, meaning)                                              \
    INIT(#name, offsetof(struct oidc_provider, name), min, cap, initial, ok, must),
static const struct member {
    const char *name;
    size_t offset, min, cap;
    const char *initial;
    bool (*ok)(const struct oidc_client *oidc, const char *text);
    const char *must;
} members[] = {
#include "oidc/provider.def"
};

static bool read_member(const struct oidc_client *oidc, const json_t *value, const struct member *member,
                        struct oidc_provider *it, char why[OIDC_WHY_MAX])
{
    char *out = (char *)it + member->offset;
    (void)snprintf(out, member->cap, "%s", member->initial);
    if (take_text(value, member->name, member->min, out, member->cap) &&
        (!member->ok || member->ok(oidc, out)))
        return true;
    if (member == members) /* the id, which begins the error messages about other members */
        return fail(why, member->name, member->must);
    (void)snprintf(why, OIDC_WHY_MAX, "%.60s: %s %s", it->id, member->name, member->must);
    return false;
}

static bool are_known(const json_t *value, char why[OIDC_WHY_MAX])
{
    const char *names[ARRAY_LEN(members) + 1] = {0}, *odd;
    for (size_t i = 0; i < ARRAY_LEN(members); i++)
        names[i] = members[i].name;
    return only_known(value, names, &odd) || fail(why, odd, "providers have no such member");
}

static bool read_provider(struct oidc_client *oidc, const json_t *value, char why[OIDC_WHY_MAX])
{
    struct oidc_provider *it = &oidc->provider[oidc->providers_n];
    *it = (struct oidc_provider){0};
    if (!json_is_object(value))
        return fail(why, "providers", "each must be an object");
    if (!read_member(oidc, value, members, it, why))
        return false;
    if (oidc_find(oidc, it->id))
        return fail(why, it->id, "two providers have this id");
    if (!are_known(value, why))
        return false;
    for (size_t i = 1; i < ARRAY_LEN(members); i++)
        if (!read_member(oidc, value, &members[i], it, why))
            return false;
    if (oidc_find_issuer(oidc, it->issuer))
        return fail(why, it->id, "two providers have this issuer");
    oidc->providers_n++;
    return true;
}

/* Reads a redirect URI. An app's URI may have a private scheme (RFC 8252). URIs are compared exactly, so
 * little needs to be checked. */
static bool read_redirect(struct oidc_client *oidc, const json_t *value, char why[OIDC_WHY_MAX])
{
    const char *text = json_string_value(value);
    if (!text || json_string_length(value) != strlen(text) || strlen(text) >= OIDC_URL_MAX ||
        !net_read_printed(text) || !strchr(text, ':') || strchr(text, '#') || text[0] == ':')
        return fail(why, "redirect_uris", "each must be an address without #");
    (void)snprintf(oidc->redirect[oidc->redirects_n++], OIDC_URL_MAX, "%s", text);
    return true;
}

static bool read_lists(struct oidc_client *oidc, const json_t *root, char why[OIDC_WHY_MAX])
{
    static const char *const known[] = {"providers", "redirect_uris", NULL};
    const json_t *providers = json_object_get(root, "providers"),
                 *redirects = json_object_get(root, "redirect_uris");
    const char *odd;
    if (!only_known(root, known, &odd))
        return fail(why, odd, "unknown member");
    size_t n = json_array_size(providers), redirects_n = json_array_size(redirects);
    if (!json_is_array(providers) || n == 0 || n > OIDC_PROVIDERS_MAX)
        return fail(why, "providers", "must be a list of 1 to 8");
    if ((redirects && !json_is_array(redirects)) || redirects_n > OIDC_REDIRECTS_MAX - oidc->redirects_n)
        return fail(why, "redirect_uris", "must be a list of 15 at most");
    for (size_t i = 0; i < n; i++)
        if (!read_provider(oidc, json_array_get(providers, i), why))
            return false;
    for (size_t i = 0; i < redirects_n; i++)
        if (!read_redirect(oidc, json_array_get(redirects, i), why))
            return false;
    return true;
}

bool oidc_config_read(struct oidc_client *oidc, const char *text, size_t len, char why[OIDC_WHY_MAX])
{
    ASSERT(oidc->providers_n == 0 && oidc->redirects_n <= 1); /* our own redirect may already be there */
    json_t *root = net_read_object(text, len);
    bool ok = root ? read_lists(oidc, root, why)
                   : fail(why, "", "the file is not a JSON object, or a member appears twice");
    json_decref(root);
    return ok;
}

const struct oidc_provider *oidc_find(const struct oidc_client *oidc, const char *id)
{
    for (size_t i = 0; i < oidc->providers_n; i++)
        if (strcmp(oidc->provider[i].id, id) == 0)
            return &oidc->provider[i];
    return NULL;
}

const struct oidc_provider *oidc_find_issuer(const struct oidc_client *oidc, const char *issuer)
{
    for (size_t i = 0; i < oidc->providers_n; i++)
        if (strcmp(oidc->provider[i].issuer, issuer) == 0)
            return &oidc->provider[i];
    return NULL;
}

bool oidc_redirect_ok(const struct oidc_client *oidc, const char *uri)
{
    for (size_t i = 0; i < oidc->redirects_n; i++)
        if (strcmp(oidc->redirect[i], uri) == 0)
            return true;
    return false;
}
