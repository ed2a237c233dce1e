/* Whether somebody between here and PostgreSQL could read along; see pg.h. */
#include "base/addr.h"
#include "db/pg.h"

#include <string.h>

static const char *value_in(const PQconninfoOption *options, const char *keyword)
{
    for (; options && options->keyword; options++)
        if (strcmp(options->keyword, keyword) == 0)
            return options->val && options->val[0] ? options->val : NULL;
    return NULL;
}

/* Of several, comma between, all. */
static bool all_here(const char *hosts)
{
    for (;; hosts++) {
        size_t n = strcspn(hosts, ",");
        if (n > 0 && hosts[0] != '/' && hosts[0] != '@' && !addr_is_here(hosts, n))
            return false;
        hosts += n;
        if (*hosts == '\0')
            return true;
    }
}

/* What is not said in a conninfo is said by the environment. */
static bool is_guarded(const PQconninfoOption *said, const PQconninfoOption *environment)
{
    const char *sslmode = value_in(said, "sslmode"), *host = value_in(said, "hostaddr");
    if (!sslmode)
        sslmode = value_in(environment, "sslmode");
    if (sslmode && strcmp(sslmode, "verify-full") == 0)
        return true;
    if (!host)
        host = value_in(said, "host");
    if (!host && value_in(said, "service"))
        return false; /* which is read when we connect */
    if (!host)
        host = value_in(environment, "hostaddr");
    if (!host)
        host = value_in(environment, "host");
    return !host || all_here(host);
}

bool db_is_guarded(const char *conninfo)
{
    char *why = NULL;
    bool words = strchr(conninfo, '=') || strncmp(conninfo, "postgres://", 11) == 0 ||
                 strncmp(conninfo, "postgresql://", 13) == 0; /* else a name of a database */
    PQconninfoOption *said = words ? PQconninfoParse(conninfo, &why) : NULL;
    PQconninfoOption *environment = PQconndefaults();
    bool ok = (words && !said) || is_guarded(said, environment);
    PQfreemem(why);
    PQconninfoFree(said);
    PQconninfoFree(environment);
    return ok;
}
