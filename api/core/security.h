/* Security events, and the requests that cause them, from the list in api/security.def. Pure, any
 * thread. */
#ifndef RUMMYD_API_SECURITY_H
#define RUMMYD_API_SECURITY_H

#include "api/core/problem.h"
#include "base/log.h"

enum api_security {
    API_SECURITY_NONE,
#define API_SECURITY(id, name, level, one_in) API_SECURITY_##id,
#include "api/security.def"
    API_SECURITIES_N
};

const char *api_security_name(enum api_security event);
enum log_level api_security_level(enum api_security event);
/* Log 1 in this many events of this kind. */
unsigned api_security_one_in(enum api_security event);

/* The event for a request rejected with this code. */
enum api_security api_security_of_code(enum api_code code);
/* The event for a successful request of this operation. */
enum api_security api_security_of_operation(const char *operation);
/* The operation of row i of that list; NULL after the last. For the test that each operation exists. */
const char *api_security_operation_at(size_t i);

#endif
