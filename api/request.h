/* One request on its way through its route: what was asked, the step that comes next, the answer.
 * server/http/rest.c makes it, runs its steps and sends what it holds; the endpoints in api/ fill it in.
 * A request belongs to one REST loop's thread; only `work` runs elsewhere, while nothing else touches
 * the request. */
#ifndef RUMMYD_API_REQUEST_H
#define RUMMYD_API_REQUEST_H

#include "api/api.h"
#include "api/faults.h"
#include "api/password.h"
#include "api/spec.h"
#include "api/token.h"
#include "base/addr.h"
#include "base/buf.h"
#include "db/args.h"
#include "db/pg.h"

#include <stdbool.h>
#include <stdint.h>

/* What the server has to do next. */
enum api_next {
    API_DONE,     /* the answer is complete: send it */
    API_QUERY,    /* run request->stmt with request->args, then request->then(request, result) */
    API_WORK,     /* run request->work(request) on a worker, then request->then(request, NULL) */
    API_FETCH,    /* the same on a worker that may wait for another server */
    API_IDENTIFY, /* the same for servers that say who somebody is: payments do not wait for these */
};

#define API_PARAMS_MAX 4           /* path parameters of a route */
#define API_PARAM_MAX 64           /* bytes of one, with the NUL */
#define API_REPLY_MAX (512 * 1024) /* bytes of a reply that is written here */
#define API_ETAG_MAX 40
#define API_LOCATION_MAX 768
#define API_FILE_NAME_MAX 80
#define API_NAME_MAX 32   /* characters of a name that a parameter of the query gives */
#define API_WORD_MAX 64   /* of a word: the name of a key, of what it did */
#define API_TRACE_MAX 65  /* bytes of a trace id, with the NUL */
#define API_ARGS_MAX 2048 /* bytes of the values of all arguments */

struct api_request {
    /* What was asked. Borrowed texts live as long as the request. */
    const struct api_env *env;
    const struct api_route *route;
    int64_t now_ms;       /* wall clock at its arrival */
    int64_t player_id;    /* 0: nobody signed in */
    int64_t session_id;   /* theirs */
    uint8_t scopes;       /* what that may do: enum api_scope */
    uint8_t key_hash[32]; /* of the API key, for routes that want one */
    bool database_up;
    char address[ADDR_TEXT_MAX];                /* base/addr.h; "unknown" when there is none */
    char params[API_PARAMS_MAX][API_PARAM_MAX]; /* in the order of the route's path */
    /* Of the query (api_query_take); NULL: not given. */
    const char *cursor, *limit, *variant, *hand, *q, *since, *until, *cause, *format, *player, *state, *key;
    const char *action, *sort, *bot_accounts, *nickname, *kind;
    const char *idempotency_key; /* checked; NULL unless the route wants one */
    bool repeated;               /* the first answer to the key, again */
    const char *if_none_match;
    const char *accept_encoding;
    const char *instance; /* the path as it was sent */
    char trace_id[API_TRACE_MAX];
    struct api_spec_value body[API_SPEC_MEMBERS_MAX];
    json_t *json;    /* owns the texts of body */
    const char *raw; /* the body, for routes that take it as it came */
    size_t raw_len;
    uint8_t body_hash[32];

    /* The next step. */
    const struct db_stmt *stmt;
    bool writes;         /* stmt changes something: it goes by db_pipe_write */
    struct db_args args; /* on args_mem */
    char args_mem[API_ARGS_MAX];
    void (*work)(struct api_request *request);
    enum api_next (*then)(struct api_request *request, const PGresult *result);

    /* The answer: a problem when code is not API_OK, else status and what is in *out. */
    enum api_code code;
    struct api_problem_data data; /* what the problem gives beside its code */
    struct api_faults
        *faults; /* what is wrong with the request, freed with it; NULL: nothing was said of it */
    int status;
    const char *content_type;          /* a literal */
    char etag[API_ETAG_MAX];           /* with its quotes; empty: none */
    char location[API_LOCATION_MAX];   /* of a 201: the path of what was created; empty: the request's own */
    char file_name[API_FILE_NAME_MAX]; /* under which a browser keeps it; empty: it is no file */
    struct buf *out;                   /* &out_buf, on memory of the loop: good within one step */
    struct buf out_buf;
    const char *sent; /* instead of *out: bytes of the rows, good within the last step, or of the program;
                         NULL: *out */
    size_t sent_len;

    /* What the steps of one endpoint hand on to each other. */
    int64_t page_limit;
    bool streams; /* a list that is wanted whole: `reply` writes a chunk of lines at a time (api/page.h) */
    int64_t stream_below; /* where its next chunk begins, of which `begin` binds it; 0: the first, or there is
                             none */
    char password_hash[API_PASSWORD_HASH_MAX];
    bool password_ok;
    int64_t login_attempt; /* how the database counted it */
    enum api_next (*after_reauth)(struct api_request *request, const PGresult *none); /* api/reauth.h */
    int64_t factor_step; /* whose code of the second factor was given; 0: none's */
    int job_step;
    void *own; /* memory of the endpoint, freed with the request */
    /* What the client is to keep; empty: nothing. Of a log-in that waits for its second factor refresh_token
     * is the challenge. */
    char refresh_token[API_TOKEN_RANDOM_MAX], device_token[API_TOKEN_RANDOM_MAX],
        device_secret[API_TOKEN_RANDOM_MAX], challenge[API_TOKEN_RANDOM_MAX];
};

/* --- for endpoints --- */

/* Ends the request with this fault; or adds it to what is wrong already, and the first stays the problem. So
 * an endpoint may go on looking, until it returns API_DONE. */
enum api_next api_fail_fault(struct api_request *request, const struct api_fault *fault);
/* The same for a parameter of path or query. */
enum api_next api_fail_parameter(struct api_request *request, const char *name, enum api_fault_code code,
                                 int64_t min, int64_t max);
/* A parameter that has to be an integer from min to max; else the request has failed. */
bool api_read_number(struct api_request *request, const char *name, const char *text, int64_t min,
                     int64_t max, int64_t *number);
/* A parameter that has to be one of these words, NULL behind the last; not given: the first one. NULL: the
 * request has failed. */
const char *api_read_choice(struct api_request *request, const char *name, const char *text,
                            const char *const *words);
/* `variant` of the query has to be one that there is, if it is given; else the request has failed. */
void api_check_variant(struct api_request *request);
/* A parameter has to be one of `choices`, a list that ends with NULL, if it is given; else the request has
 * failed. */
void api_check_choice(struct api_request *request, const char *name, const char *text,
                      const char *const *choices);
/* Binds `player` as an id, NULL where it is not given; what is none fails the request. */
void api_bind_of_player(struct api_request *request);
/* Binds a parameter that is one of a list's words, NULL where it is not given; what is no word (letters,
 * digits, _ - and :) fails the request. */
void api_bind_word(struct api_request *request, const char *name, const char *text);
/* Binds a parameter that is `true` or `false`, NULL where it is not given; what is neither fails the request.
 */
/* Binds one of `choices`, a list that ends with NULL. NULL: it is not given. */
void api_bind_choice(struct api_request *request, const char *name, const char *text,
                     const char *const *choices);
void api_bind_flag(struct api_request *request, const char *name, const char *text);
/* Binds `since` and `until` in milliseconds, NULL where one is not given: the last parameters of a begin.
 * What is no time (base/clock.h) fails the request. */
enum api_next api_bind_times(struct api_request *request);
/* Makes this statement, with request->args, the next step. */
enum api_next api_query(struct api_request *request, const struct db_stmt *stmt, bool writes,
                        enum api_next (*then)(struct api_request *, const PGresult *));
/* Makes this job of a worker the next step. */
enum api_next api_work(struct api_request *request, void (*job)(struct api_request *),
                       enum api_next (*then)(struct api_request *, const PGresult *));
/* Ends the request with the code's own sentence. */
enum api_next api_refuse(struct api_request *request, enum api_code code);
/* Ends the request with the problem for a `code` an SQL function returned. What it does not know is
 * a fault of ours: 500. */
enum api_next api_refuse_sql(struct api_request *request, const char *sql_code);

/* The code for a statement that a guard of ours refused (db/functions/limits); API_OK: this
 * state is no guard's. */
enum api_code api_code_of_state(const char *sqlstate);

/* The path parameter i as an id; otherwise the request has failed. */
bool api_param_id(struct api_request *request, int i, int64_t *id);

/* Ways to begin that many endpoints share: they bind the player, the first path parameter as an id, or
 * both in this order. */
enum api_next api_bind_player(struct api_request *request);
enum api_next api_bind_id(struct api_request *request);
enum api_next api_bind_player_and_id(struct api_request *request);
/* Binds the idempotency key and the hash of the body it came with, in this order. */
void api_bind_idempotency(struct api_request *request);

/* Opens a JSON answer: '{' is written. */
struct buf *api_reply_open(struct api_request *request, int status);
enum api_next api_reply_empty(struct api_request *request); /* 204 */
/* Says where what was created is: below this path, by this id. */
void api_reply_location(struct api_request *request, const char *path, const char *id);
/* Says that the answer is a file to keep, and its name, which is ours alone: small letters, digits, - and a
 * dot. */
void api_reply_file(struct api_request *request, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Closes the answer with an ETag made of its bytes; 304 when the client has it. */
enum api_next api_reply_tagged(struct api_request *request);
enum api_next api_reply_tagged_as(struct api_request *request, const char *etag);

#endif
