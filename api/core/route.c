/* See route.h. */
#include "api/core/route.h"

#include "base/bug.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const struct api_route rows[] = {
#define API_ROUTE(ID, ...) {.id = #ID, .operation = &api_operation_##ID, __VA_ARGS__},
#include "api/routes.def"
};

const struct api_route *api_route_at(size_t i)
{
    return i < ARRAY_LEN(rows) ? &rows[i] : NULL;
}

enum { API_OURS_MAX = 256 };

/* Matches a path with a pattern; copies the segments at "{name}" to params. */
static bool path_fits(const char *pattern, const char *path, char params[API_PARAMS_MAX][API_PARAM_MAX])
{
    int n = 0;
    while (*pattern) {
        if (*pattern != '{') {
            if (*pattern++ != *path++)
                return false;
            continue;
        }
        ASSERT(n < API_PARAMS_MAX);
        size_t len = strcspn(path, "/");
        if (len == 0 || len >= API_PARAM_MAX)
            return false;
        memcpy(params[n], path, len);
        params[n++][len] = '\0';
        path += len;
        pattern += strcspn(pattern, "}") + 1;
    }
    return *path == '\0';
}

/* ---- The index ---- */
/* Groups rows whose paths have the same number of segments and the same second one ("/v1/me",
 * "/v1/me/sessions"), so that a request is matched against a few patterns instead of all. */
enum { ROUTES_MAX = 512, GROUPS = 256 };

static struct {
    const struct api_route *rows[ROUTES_MAX];
    uint16_t first[GROUPS + 1]; /* index of each group's first row in rows */
} routes;
static pthread_once_t routes_once = PTHREAD_ONCE_INIT;

static unsigned int group_of(const char *path)
{
    uint32_t hash = 2166136261U; /* FNV-1a */
    unsigned int slashes = 0;
    for (; *path; path++) {
        slashes += *path == '/';
        if (slashes == 2)
            hash = (hash ^ (unsigned char)*path) * 16777619U;
    }
    return (hash ^ slashes) % GROUPS;
}

static void make_index(void)
{
    const struct api_route *route;
    size_t n = 0;
    for (unsigned int group = 0; group < GROUPS; group++) {
        routes.first[group] = (uint16_t)n;
        for (size_t i = 0; (route = api_route_at(i)); i++) {
            if (group_of(route->path) != group)
                continue;
            ASSERT(n < ROUTES_MAX);
            routes.rows[n++] = route;
        }
    }
    routes.first[GROUPS] = (uint16_t)n;
}

/* ---- Methods ---- */
static const char *const methods[] = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"};

static unsigned int method_bit(const char *method)
{
    for (size_t i = 0; i < ARRAY_LEN(methods); i++)
        if (strcmp(methods[i], method) == 0)
            return 1U << i;
    return 0;
}

void api_match_allow(const struct api_match *match, char out[API_ALLOW_MAX])
{
    unsigned int bits = match->methods;
    size_t len = 0;
    if (bits & method_bit("GET"))
        bits |= method_bit("HEAD");
    if (bits)
        bits |= method_bit("OPTIONS");
    out[0] = '\0';
    for (size_t i = 0; i < ARRAY_LEN(methods); i++)
        if (bits & 1U << i)
            len += (size_t)snprintf(out + len, API_ALLOW_MAX - len, "%s%s", len ? ", " : "", methods[i]);
    ASSERT(len < API_ALLOW_MAX);
}

static int params_of(const char *pattern)
{
    int n = 0;
    for (; *pattern; pattern++)
        n += *pattern == '{';
    return n;
}

/* If two rows match a request, the one with fewer parameters wins, because "daily" in /v1/puzzles/daily is
 * not an id. */
static bool is_closer(const struct api_route *route, const struct api_route *other)
{
    int more = params_of(other->path) - params_of(route->path);
    ASSERT(more != 0);
    return more > 0;
}

void api_match(const char *method, const char *path, struct api_match *match)
{
    memset(match, 0, sizeof(*match));
    (void)pthread_once(&routes_once, make_index);
    if (strcmp(method, "HEAD") == 0)
        method = "GET";
    char params[API_PARAMS_MAX][API_PARAM_MAX] = {{0}};
    unsigned int group = group_of(path);
    for (size_t i = routes.first[group]; i < routes.first[group + 1]; i++) {
        const struct api_route *route = routes.rows[i];
        if (!path_fits(route->path, path, params))
            continue;
        match->path_known = true;
        match->methods |= method_bit(route->method);
        if (strcmp(route->method, method) != 0 || (match->route && !is_closer(route, match->route)))
            continue;
        match->route = route;
        memcpy(match->params, params, sizeof(params));
    }
}

bool api_path_is_ours(const char *path)
{
    char plain[API_OURS_MAX] = "";
    size_t n = 0;
    for (; *path; path++) {
        if (*path == '/' && n > 0 && plain[n - 1] == '/')
            continue;
        if (n == sizeof(plain) - 1)
            break; /* longer than any of our paths, so the prefix is sufficient */
        plain[n++] = (char)tolower((unsigned char)*path);
    }
    if (n > 1 && plain[n - 1] == '/')
        n--;
    plain[n] = '\0';
    if (strncmp(plain, "/v1", 3) == 0 && (plain[3] == '/' || plain[3] == '\0'))
        return true;
    struct api_match match;
    api_match("GET", plain, &match);
    return match.path_known;
}

void api_routes_write(struct buf *out)
{
    static const char *const roles[] = {
        [API_ANYONE] = "anyone", [API_PLAYER] = "player", [API_READER] = "reader", [API_KEY] = "key"};
    const struct api_route *route;
    json_open(out, '[');
    for (size_t i = 0; (route = api_route_at(i)); i++) {
        json_open(out, '{');
        json_kv_text(out, "method", route->method);
        json_kv_text(out, "path", route->path);
        json_kv_text(out, "id", route->id);
        json_kv_text(out, "role", roles[route->role]);
        if (route->role == API_PLAYER || route->role == API_READER)
            json_kv_text(out, "scope", api_scope_word(route->scope));
        json_kv_bool(out, "idempotent", route->idempotent);
        json_kv_bool(out, "body", route->body || route->operation->raw_max > 0);
        json_kv_bool(out, "raw", route->operation->raw_max > 0);
        json_kv_bool(out, "tagged", route->tagged);
        json_kv_bool(out, "secret", route->secret);
        json_key(out, "query");
        json_open(out, '[');
        for (size_t q = 0; q < API_QUERIES_N; q++)
            if (route->query & 1U << q)
                json_text(out, api_query_name(q));
        json_close(out, ']');
        json_key(out, "members");
        json_open(out, '[');
        const struct api_spec *body = route->body;
        for (size_t m = 0; body && m < body->members_n; m++) {
            const struct api_spec_member *member = &body->members[m];
            json_open(out, '{');
            json_kv_text(out, "name", member->name);
            json_kv_bool(out, "required", member->required);
            json_kv_num(out, "min", member->min);
            json_kv_num(out, "max", member->max);
            json_close(out, '}');
        }
        json_close(out, ']');
        json_close(out, '}');
    }
    json_close(out, ']');
}
