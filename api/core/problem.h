/* The only table of errors (api/errors.def) as an enum, and RFC 9457 problem documents made from it. Used by
 * REST, and by the live tables for the codes of their nacks. Pure, any thread. */
#ifndef RUMMYD_API_PROBLEM_H
#define RUMMYD_API_PROBLEM_H

#include "base/buf.h"

#include <stdint.h>

enum api_code {
    API_OK,
#define API_ERROR(id, name, status, where, text) API_##id,
#include "api/errors.def"
#undef API_ERROR
    API_CODES_N
};

/* Contracts that list a code: openapi.yaml, asyncapi.yaml, or both. */
enum api_where { API_IN_REST = 1, API_IN_WS = 2, API_IN_BOTH = 3 };

/* For API_OK these return "ok", 200, 0, and "". */
const char *api_code_name(enum api_code code);
int api_code_status(enum api_code code);
enum api_where api_code_where(enum api_code code);
const char *api_code_text(enum api_code code);
/* The code with this snake_case name, or API_OK if there is none. Used for codes that SQL functions
 * return. */
enum api_code api_code_of(const char *name);

struct api_faults;

/* Data of a problem in addition to its code, for a sentence in any language; 0 or NULL: not set. */
struct api_problem_data {
    int64_t retry_s;       /* how long to wait */
    int64_t bytes_max;     /* maximum size of a body */
    int line, column;      /* where a body is not valid JSON, from 1 */
    const char *limit;     /* name of the rate limit that was exceeded; a literal */
    const char *scope;     /* the scope that the token lacks; a literal */
    const char *challenge; /* required to continue a login; lives as long as the request */
};

/* Writes the problem document. Its `detail` is the sentence of the first fault, or else the code's. data may
 * be NULL. faults (api/core/faults.h) may be NULL or empty, in which case the document has no `errors`. */
void api_problem_write(struct buf *out, enum api_code code, const struct api_problem_data *data,
                       const char *instance, const char *trace_id, const struct api_faults *faults);

#endif
