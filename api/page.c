/* Pages of lists; see page.h. */
#include "api/page.h"

#include "base/text.h"

#include <stdio.h>

/* What a cursor is bound to. */
static void bound_of(const struct api_call *call, const char *list, char out[64])
{
    (void)snprintf(out, 64, "%s:%lld", list, (long long)call->player_id);
}

enum api_next page_bind(struct api_call *call, const char *list)
{
    char bound[64];
    int64_t before = INT64_MAX;
    call->page_limit = PAGE_DEFAULT;
    if (call->limit && !text_i64(call->limit, 1, PAGE_MAX, &call->page_limit))
        return api_fail(call, API_BAD_PARAMETER, "`limit` must be an integer from 1 to %d.", PAGE_MAX);
    bound_of(call, list, bound);
    if (call->cursor && !cursor_read(&call->env->keys, bound, call->cursor, &before))
        return api_refuse(call, API_BAD_CURSOR);
    db_args_int(&call->args, call->player_id);
    db_args_int(&call->args, before);
    db_args_int(&call->args, call->page_limit + 1);
    return API_QUERY;
}

static void write_next(struct api_call *call, const char *list, int64_t last_id)
{
    char bound[64], text[CURSOR_TEXT_MAX];
    bound_of(call, list, bound);
    cursor_write(&call->env->keys, bound, last_id, text);
    json_text(call->out, text);
}

enum api_next page_reply(struct api_call *call, const char *list, const PGresult *rows, row_write_fn *write)
{
    int n = PQntuples(rows), shown = n > call->page_limit ? (int)call->page_limit : n;
    struct buf *out = api_reply_json(call, 200);
    row_list(out, "items", rows, 0, shown, write);
    json_key(out, "next");
    if (n > shown)
        write_next(call, list, row_get_int(rows, shown - 1, "id"));
    else
        json_nil(out);
    json_close(out, '}');
    return API_DONE;
}
