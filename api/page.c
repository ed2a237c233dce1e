/* Pages of lists; see page.h. */
#include "api/page.h"

#include "base/bug.h"

#include <stdio.h>

/* What a cursor is bound to. */
static void bound_of(const struct api_request *request, const char *list, char out[64])
{
    int len = snprintf(out, 64, "%s:%lld", list, (long long)request->player_id);
    ASSERT(len > 0 && len < 64); /* cut, a cursor would be good for another list or reader */
}

enum api_next api_page_bind(struct api_request *request, const char *list)
{
    char bound[64];
    int64_t before = INT64_MAX;
    request->page_limit = API_PAGE_DEFAULT;
    if (request->limit)
        (void)api_read_number(request, "limit", request->limit, 1, API_PAGE_MAX, &request->page_limit);
    bound_of(request, list, bound);
    if (request->cursor && !api_cursor_read(&request->env->keys, bound, request->cursor, &before))
        (void)api_fail_parameter(request, "cursor", API_FAULT_BAD_CURSOR, 0, 0);
    if (request->code != API_OK)
        return API_DONE;
    ASSERT(request->page_limit >= 1 && request->page_limit <= API_PAGE_MAX);
    db_args_int(&request->args, request->player_id);
    db_args_int(&request->args, before);
    db_args_int(&request->args, request->page_limit + 1);
    return API_QUERY;
}

static void write_next(struct api_request *request, const char *list, int64_t last_id)
{
    char bound[64], text[API_CURSOR_TEXT_MAX];
    ASSERT(last_id > 0);
    bound_of(request, list, bound);
    api_cursor_write(&request->env->keys, bound, last_id, text);
    json_text(request->out, text);
}

enum api_next api_page_reply(struct api_request *request, const char *list, const PGresult *rows,
                             api_row_write_fn *write)
{
    int n = PQntuples(rows), shown = n > request->page_limit ? (int)request->page_limit : n;
    ASSERT(request->page_limit >= 1 && request->page_limit <= API_PAGE_MAX && n <= request->page_limit + 1);
    struct buf *out = api_reply_open(request, 200);
    api_row_list(out, "items", rows, 0, shown, write);
    json_key(out, "next");
    if (n > shown)
        write_next(request, list, api_row_get_int(rows, shown - 1, "id"));
    else
        json_nil(out);
    json_close(out, '}');
    return API_DONE;
}
