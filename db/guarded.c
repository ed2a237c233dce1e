/* Checks on a conninfo before connecting: whether it is valid, and whether anyone between here and PostgreSQL
 * could read the traffic; see pg.h. */
#include "base/addr.h"
#include "db/pg.h"

#include <stdlib.h>
#include <string.h>

static const char *value_in(const PQconninfoOption *options, const char *keyword)
{
    for (; options && options->keyword; options++)
        if (strcmp(options->keyword, keyword) == 0)
            return options->val && options->val[0] ? options->val : NULL;
    return NULL;
}

/* Comma-separated hosts: all must be local. */
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

/* The environment supplies what a conninfo omits. */
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
        return false; /* which is only read on connecting */
    if (!host)
        host = value_in(environment, "hostaddr");
    if (!host)
        host = value_in(environment, "host");
    return !host || all_here(host);
}

/* Keywords or a URI; otherwise it is the name of a database. */
static bool is_conninfo(const char *text)
{
    return strchr(text, '=') || strncmp(text, "postgres://", 11) == 0 ||
           strncmp(text, "postgresql://", 13) == 0;
}

/* Comma-separated ports, each from 1 to 65535; an empty one is the default. */
static bool are_ports(const char *ports)
{
    for (;; ports++) {
        size_t n = strcspn(ports, ",");
        char *end = NULL;
        long port = n > 0 ? strtol(ports, &end, 10) : 1;
        if (port < 1 || port > 65535 || (n > 0 && end != ports + n))
            return false;
        ports += n;
        if (*ports == '\0')
            return true;
    }
}

const char *db_conninfo_fault(const char *conninfo)
{
    char *why = NULL;
    if (!is_conninfo(conninfo))
        return strpbrk(conninfo, " \t/")
                   ? "must be the name of a database, key=value words, or a postgresql:// URI"
                   : NULL;
    PQconninfoOption *said = PQconninfoParse(conninfo, &why);
    const char *port = value_in(said, "port"), *fault = NULL;
    if (!said) /* libpq's message may repeat part of a password */
        fault = "libpq cannot read this; write key=value words (a value with a space between single quotes), "
                "or a postgresql:// URI";
    else if (port && !are_ports(port))
        fault = "its port must be a number from 1 to 65535";
    PQfreemem(why);
    PQconninfoFree(said);
    return fault;
}

bool db_is_guarded(const char *conninfo)
{
    char *why = NULL;
    bool words = is_conninfo(conninfo);
    PQconninfoOption *said = words ? PQconninfoParse(conninfo, &why) : NULL;
    PQconninfoOption *environment = PQconndefaults();
    bool ok = (words && !said) || is_guarded(said, environment);
    PQfreemem(why);
    PQconninfoFree(said);
    PQconninfoFree(environment);
    return ok;
}
