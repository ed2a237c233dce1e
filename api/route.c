/* The table of endpoints, put together from the tables of the resources. See route.h. */
#include "api/route.h"

#include "api/resources.h"
#include "base/bug.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const struct api_route *rows;
    const size_t *n;
} tables[] = {
#define API_RESOURCE(name) {api_##name##_routes, &api_##name##_routes_n},
#include "api/resources.def"
#undef API_RESOURCE
};

const struct api_route *api_route_at(size_t i)
{
    for (size_t t = 0; t < ARRAY_LEN(tables); t++) {
        if (i < *tables[t].n)
            return &tables[t].rows[i];
        i -= *tables[t].n;
    }
    return NULL;
}

enum { API_OURS_MAX = 256 };

/* Compares a path with a pattern; what stands at "{name}" goes to params. */
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

static void allow(struct api_match *match, const char *method)
{
    size_t len = strlen(match->allow);
    int more = snprintf(match->allow + len, sizeof(match->allow) - len, "%s%s%s", len ? ", " : "", method,
                        strcmp(method, "GET") == 0 ? ", HEAD" : "");
    ASSERT(more > 0 && len + (size_t)more < sizeof(match->allow));
}

void api_match(const char *method, const char *path, struct api_match *match)
{
    memset(match, 0, sizeof(*match));
    if (strcmp(method, "HEAD") == 0)
        method = "GET";
    const struct api_route *route;
    char params[API_PARAMS_MAX][API_PARAM_MAX] = {{0}};
    for (size_t i = 0; (route = api_route_at(i)); i++) {
        if (!path_fits(route->path, path, params))
            continue;
        memcpy(match->params, params, sizeof(params));
        match->path_known = true;
        allow(match, route->method);
        if (strcmp(route->method, method) == 0) {
            ASSERT(!match->route); /* no two rows fit one request */
            match->route = route;
        }
    }
    if (match->path_known)
        allow(match, "OPTIONS");
}

bool api_path_is_ours(const char *path)
{
    char plain[API_OURS_MAX] = "";
    size_t n = 0;
    for (; *path; path++) {
        if (*path == '/' && n > 0 && plain[n - 1] == '/')
            continue;
        if (n == sizeof(plain) - 1)
            break; /* longer than any of ours: its beginning decides */
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
    static const char *const roles[] = {[API_ANYONE] = "anyone", [API_PLAYER] = "player", [API_KEY] = "key"};
    const struct api_route *route;
    json_open(out, '[');
    for (size_t i = 0; (route = api_route_at(i)); i++) {
        json_open(out, '{');
        json_kv_text(out, "method", route->method);
        json_kv_text(out, "path", route->path);
        json_kv_text(out, "id", route->id);
        json_kv_text(out, "role", roles[route->role]);
        json_kv_bool(out, "idempotent", route->idempotent);
        json_kv_bool(out, "body", route->body != NULL || route->raw_max > 0);
        json_kv_bool(out, "raw", route->raw_max > 0);
        json_key(out, "members");
        json_open(out, '[');
        for (size_t m = 0; route->body && m < route->body->members_n; m++) {
            const struct api_spec_member *member = &route->body->members[m];
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
