/* See sql.h. */
#include "api/sql.h"

#include "api/admin/admin.h"
#include "api/core/json_reply.h"
#include "api/core/rows.h"
#include "base/bug.h"

static enum api_next bind_path(struct api_request *request, int at)
{
    int64_t id;
    if (!api_param_id(request, at, &id))
        return API_DONE;
    db_args_int(&request->args, id);
    return API_QUERY;
}

static enum api_next bind(struct api_request *request, const struct api_bind *what)
{
    switch (what->kind) {
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
    case API_BIND_PATH:
        return bind_path(request, what->at);
    case API_BIND_BODY:
        api_bind_member(request, (size_t)what->at);
        return API_QUERY;
    case API_BIND_SEARCH:
        api_admin_bind_q(request);
        return API_QUERY;
    case API_BIND_PAGE:
        return api_json_page_bind(request);
    }
    BUG("sql: unknown bind");
}

enum api_next api_sql_begin(struct api_request *request)
{
    const struct api_operation *does = request->route->operation;
    for (size_t i = 0; i < does->binds_n; i++)
        if (bind(request, &does->binds[i]) == API_DONE)
            return API_DONE;
    return API_QUERY;
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
