/* Answers PostgreSQL writes itself; see tree.h. */
#include "api/tree.h"

#include "api/page.h"
#include "api/route.h"
#include "api/rows.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { PLACE_N = 3, BOUND_MAX = 640 };

enum api_next tree_reply(struct api_call *call, const PGresult *rows)
{
    if (PQntuples(rows) == 0)
        return api_refuse(call, API_TOKEN_INVALID);
    const char *code = row_get(rows, 0, "code");
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(call, code);
    call->status = 200;
    call->content_type = "application/json";
    buf_str(call->out, row_get(rows, 0, "body"));
    return API_DONE;
}

/* What a cursor is bound to: the list, what of it was asked for, and the reader. */
static void bound_of(const struct api_call *call, char out[BOUND_MAX])
{
    (void)snprintf(out, BOUND_MAX, "%s:%s:%s:%s:%lld:%s", call->route->id, call->params[0], call->params[1],
                   call->params[2], (long long)call->player_id, call->q ? call->q : "");
}

enum api_next tree_page_bind(struct api_call *call)
{
    char bound[BOUND_MAX];
    int64_t at[PLACE_N] = {0};
    call->page_limit = PAGE_DEFAULT;
    if (call->limit && !text_i64(call->limit, 1, PAGE_MAX, &call->page_limit))
        return api_fail(call, API_BAD_PARAMETER, "`limit` must be an integer from 1 to %d.", PAGE_MAX);
    bound_of(call, bound);
    if (call->cursor && !cursor_read_n(&call->env->keys, bound, call->cursor, at, PLACE_N))
        return api_refuse(call, API_BAD_CURSOR);
    for (int i = 0; i < PLACE_N; i++) {
        if (call->cursor)
            db_args_int(&call->args, at[i]);
        else
            db_args_null(&call->args);
    }
    db_args_int(&call->args, call->page_limit + 1);
    return API_QUERY;
}

static void write_item(struct buf *out, const PGresult *rows, int i)
{
    json_raw(out, row_get(rows, i, "body"));
}

static void write_next(struct api_call *call, const PGresult *rows, int last)
{
    char bound[BOUND_MAX], text[CURSOR_TEXT_MAX];
    const int64_t at[PLACE_N] = {row_get_int(rows, last, "at1"), row_get_int(rows, last, "at2"),
                                 row_get_int(rows, last, "at3")};
    bound_of(call, bound);
    cursor_write_n(&call->env->keys, bound, at, PLACE_N, text);
    json_text(call->out, text);
}

enum api_next tree_page_reply(struct api_call *call, const PGresult *rows)
{
    const char *code = PQntuples(rows) > 0 ? row_get(rows, 0, "code") : "token_invalid";
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(call, code);
    int n = PQntuples(rows) - 1, shown = n > call->page_limit ? (int)call->page_limit : n;
    const char *head = row_get(rows, 0, "body");
    size_t len = strlen(head);
    struct buf *out = api_reply_json(call, 200);
    if (len > 2) /* its members, without the braces */
        buf_put(out, head + 1, len - 2);
    row_list(out, "items", rows, 1, shown + 1, write_item);
    json_key(out, "next");
    if (n > shown)
        write_next(call, rows, shown);
    else
        json_nil(out);
    json_close(out, '}');
    return API_DONE;
}
