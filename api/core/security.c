/* The list of security events; see security.h. */
#include "api/core/security.h"

#include <string.h>

#include "base/bug.h"

static const struct {
    const char *name;
    enum log_level level;
    unsigned one_in;
} events[API_SECURITIES_N] = {
    [API_SECURITY_NONE] = {"none", LOG_DEBUG, 1},
#define API_SECURITY(id, name, level, one_in) [API_SECURITY_##id] = {name, level, one_in},
#include "api/security.def"
};

static const enum api_security of_code[API_CODES_N] = {
#define API_SECURITY_REFUSED(id, code) [API_##code] = API_SECURITY_##id,
#include "api/security.def"
};

static const struct {
    const char *operation;
    enum api_security event;
} done[] = {
#define API_SECURITY_DONE(id, operation) {operation, API_SECURITY_##id},
#include "api/security.def"
};

const char *api_security_name(enum api_security event)
{
    ASSERT(event < API_SECURITIES_N);
    return events[event].name;
}

enum log_level api_security_level(enum api_security event)
{
    ASSERT(event < API_SECURITIES_N);
    return events[event].level;
}

unsigned api_security_one_in(enum api_security event)
{
    ASSERT(event < API_SECURITIES_N);
    return events[event].one_in;
}

enum api_security api_security_of_code(enum api_code code)
{
    ASSERT(code < API_CODES_N);
    return of_code[code];
}

enum api_security api_security_of_operation(const char *operation)
{
    for (size_t i = 0; i < ARRAY_LEN(done); i++)
        if (strcmp(done[i].operation, operation) == 0)
            return done[i].event;
    return API_SECURITY_NONE;
}

const char *api_security_operation_at(size_t i)
{
    return i < ARRAY_LEN(done) ? done[i].operation : NULL;
}
