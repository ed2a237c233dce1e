/* Request bodies, which scripts/bundle writes to api/bodies.def from the contract: the spec of each body,
 * the index of each member in request->body (CLUB_REQUEST_NAME), and its limits (CLUB_REQUEST_NAME_MIN,
 * …_MAX). Constant; any thread. */
#ifndef RUMMYD_API_BODIES_H
#define RUMMYD_API_BODIES_H

#include "api/core/spec.h"

#define API_BODY(BODY) enum {
#define API_BODY_MEMBER(BODY, ID, MIN, MAX, ...) ID,
#define API_BODY_END(BODY, ...)                                                                              \
    }                                                                                                        \
    ;                                                                                                        \
    extern const struct api_spec api_body_##BODY;
#include "api/bodies.def"

#define API_BODY(BODY) enum {
#define API_BODY_MEMBER(BODY, ID, MIN, MAX, ...) ID##_MIN = (MIN), ID##_MAX = (MAX),
#define API_BODY_END(BODY, ...)                                                                              \
    }                                                                                                        \
    ;
#include "api/bodies.def"

#endif
