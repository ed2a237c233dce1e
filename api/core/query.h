/* The query parameters of all operations, from the contract (api/routes.def). Any thread. */
#ifndef RUMMYD_API_QUERY_H
#define RUMMYD_API_QUERY_H

#include "api/core/request.h"

/* Query parameters, as bits. */
enum {
#define API_QUERY_PARAMETER(name) API_QUERY_NO_##name,
#include "api/routes.def"
    API_QUERIES_N
};
#define API_QUERY_OF(name) (1U << API_QUERY_NO_##name)
/* The name of parameter i. */
const char *api_query_name(size_t i);
/* The request's value of parameter i; NULL: not given. */
const char *api_query_value(const struct api_request *request, size_t i);

/* Accepts one query parameter for the request's route. Returns API_FAULT_NONE or the fault: unknown to the
 * route, or a duplicate. Routes outside /v1, and those that other parties call with their own URLs, ignore
 * unknown parameters. */
enum api_fault_code api_query_take(struct api_request *request, const char *name, const char *value);

/* Writes the hash, in hexadecimal, to which a cursor of the request's list is bound. It covers the
 * operation, its path and query parameters (except those that select a page), and the reader. */
enum { API_BOUND_MAX = 65 };
void api_query_bound(const struct api_request *request, char out[API_BOUND_MAX]);

#endif
