/* The endpoint table: one row for each operation of openapi.yaml, from which scripts/bundle writes
 * api/routes.def. server/http/rest.c looks up requests here, and `rummyd routes` prints it. Constant; any
 * thread. */
#ifndef RUMMYD_API_ROUTE_H
#define RUMMYD_API_ROUTE_H

#include "api/core/operations.h"
#include "api/core/query.h"

enum api_role {
    API_ANYONE,
    API_PLAYER,
    API_READER, /* anyone; a player who sends a token also sees their own data */
    API_KEY,    /* a program with an API key; the operation determines the required permission */
};

/* Rate limit buckets of a request, see api/core/rate_limits.h. */
enum api_rate {
    API_RATE_NONE,
    API_RATE_READ,
    API_RATE_WRITE,
    API_RATE_AUTH,
    API_RATE_LINK,    /* public targets of shared links; limits guessing of codes */
    API_RATE_REFUSED, /* never the class of a route: requests rejected before a route's limit applies, and
                         unknown keys */
    API_RATES_N
};

/* Cache time for finished games, which do not change, except for names erased with an account after
 * days. */
#define API_KEPT_S 86400

struct api_route {
    const char *method, *path; /* "GET", "/v1/tables/{table}" */
    const char *id;            /* operationId */
    int status;                /* status of a success; 0: 200, or the operation chooses it */
    const char *location;      /* path below which a created object is; NULL: unknown */
    enum api_role role;
    enum api_rate rate;
    enum api_scope scope; /* for players: the scope that a token requires */
    unsigned query;       /* API_QUERY_OF(…) | …: accepted parameters, each at most once */
    bool idempotent;      /* requires an Idempotency-Key */
    bool takes_seat;      /* rejected while the process is shutting down */
    bool tagged;  /* a 200 has an ETag, from the endpoint or its bytes; 304 if the client has that version */
    bool kept;    /* clients may cache a 200 for API_KEPT_S without revalidating */
    bool secret;  /* its response is never compressed; see docs/security.md */
    bool standby; /* its reads may use a standby (server/http/standby.h); for lists and history */
    const struct api_spec *body; /* NULL: no body, or an unparsed one (raw_max) */
    const struct api_operation *operation;
};

/* Row i; NULL after the last. */
const struct api_route *api_route_at(size_t i);

/* The result of a lookup. */
struct api_match {
    const struct api_route *route; /* NULL: no route with this method */
    bool path_known;               /* some method exists for this path */
    unsigned int methods;          /* those methods, for api_match_allow */
    char params[API_PARAMS_MAX][API_PARAM_MAX];
};

/* HEAD uses the route of GET. */
void api_match(const char *method, const char *path, struct api_match *match);

/* Writes the Allow header for 405 and OPTIONS. Adds HEAD if there is GET, and OPTIONS for any existing
 * path. */
enum { API_ALLOW_MAX = 64 };
void api_match_allow(const struct api_match *match, char out[API_ALLOW_MAX]);

/* Whether a path belongs to the API rather than to the page: all paths below /v1 and all in the table, even
 * with different case or an extra slash. */
bool api_path_is_ours(const char *path);

/* Writes the table as a JSON array. */
void api_routes_write(struct buf *out);

#endif
