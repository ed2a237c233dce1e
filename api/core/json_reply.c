/* Responses that PostgreSQL writes; see json_reply.h. */
#include "api/core/json_reply.h"

#include "api/core/page.h"
#include "api/core/route.h"
#include "api/core/rows.h"
#include "base/bug.h"

#include <string.h>

enum { PLACE_N = 3 };

/* Sets the location of the new object from its id in the body, below the route's location. */
static enum api_next locate(struct api_request *request, const char *text)
{
    json_t *body = json_loads(text, 0, NULL);
    const char *id = json_string_value(json_object_get(body, "id"));
    if (id)
        api_reply_location(request, request->route->location, id);
    else
        (void)api_refuse(request, API_INTERNAL);
    json_decref(body);
    return API_DONE;
}

enum api_next api_json_reply(struct api_request *request, const PGresult *rows)
{
    const struct api_route *route = request->route;
    if (PQntuples(rows) == 0)
        return api_refuse(request, API_TOKEN_INVALID);
    const char *code = api_row_get(rows, 0, "code");
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    ASSERT(request->out->len == 0);
    request->status = route->status ? route->status : 200;
    request->content_type = "application/json";
    const char *body = api_row_get(rows, 0, "body");
    buf_str(request->out, body);
    return route->location ? locate(request, body) : API_DONE;
}

enum api_next api_json_page_bind(struct api_request *request)
{
    int64_t at[PLACE_N] = {0};
    if (!api_page_read(request, at, PLACE_N))
        return API_DONE;
    for (int i = 0; i < PLACE_N; i++) {
        if (request->cursor)
            db_args_int(&request->args, at[i]);
        else
            db_args_null(&request->args);
    }
    db_args_int(&request->args, request->page_limit + 1);
    return API_QUERY;
}

static void write_item(struct buf *out, const PGresult *rows, int i)
{
    json_raw(out, api_row_get(rows, i, "body"));
}

static void write_next(struct api_request *request, const PGresult *rows, int last)
{
    const int64_t at[PLACE_N] = {api_row_get_int(rows, last, "at1"), api_row_get_int(rows, last, "at2"),
                                 api_row_get_int(rows, last, "at3")};
    api_page_next(request, at, PLACE_N);
}

enum api_next api_json_page_reply(struct api_request *request, const PGresult *rows)
{
    const char *code = PQntuples(rows) > 0 ? api_row_get(rows, 0, "code") : "token_invalid";
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    int n = PQntuples(rows) - 1, shown = n > request->page_limit ? (int)request->page_limit : n;
    const char *head = api_row_get(rows, 0, "body");
    size_t len = strlen(head);
    ASSERT(len >= 2 && head[0] == '{' && head[len - 1] == '}');
    ASSERT(request->page_limit >= 1 && request->page_limit <= API_PAGE_MAX && n <= request->page_limit + 1);
    struct buf *out = api_reply_open(request, 200);
    if (len > 2) /* the members without the braces */
        buf_put(out, head + 1, len - 2);
    api_row_list(out, "items", rows, 1, shown + 1, write_item);
    if (n > shown)
        write_next(request, rows, shown);
    else
        api_page_next(request, NULL, 0);
    json_close(out, '}');
    return API_DONE;
}

enum api_next api_json_list_reply(struct api_request *request, const PGresult *rows)
{
    return api_page_reply(request, rows, write_item);
}
