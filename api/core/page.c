/* Pages of lists; see page.h. */
#include "api/core/page.h"

#include "api/core/route.h"
#include "base/bug.h"

#include <string.h>

/* Whether the client requests a stream instead of a page. Streams have no pages, so parameters that select
 * one are rejected. */
static bool read_format(struct api_request *request)
{
    static const char *const formats[] = {"json", "ndjson", NULL};
    if (api_read_choice(request, "format", request->format, formats) != formats[1])
        return false;
    if (request->limit)
        (void)api_fail_parameter(request, "limit", API_FAULT_NOT_TAKEN, 0, 0);
    if (request->cursor)
        (void)api_fail_parameter(request, "cursor", API_FAULT_NOT_TAKEN, 0, 0);
    return true;
}

bool api_page_read(struct api_request *request, int64_t *at, size_t n)
{
    char bound[API_BOUND_MAX];
    request->page_limit = API_PAGE_DEFAULT;
    request->streams = read_format(request);
    if (request->streams) {
        request->page_limit = API_PAGE_MAX;
        if (request->stream_below > 0)
            *at = request->stream_below;
        return request->code == API_OK;
    }
    if (request->limit)
        (void)api_read_number(request, "limit", request->limit, 1, API_PAGE_MAX, &request->page_limit);
    api_query_bound(request, bound);
    if (request->cursor && !api_cursor_read_n(&request->env->keys, bound, request->cursor, at, n))
        (void)api_fail_parameter(request, "cursor", API_FAULT_BAD_CURSOR, 0, 0);
    ASSERT(request->code != API_OK || (request->page_limit >= 1 && request->page_limit <= API_PAGE_MAX));
    return request->code == API_OK;
}

void api_page_next(struct api_request *request, const int64_t *at, size_t n)
{
    char bound[API_BOUND_MAX], text[API_CURSOR_TEXT_MAX];
    json_key(request->out, "next");
    if (!at) {
        json_nil(request->out);
        return;
    }
    api_query_bound(request, bound);
    api_cursor_write_n(&request->env->keys, bound, at, n, text);
    json_text(request->out, text);
}

enum api_next api_page_bind(struct api_request *request)
{
    db_args_int(&request->args, request->player_id);
    return api_page_bind_below(request);
}

enum api_next api_page_bind_below(struct api_request *request)
{
    int64_t before = INT64_MAX;
    if (!api_page_read(request, &before, 1))
        return API_DONE;
    db_args_int(&request->args, before);
    db_args_int(&request->args, request->page_limit + 1);
    return API_QUERY;
}

enum api_next api_page_reply(struct api_request *request, const PGresult *rows, api_row_write_fn *write)
{
    return api_page_reply_n(request, rows, PQntuples(rows), write);
}

/* Writes a chunk of a stream, one line per row. */
static enum api_next reply_chunk(struct api_request *request, const PGresult *rows, int n,
                                 api_row_write_fn *write)
{
    int shown = n > request->page_limit ? (int)request->page_limit : n;
    struct buf *out = request->out;
    request->status = 200;
    request->content_type = "application/x-ndjson";
    for (int i = 0; i < shown; i++) {
        struct buf line = buf_on(out->data + out->len, out->cap - out->len);
        write(&line, rows, i);
        buf_str(&line, "\n");
        out->len += line.len;
        out->full |= line.full;
    }
    request->stream_below = n > shown ? api_row_get_int(rows, shown - 1, "id") : 0;
    ASSERT(n <= shown || request->stream_below > 0);
    return API_DONE;
}

enum api_next api_page_reply_n(struct api_request *request, const PGresult *rows, int n,
                               api_row_write_fn *write)
{
    if (request->streams)
        return reply_chunk(request, rows, n, write);
    int shown = n > request->page_limit ? (int)request->page_limit : n;
    ASSERT(request->page_limit >= 1 && request->page_limit <= API_PAGE_MAX && n <= request->page_limit + 1);
    struct buf *out = api_reply_open(request, 200);
    api_row_list(out, "items", rows, 0, shown, write);
    int64_t last = n > shown ? api_row_get_int(rows, shown - 1, "id") : 0;
    ASSERT(n <= shown || last > 0);
    api_page_next(request, n > shown ? &last : NULL, 1);
    json_close(out, '}');
    return API_DONE;
}
