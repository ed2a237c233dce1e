/* A request to an endpoint: its input, next step, and response. server/http/rest.c creates it, runs its
 * steps, and sends the response; the endpoints in api/ fill it in. A request belongs to one REST loop's
 * thread. Only `work` runs on another thread, and during it nothing else uses the request. */
#ifndef RUMMYD_API_REQUEST_H
#define RUMMYD_API_REQUEST_H

#include "api/api.h"
#include "api/core/faults.h"
#include "api/core/password.h"
#include "api/core/spec.h"
#include "api/core/token.h"
#include "base/addr.h"
#include "base/buf.h"
#include "db/args.h"
#include "db/pg.h"

#include <stdbool.h>
#include <stdint.h>

/* The server's next step. */
enum api_next {
    API_DONE,     /* the response is complete: send it */
    API_QUERY,    /* run request->stmt with request->args, then request->then(request, result) */
    API_WORK,     /* run request->work(request) on a worker, then request->then(request, NULL) */
    API_FETCH,    /* like API_WORK, on a worker that can wait for another server */
    API_IDENTIFY, /* like API_FETCH for identity providers, so that payments do not wait for them */
};

#define API_PARAMS_MAX 4           /* path parameters per route */
#define API_PARAM_MAX 64           /* bytes of a path parameter, including the NUL */
#define API_REPLY_MAX (512 * 1024) /* bytes of a reply written here */
#define API_ETAG_MAX 40
#define API_LOCATION_MAX 768
#define API_FILE_NAME_MAX 80
#define API_NAME_MAX 32   /* characters of a name in the query */
#define API_WORD_MAX 64   /* characters of a word: the name of a key or an action */
#define API_TRACE_MAX 65  /* bytes of a trace id, including the NUL */
#define API_ARGS_MAX 2048 /* bytes of all arguments' values */

struct api_request {
    /* The input. Borrowed strings live as long as the request. */
    const struct api_env *env;
    const struct api_route *route;
    int64_t now_ms;       /* wall clock on arrival */
    int64_t player_id;    /* 0: not signed in */
    int64_t session_id;   /* the player's */
    uint8_t scopes;       /* the session's scopes: enum api_scope */
    uint8_t key_hash[32]; /* hash of the API key, for routes that require one */
    bool database_up;
    char address[ADDR_TEXT_MAX];                /* base/addr.h; "unknown" if there is none */
    char params[API_PARAMS_MAX][API_PARAM_MAX]; /* in the order of the route's path */
    /* From the query (api_query_take); NULL: not given. */
#define API_QUERY_PARAMETER(name) const char *name;
#include "api/routes.def"
    const char *idempotency_key; /* validated; NULL unless the route requires one */
    bool repeated;               /* this repeats the first response to the key */
    const char *if_none_match;
    const char *accept_encoding;
    const char *instance; /* the path as sent */
    char trace_id[API_TRACE_MAX];
    struct api_spec_value body[API_SPEC_MEMBERS_MAX];
    json_t *json;    /* owns the strings in body */
    const char *raw; /* the body, for routes that need it unparsed */
    size_t raw_len;
    uint8_t body_hash[32];

    /* The next step. */
    const struct db_stmt *stmt;
    bool writes;         /* stmt changes data: use db_pipe_write */
    struct db_args args; /* on args_mem */
    char args_mem[API_ARGS_MAX];
    void (*work)(struct api_request *request);
    enum api_next (*then)(struct api_request *request, const PGresult *result);

    /* The response: a problem if code is not API_OK, otherwise status and the contents of *out. */
    enum api_code code;
    struct api_problem_data data; /* additional data of the problem */
    struct api_faults *faults;    /* the request's faults, freed with it; NULL: none */
    int status;
    const char *content_type;          /* a literal */
    char etag[API_ETAG_MAX];           /* including its quotes; empty: none */
    char location[API_LOCATION_MAX];   /* for a 201, the path of the new object; empty: the request's path */
    char file_name[API_FILE_NAME_MAX]; /* name under which a browser saves it; empty: not a download */
    struct buf *out;                   /* &out_buf, in the loop's memory; valid within one step */
    struct buf out_buf;
    const char *sent; /* sent instead of *out: bytes of the rows, valid within the last step, or static bytes;
                         NULL: send *out */
    size_t sent_len;

    /* State passed between the steps of one endpoint. */
    int64_t page_limit;
    bool streams;         /* the client requested the complete list; `reply` writes a chunk of lines at a time
                             (api/core/page.h) */
    int64_t stream_below; /* start of the next chunk, which `begin` binds; 0: the first chunk, or no more
                             chunks */
    char password_hash[API_PASSWORD_HASH_MAX];
    bool password_ok;
    int64_t login_attempt; /* number of this attempt in the database */
    enum api_next (*after_reauth)(struct api_request *request,
                                  const PGresult *none); /* api/signin/reauth.h */
    int64_t factor_step;                                 /* step of the second-factor code; 0: no match */
    int job_step;
    void *own; /* memory of the endpoint, freed with the request */
    /* Tokens for the client to keep; empty: none. For a login that waits for its second factor, refresh_token
     * is the challenge. */
    char refresh_token[API_TOKEN_RANDOM_MAX], device_token[API_TOKEN_RANDOM_MAX],
        device_secret[API_TOKEN_RANDOM_MAX], challenge[API_TOKEN_RANDOM_MAX];
};

/* --- for endpoints --- */

/* Fails the request with this fault, or adds it to the faults found so far, of which the first determines
 * the problem. An endpoint can therefore continue checking before it returns API_DONE. */
enum api_next api_fail_fault(struct api_request *request, const struct api_fault *fault);
/* Like api_fail_fault, for a path or query parameter. */
enum api_next api_fail_parameter(struct api_request *request, const char *name, enum api_fault_code code,
                                 int64_t min, int64_t max);
/* Reads a parameter that must be an integer from min to max. false: the request has failed. */
bool api_read_number(struct api_request *request, const char *name, const char *text, int64_t min,
                     int64_t max, int64_t *number);
/* Reads a parameter that must be one of `words`, a NULL-terminated list; the first is the default. NULL:
 * the request has failed. */
const char *api_read_choice(struct api_request *request, const char *name, const char *text,
                            const char *const *words);
/* Fails the request if it has a `variant` in the query that does not exist. */
void api_check_variant(struct api_request *request);
/* Fails the request if a parameter is given that is not in `choices`, a NULL-terminated list. */
void api_check_choice(struct api_request *request, const char *name, const char *text,
                      const char *const *choices);
/* Binds a parameter that is an id, NULL if not given; an invalid id fails the request. */
void api_bind_query_id(struct api_request *request, const char *name, const char *text);
/* Binds a parameter that is a word, NULL if not given; any characters except letters, digits, _, -, and :
 * fail the request. */
void api_bind_word(struct api_request *request, const char *name, const char *text);
/* Binds one of `choices`, a NULL-terminated list. NULL: not given. */
void api_bind_choice(struct api_request *request, const char *name, const char *text,
                     const char *const *choices);
/* Binds a parameter that is `true` or `false`, NULL if not given; anything else fails the request. */
void api_bind_flag(struct api_request *request, const char *name, const char *text);
/* Binds a time in milliseconds, NULL if not given; an invalid one (base/clock.h) fails the request. */
void api_bind_time(struct api_request *request, const char *name, const char *text);
/* Binds `since` and `until` with api_bind_time; the last parameters of a `begin`. */
enum api_next api_bind_times(struct api_request *request);
/* Makes this statement, with request->args, the next step. */
enum api_next api_query(struct api_request *request, const struct db_stmt *stmt, bool writes,
                        enum api_next (*then)(struct api_request *, const PGresult *));
/* Makes this worker job the next step. */
enum api_next api_work(struct api_request *request, void (*job)(struct api_request *),
                       enum api_next (*then)(struct api_request *, const PGresult *));
/* Ends the request with the code's own sentence. */
enum api_next api_refuse(struct api_request *request, enum api_code code);
/* Ends the request with the problem for a `code` that an SQL function returned. An unknown code is a defect
 * (500). */
enum api_next api_refuse_sql(struct api_request *request, const char *sql_code);

/* The code for a statement that one of our triggers rejected (db/functions/limits); API_OK: another
 * SQLSTATE. */
enum api_code api_code_of_state(const char *sqlstate);

/* Reads path parameter i as an id. false: the request has failed. */
bool api_param_id(struct api_request *request, int i, int64_t *id);

/* Common `begin` functions: bind the player, the first path parameter as an id, or both in this order. */
enum api_next api_bind_player(struct api_request *request);
enum api_next api_bind_id(struct api_request *request);
enum api_next api_bind_player_and_id(struct api_request *request);
/* Binds a member of the body (a string, an integer, or a boolean); NULL if it is missing. */
void api_bind_member(struct api_request *request, size_t member);
/* Binds the Idempotency-Key and the hash of the body, in this order. */
void api_bind_idempotency(struct api_request *request);

/* Opens a JSON reply by writing '{'. */
struct buf *api_reply_open(struct api_request *request, int status);
enum api_next api_reply_empty(struct api_request *request); /* 204 */
/* Sets the location of the new object: below this path, with this id. */
void api_reply_location(struct api_request *request, const char *path, const char *id);
/* Makes the reply a download with this file name, which must consist of lower-case letters, digits, -, and
 * a dot. */
void api_reply_file(struct api_request *request, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Closes the reply with an ETag computed from its bytes; 304 if the client has that version. */
enum api_next api_reply_tagged(struct api_request *request);
enum api_next api_reply_tagged_as(struct api_request *request, const char *etag);

#endif
