/* Query parameters; see query.h. */
#include "api/core/query.h"

#include "api/core/route.h"
#include "base/bug.h"
#include "base/text.h"

#include <sodium.h>
#include <string.h>

static const struct {
    const char *name;
    size_t at;
} queries[API_QUERIES_N] = {
#define API_QUERY_PARAMETER(name) {#name, offsetof(struct api_request, name)},
#include "api/routes.def"
};

const char *api_query_name(size_t i)
{
    ASSERT(i < API_QUERIES_N);
    return queries[i].name;
}

const char *api_query_value(const struct api_request *request, size_t i)
{
    ASSERT(i < API_QUERIES_N);
    return *(const char *const *)((const char *)request + queries[i].at);
}

/* Includes the NUL, so that different lists of texts never produce the same bytes. A missing text differs
 * from an empty one. */
static void hash_text(crypto_generichash_state *state, const char *text)
{
    const char *mark = text ? "+" : "-";
    (void)crypto_generichash_update(state, (const uint8_t *)mark, 1);
    if (text)
        (void)crypto_generichash_update(state, (const uint8_t *)text, strlen(text) + 1);
}

enum api_fault_code api_query_take(struct api_request *request, const char *name, const char *value)
{
    const struct api_route *route = request->route;
    ASSERT(route && value);
    for (size_t i = 0; i < ARRAY_LEN(queries); i++) {
        if (!(route->query & 1U << i) || strcmp(name, queries[i].name) != 0)
            continue;
        const char **place = (const char **)((char *)request + queries[i].at);
        if (*place)
            return API_FAULT_NOT_ONCE;
        *place = value;
        return API_FAULT_NONE;
    }
    bool ours = strncmp(route->path, "/v1/", 4) == 0 && route->operation->raw_max == 0;
    return ours ? API_FAULT_UNKNOWN : API_FAULT_NONE;
}

void api_query_bound(const struct api_request *request, char out[API_BOUND_MAX])
{
    crypto_generichash_state state;
    uint8_t hash[(API_BOUND_MAX - 1) / 2];
    ASSERT(request->route);
    (void)crypto_generichash_init(&state, NULL, 0, sizeof(hash));
    (void)crypto_generichash_update(&state, (const uint8_t *)&request->player_id, sizeof(request->player_id));
    hash_text(&state, request->route->id);
    for (int i = 0; i < API_PARAMS_MAX; i++)
        hash_text(&state, request->params[i]);
    for (size_t i = 0; i < ARRAY_LEN(queries); i++)
        if (i != API_QUERY_NO_cursor && i != API_QUERY_NO_limit)
            hash_text(&state, api_query_value(request, i));
    (void)crypto_generichash_final(&state, hash, sizeof(hash));
    text_hex(out, hash, sizeof(hash));
}
