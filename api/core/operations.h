/* Implementations of the operations of openapi.yaml. A file in api/ defines an API_OPERATION for each,
 * unless the contract names the SQL function that returns its answer (api/sql.def). Everything visible to
 * clients is in the contract (api/routes.def). An operation without an implementation does not link, and
 * one missing from the contract does not compile. Constant; any thread. */
#ifndef RUMMYD_API_OPERATIONS_H
#define RUMMYD_API_OPERATIONS_H

#include "api/bodies.h"
#include "api/core/request.h"

/* Arguments of a statement that the contract names (x-sql). */
enum api_bind_kind {
    API_BIND_LITERAL, /* `text` */
    API_BIND_PLAYER,
    API_BIND_SESSION,
    API_BIND_KEY,       /* the API key's hash */
    API_BIND_IDEM,      /* the Idempotency-Key */
    API_BIND_BODY_HASH, /* the hash of the body, for the Idempotency-Key */
    API_BIND_SEARCH,    /* `q` as sent, and folded: api_admin_bind_q */
    API_BIND_PAGE,      /* page of a list: api_json_page_bind */
    API_BIND_BELOW,     /* page of a list ordered by id: api_page_bind_below */
    /* The parameter `at` of the path. */
    API_BIND_PATH,   /* an id */
    API_BIND_NUMBER, /* from min to max */
    API_BIND_DAY,    /* NULL if invalid */
    API_BIND_TEXT,   /* empty if not printable ASCII, so that it matches nothing */
    /* The member `at` of the body. */
    API_BIND_BODY,
    API_BIND_NAME, /* a nickname or the name of a club: api_nickname_bind */
    API_BIND_HASH, /* the hash of a token */
    /* The parameter `at` of the query; NULL if not given. */
    API_BIND_QUERY_ID,
    API_BIND_QUERY_CHOICE, /* one of `choices`, or `text` */
    API_BIND_QUERY_VARIANT,
    API_BIND_QUERY_WORD,
    API_BIND_QUERY_TIME,
};
struct api_bind {
    enum api_bind_kind kind;
    int at;
    int64_t min, max;
    const char *const *choices; /* NULL after the last */
    const char *text;           /* a literal or a default; NULL binds NULL */
};

struct api_operation {
    bool computes;  /* has a step on a worker (API_WORK), for which a slot is reserved first */
    bool job;       /* may take HTTP_JOB_STEPS_MAX steps */
    size_t raw_max; /* takes an unparsed body of up to this many bytes, to check its signature */
    /* The first statement: NULL if `begin` decides. */
    const struct db_stmt *stmt;
    bool writes;                  /* true for all operator requests, because each adds an audit log entry */
    const struct api_bind *binds; /* for api_sql_begin */
    size_t binds_n;
    /* Binds request->args for stmt and returns API_QUERY, or chooses another step. NULL: no parameters. */
    enum api_next (*begin)(struct api_request *request);
    /* Writes the reply from the rows. */
    enum api_next (*reply)(struct api_request *request, const PGresult *rows);
};

#define API_ROUTE(ID, ...) extern const struct api_operation api_operation_##ID;
#include "api/routes.def"

/* API_OPERATION(listClubs) = {.stmt = …}; */
#define API_OPERATION(ID)                                                                                    \
    _Static_assert(sizeof(api_operation_##ID) == sizeof(struct api_operation), "declared");                  \
    const struct api_operation api_operation_##ID

#endif
