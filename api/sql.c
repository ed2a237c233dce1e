/* See sql.h. */
#include "api/sql.h"

#include "api/admin/admin.h"
#include "api/core/json_reply.h"
#include "api/core/page.h"
#include "api/core/query.h"
#include "api/core/validators.h"
#include "api/names/nickname.h"
#include "api/play/seats.h"
#include "api/signin/session_reply.h"
#include "base/bug.h"
#include "base/text.h"

/* --- arguments --- */

static enum api_next bind_id(struct api_request *request, int at)
{
    int64_t id;
    if (!api_param_id(request, at, &id))
        return API_DONE;
    db_args_int(&request->args, id);
    return API_QUERY;
}

static const char *path_text(const struct api_request *request, int at)
{
    ASSERT(at >= 0 && at < API_PARAMS_MAX);
    return request->params[at];
}

static enum api_next bind_number(struct api_request *request, const struct api_bind *what)
{
    int64_t number;
    if (!text_i64(path_text(request, what->at), what->min, what->max, &number))
        return api_refuse(request, API_NOT_FOUND);
    db_args_int(&request->args, number);
    return API_QUERY;
}

static void bind_day(struct api_request *request, int at)
{
    const char *text = path_text(request, at);
    db_args_text(&request->args, api_valid_day(text) ? text : NULL);
}

static void bind_text(struct api_request *request, int at)
{
    const char *text = path_text(request, at);
    db_args_text(&request->args, api_valid_printed(text) ? text : "");
}

static void bind_hash(struct api_request *request, int member)
{
    uint8_t hash[32];
    api_token_hash(request->body[member].text, hash);
    db_args_bytes(&request->args, hash, sizeof(hash));
}

static void bind_query(struct api_request *request, const struct api_bind *what)
{
    const char *name = api_query_name((size_t)what->at), *text = api_query_value(request, (size_t)what->at);
    switch (what->kind) {
    case API_BIND_QUERY_ID:
        api_bind_query_id(request, name, text);
        break;
    case API_BIND_QUERY_CHOICE:
        api_bind_choice(request, name, text ? text : what->text, what->choices);
        break;
    case API_BIND_QUERY_VARIANT:
        api_check_variant(request);
        db_args_text(&request->args, text);
        break;
    case API_BIND_QUERY_WORD:
        api_bind_word(request, name, text);
        break;
    case API_BIND_QUERY_TIME:
        api_bind_time(request, name, text);
        break;
    default:
        BUG("sql: unknown bind");
    }
}

/* Binds a parameter of the path or the query. */
static enum api_next bind_parameter(struct api_request *request, const struct api_bind *what)
{
    switch (what->kind) {
    case API_BIND_PATH:
        return bind_id(request, what->at);
    case API_BIND_NUMBER:
        return bind_number(request, what);
    case API_BIND_DAY:
        bind_day(request, what->at);
        return API_QUERY;
    case API_BIND_TEXT:
        bind_text(request, what->at);
        return API_QUERY;
    default:
        bind_query(request, what);
        return API_QUERY;
    }
}

static enum api_next bind(struct api_request *request, const struct api_bind *what)
{
    switch (what->kind) {
    case API_BIND_LITERAL: /* also a boolean; see db/args.h */
        db_args_text(&request->args, what->text);
        return API_QUERY;
    case API_BIND_PLAYER:
        return api_bind_player(request);
    case API_BIND_SESSION:
        db_args_int(&request->args, request->session_id);
        return API_QUERY;
    case API_BIND_KEY:
        return api_admin_bind_key(request);
    case API_BIND_IDEM:
        ASSERT(request->idempotency_key);
        db_args_text(&request->args, request->idempotency_key);
        return API_QUERY;
    case API_BIND_BODY_HASH:
        db_args_bytes(&request->args, request->body_hash, sizeof(request->body_hash));
        return API_QUERY;
    case API_BIND_SEARCH:
        api_admin_bind_q(request);
        return API_QUERY;
    case API_BIND_PAGE: /* continue, so that the problem names all invalid parameters */
        (void)api_json_page_bind(request);
        return API_QUERY;
    case API_BIND_BELOW:
        (void)api_page_bind_below(request);
        return API_QUERY;
    case API_BIND_BODY:
        api_bind_member(request, (size_t)what->at);
        return API_QUERY;
    case API_BIND_NAME:
        api_nickname_bind(request, request->body[what->at].text);
        return API_QUERY;
    case API_BIND_HASH:
        bind_hash(request, what->at);
        return API_QUERY;
    default:
        return bind_parameter(request, what);
    }
}

enum api_next api_sql_begin(struct api_request *request)
{
    const struct api_operation *does = request->route->operation;
    for (size_t i = 0; i < does->binds_n; i++)
        if (bind(request, &does->binds[i]) == API_DONE)
            return API_DONE;
    return request->code == API_OK ? API_QUERY : API_DONE;
}

/* --- replies --- */

static bool has(const PGresult *rows, const char *column)
{
    return PQfnumber(rows, column) >= 0;
}

enum api_next api_sql_reply(struct api_request *request, const PGresult *rows)
{
    if (PQntuples(rows) == 0)
        return api_refuse(request, API_TOKEN_INVALID);
    if (has(rows, "ended"))
        api_session_end_rows(request, rows);
    if (has(rows, "seats_of"))
        api_seats_left(request, rows);
    if (has(rows, "cancels"))
        api_tables_cancelled(request, rows);
    int64_t changes_at =
        has(rows, "nickname_changes_at") ? api_row_get_int(rows, 0, "nickname_changes_at") : 0;
    if (api_nickname_refused(request, api_row_get(rows, 0, "code"), changes_at))
        return API_DONE;
    return request->route->status == 204 ? api_row_reply_code(request, rows) : api_json_reply(request, rows);
}

#define API_SQL(FUNCTION, SQL, N) static const struct db_stmt stmt_##FUNCTION = {#FUNCTION, SQL, N};
#define API_SQL_OPERATION(ID, FUNCTION, WRITES, REPLY, ...)                                                  \
    static const struct api_bind binds_##ID[] = {__VA_ARGS__};                                               \
    API_OPERATION(ID) = {.stmt = &stmt_##FUNCTION,                                                           \
                         .writes = (WRITES),                                                                 \
                         .binds = binds_##ID,                                                                \
                         .binds_n = ARRAY_LEN(binds_##ID),                                                   \
                         .begin = api_sql_begin,                                                             \
                         .reply = REPLY};
#include "api/sql.def"
