/* See bodies.h. */
#include "api/bodies.h"

#include "api/core/validators.h"
#include "api/names/names.h"
#include "api/signin/password_rules.h"
#include "api/signin/totp.h"
#include "base/bug.h"

#define API_RULE(NAME, ...) static const struct api_spec_rule rule_##NAME = {__VA_ARGS__};
#include "api/rules.def"

#define API_BODY(BODY) static const struct api_spec_member members_##BODY[] = {
#define API_BODY_MEMBER(BODY, ID, MIN, MAX, ...) [ID] = {.min = (MIN), .max = (MAX), __VA_ARGS__},
#define API_BODY_END(BODY, ...)                                                                              \
    }                                                                                                        \
    ;                                                                                                        \
    const struct api_spec api_body_##BODY = {                                                                \
        .members = members_##BODY, .members_n = ARRAY_LEN(members_##BODY), __VA_ARGS__};
#include "api/bodies.def"
