/* The table of endpoints: one row each. server/http/rest.c looks a request up here, `rummyd routes`
 * prints it, and a test holds openapi.yaml against it. Constant; any thread. */
#ifndef RUMMYD_API_ROUTE_H
#define RUMMYD_API_ROUTE_H

#include "api/request.h"

enum api_role {
    API_ANYONE,
    API_PLAYER,
    API_READER, /* anyone; a player who sends a token sees what is theirs, too */
    API_KEY,    /* a program with an API key; what it may do is looked up by the operation */
};

/* Which buckets a request draws on, see api/rate_limits.h. */
enum api_rate {
    API_RATE_NONE,
    API_RATE_READ,
    API_RATE_WRITE,
    API_RATE_AUTH,
    API_RATE_LINK,    /* what a shared link leads to, for anyone: codes are not to be tried out */
    API_RATE_REFUSED, /* of no route: what is refused before a route's own limit counts it, and unknown keys
                       */
    API_RATES_N
};

/* Parameters of the query, as bits. */
enum {
    API_QUERY_CURSOR = 1 << 0,
    API_QUERY_LIMIT = 1 << 1,
    API_QUERY_VARIANT = 1 << 2,
    API_QUERY_HAND = 1 << 3,
    API_QUERY_Q = 1 << 4,
    API_QUERY_SINCE = 1 << 5,
    API_QUERY_UNTIL = 1 << 6,
    API_QUERY_CAUSE = 1 << 7,
    API_QUERY_FORMAT = 1 << 8, /* of a list of api/page.h: a page, or all of it as a stream */
    API_QUERY_PLAYER = 1 << 9,
    API_QUERY_STATE = 1 << 10,
    API_QUERY_KEY = 1 << 11,
    API_QUERY_ACTION = 1 << 12,
    API_QUERY_SORT = 1 << 13,
    API_QUERY_BOT_ACCOUNTS = 1 << 14,
    API_QUERY_NICKNAME = 1 << 15,
    API_QUERY_KIND = 1 << 16,
    API_QUERY_PAGE = API_QUERY_CURSOR | API_QUERY_LIMIT,
    API_QUERY_TIMES = API_QUERY_SINCE | API_QUERY_UNTIL,
};

/* What is over does not change but for names that are erased with an account, which takes days. */
#define API_KEPT_S 86400

struct api_route {
    const char *method, *path; /* "GET", "/v1/tables/{table}" */
    const char *id;            /* operationId of openapi.yaml */
    enum api_role role;
    enum api_rate rate;
    enum api_scope scope; /* of a player: what a bot's token needs; 0: API_SCOPE_ACCOUNT */
    unsigned query;       /* API_QUERY_…: what it takes, each once */
    bool idempotent;      /* wants an Idempotency-Key */
    bool takes_seat;      /* refused while the process winds down */
    bool tagged;          /* a 200 bears an ETag of its bytes, and a 304 for a client that has it */
    bool kept;            /* the same, and its reader may keep it for API_KEPT_S without asking */
    bool secret;          /* what it answers is never compressed: see docs/security.md */
    bool computes;        /* has a step on a worker (API_WORK): a place there is taken first */
    bool standby; /* its reads may go to a standby: of lists and of what is past (server/http/standby.h) */
    bool job;     /* may take HTTP_JOB_STEPS_MAX steps */
    const struct api_spec *body; /* NULL: takes none */
    size_t raw_max;              /* takes a body as it came, of so many bytes: for signatures over them */
    /* The first statement: NULL when `begin` decides what comes first. */
    const struct db_stmt *stmt;
    bool writes;
    /* Binds request->args for stmt and returns API_QUERY, or takes another way. NULL: no parameters. */
    enum api_next (*begin)(struct api_request *request);
    /* Writes the answer from the rows. */
    enum api_next (*reply)(struct api_request *request, const PGresult *rows);
};

/* Row i, NULL behind the last. */
const struct api_route *api_route_at(size_t i);

/* What a token has to be good for at a route of a player. */
enum api_scope api_route_scope(const struct api_route *route);

/* What a path leads to. */
struct api_match {
    const struct api_route *route; /* NULL: none with this method */
    bool path_known;               /* some method is answered here */
    unsigned int methods;          /* that are; for api_match_allow */
    char params[API_PARAMS_MAX][API_PARAM_MAX];
};

/* HEAD is answered by the route of GET. */
void api_match(const char *method, const char *path, struct api_match *match);

/* What Allow says of it, for 405 and OPTIONS: HEAD where there is GET, OPTIONS wherever something is. */
enum { API_ALLOW_MAX = 64 };
void api_match_allow(const struct api_match *match, char out[API_ALLOW_MAX]);

/* Whether an address belongs to the API rather than to the page, also when somebody writes it with other
 * letters or with a slash too many: everything below /v1, and whatever a row of the table answers. */
bool api_path_is_ours(const char *path);

/* Takes one parameter of the query for the request's route. API_FAULT_NONE, or what is wrong with it: unknown
 * to the route, or there already. What is not below /v1, and what another's program calls with an address of
 * its own, lets pass what it does not know. */
enum api_fault_code api_query_take(struct api_request *request, const char *name, const char *value);

/* What a cursor of the request's list is bound to: the operation, what path and query ask of it (all but
 * which page), and who reads. A hash in hexadecimal. */
enum { API_BOUND_MAX = 65 };
void api_query_bound(const struct api_request *request, char out[API_BOUND_MAX]);

/* The table as a JSON array. */
void api_routes_write(struct buf *out);

#endif
