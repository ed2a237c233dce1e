/* Content codings: which codings a client accepts, and which responses may use them. Pure, any thread. */
#ifndef RUMMYD_API_CODING_H
#define RUMMYD_API_CODING_H

#include <stdbool.h>

enum api_coding { API_IDENTITY, API_GZIP, API_BR, API_CODINGS_N };

/* Minimum and maximum size of a compressed response. The maximum limits the cost of a request. */
enum { API_CODED_MIN = 1024, API_CODED_MAX = 128 * 1024 };

/* Returns the coding in `among` (one bit each; identity is always allowed) that an Accept-Encoding header
 * prefers (RFC 9110, 12.5.3): the one with the highest q; in a tie br, then gzip. header: NULL if there is
 * none. For an invalid header, or one that rejects all codings, returns identity. */
enum api_coding api_coding_accepted(const char *header, unsigned among);
/* The coding's name in Content-Encoding. */
const char *api_coding_name(enum api_coding coding);
/* The suffix of the entity tag for this coding, because another coding is another representation (RFC 9110,
 * 8.8.3.3). */
const char *api_coding_tag(enum api_coding coding);

struct api_request;

/* Whether responses of the request's route may be compressed: those of GET, unless the route returns
 * secrets. */
bool api_coding_may(const struct api_request *request);
/* The coding of the response that the request currently holds. */
enum api_coding api_coding_of(const struct api_request *request);

#endif
