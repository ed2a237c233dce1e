/* The one table of errors (errors.def) as an enum, and RFC 9457 problem documents from it.
 * Used by REST, and by the live tables for the codes of their nacks. Pure, any thread. */
#ifndef RUMMYD_API_PROBLEM_H
#define RUMMYD_API_PROBLEM_H

#include "base/buf.h"

enum api_code {
    API_OK,
#define API_ERROR(id, name, status, where, text) API_##id,
#include "api/errors.def"
#undef API_ERROR
    API_CODES_N
};

/* Where a code may appear: in openapi.yaml, in asyncapi.yaml, or in both. */
enum api_where { API_IN_REST = 1, API_IN_WS = 2, API_IN_BOTH = 3 };

/* For API_OK these give "ok", 200, 0 and "". */
const char *api_code_name(enum api_code code);
int api_code_status(enum api_code code);
enum api_where api_code_where(enum api_code code);
const char *api_code_text(enum api_code code);
/* The code of that snake_case name, or API_OK when there is none: for codes SQL functions return. */
enum api_code api_code_of(const char *name);

#define API_DETAIL_MAX 200 /* bytes of a detail, with the NUL */

struct api_faults;

/* Writes the problem document. detail may be empty: the code's own sentence is used. faults (api/faults.h)
 * may be NULL or empty: the document then has no `errors`. */
void api_problem_write(struct buf *out, enum api_code code, const char *detail, const char *instance,
                       const char *trace_id, const struct api_faults *faults);

#endif
