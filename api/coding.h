/* Content codings: which one a client takes, and which answers may have one. Pure, any thread. */
#ifndef RUMMYD_API_CODING_H
#define RUMMYD_API_CODING_H

#include <stdbool.h>

enum api_coding { API_IDENTITY, API_GZIP, API_BR, API_CODINGS_N };

/* The bytes of a text that is worth a coding, and the most that one request may cost. */
enum { API_CODED_MIN = 1024, API_CODED_MAX = 128 * 1024 };

/* Which of the codings in `among` (a bit for each; identity is always one) an Accept-Encoding asks for (RFC
 * 9110, 12.5.3): that of the highest q, of equals br, then gzip. header: NULL when there is none. What cannot
 * be read as a list, or refuses all, gets identity. */
enum api_coding api_coding_accepted(const char *header, unsigned among);
/* What Content-Encoding calls it. */
const char *api_coding_name(enum api_coding coding);
/* What stands behind the entity tag of the same bytes without it, for another coding is another
 * representation (RFC 9110, 8.8.3.3). */
const char *api_coding_tag(enum api_coding coding);

struct api_request;

/* Whether the answers of the request's route are coded at all: those of GET, where the route holds no
 * secrets. */
bool api_coding_may(const struct api_request *request);
/* That of the answer which the request holds now. */
enum api_coding api_coding_of(const struct api_request *request);

#endif
