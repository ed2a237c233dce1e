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
    API_RATE_LINK,    /* targets of shared links, for anyone: limits guessing of codes */
    API_RATE_REFUSED, /* not for routes: requests rejected before a route's limit counts them, and unknown
                         keys */
    API_RATES_N
};

/* Finished games do not change, except for names erased with an account, which takes days. */
#define API_KEPT_S 86400

struct api_route {
    const char *method, *path; /* "GET", "/v1/tables/{table}" */
    const char *id;            /* operationId */
    int status;                /* of a success; 0: 200, or the operation chooses it */
    const char *location;      /* a created object is below this path; NULL: its path is not known */
    enum api_role role;
    enum api_rate rate;
    enum api_scope scope; /* of a player: the scope that a token needs */
    unsigned query;       /* API_QUERY_OF(…) | …: accepted parameters, each at most once */
    bool idempotent;      /* requires an Idempotency-Key */
    bool takes_seat;      /* rejected while the process is shutting down */
    bool tagged;  /* a 200 has an ETag, the endpoint's or one of its bytes; 304 if the client has it */
    bool kept;    /* clients may cache a 200 for API_KEPT_S without revalidating */
    bool secret;  /* its response is never compressed: see docs/security.md */
    bool standby; /* its reads may use a standby: for lists and history (server/http/standby.h) */
    const struct api_spec *body; /* NULL: none, or an unparsed one (raw_max) */
    const struct api_operation *operation;
};

/* Row i, NULL after the last. */
const struct api_route *api_route_at(size_t i);

/* The result of a lookup. */
struct api_match {
    const struct api_route *route; /* NULL: none with this method */
    bool path_known;               /* some method exists for this path */
    unsigned int methods;          /* these methods; for api_match_allow */
    char params[API_PARAMS_MAX][API_PARAM_MAX];
};

/* HEAD uses the route of GET. */
void api_match(const char *method, const char *path, struct api_match *match);

/* The Allow header for it, for 405 and OPTIONS: HEAD if there is GET, OPTIONS for any existing path. */
enum { API_ALLOW_MAX = 64 };
void api_match_allow(const struct api_match *match, char out[API_ALLOW_MAX]);

/* Whether a path belongs to the API rather than to the page, even if it is written in other case or with an
 * extra slash: everything below /v1, and whatever the table has a row for. */
bool api_path_is_ours(const char *path);

/* The table as a JSON array. */
void api_routes_write(struct buf *out);

#endif
