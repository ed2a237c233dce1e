/* Checks on a conninfo before connecting: whether it is valid, and whether anyone on the path to PostgreSQL
 * could read the traffic; see pg.h. */
#include "base/addr.h"
#include "base/bug.h"
#include "base/text.h"
#include "db/pg.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

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
static bool is_secure(const PQconninfoOption *given, const PQconninfoOption *environment)
{
    const char *sslmode = value_in(given, "sslmode"), *host = value_in(given, "hostaddr");
    if (!sslmode)
        sslmode = value_in(environment, "sslmode");
    if (sslmode && strcmp(sslmode, "verify-full") == 0)
        return true;
    if (!host)
        host = value_in(given, "host");
    if (!host && value_in(given, "service"))
        return false; /* the service file is only read on connecting */
    if (!host)
        host = value_in(environment, "hostaddr");
    if (!host)
        host = value_in(environment, "host");
    return !host || all_here(host);
}

/* Keywords or a URI; any other text is the name of a database. */
static bool is_conninfo(const char *text)
{
    return strchr(text, '=') || strncmp(text, "postgres://", 11) == 0 ||
           strncmp(text, "postgresql://", 13) == 0;
}

/* Comma-separated ports, each from 1 to 65535; an empty one means the default. */
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

/* Parameters that libpq checks only when it connects. */
struct checked {
    const char *name, *words; /* permitted words; NULL: a whole number */
    const char *fault;
};

#define WORDS_OF_SSL "disable allow prefer require verify-ca verify-full"
#define WORDS_OF_TARGET "any read-write read-only primary standby prefer-standby"

static const struct checked checked_words[] = {
    {"sslmode", WORDS_OF_SSL, "its sslmode must be one of " WORDS_OF_SSL},
    {"target_session_attrs", WORDS_OF_TARGET, "its target_session_attrs must be one of " WORDS_OF_TARGET},
    {"channel_binding", "disable prefer require", "its channel_binding must be disable, prefer, or require"},
    {"gssencmode", "disable prefer require", "its gssencmode must be disable, prefer, or require"},
    {"ssl_min_protocol_version", "TLSv1 TLSv1.1 TLSv1.2 TLSv1.3",
     "its ssl_min_protocol_version must be TLSv1, TLSv1.1, TLSv1.2, or TLSv1.3"},
    {"ssl_max_protocol_version", "TLSv1 TLSv1.1 TLSv1.2 TLSv1.3",
     "its ssl_max_protocol_version must be TLSv1, TLSv1.1, TLSv1.2, or TLSv1.3"},
    {"load_balance_hosts", "disable random", "its load_balance_hosts must be disable or random"},
    {"connect_timeout", NULL, "its connect_timeout must be a whole number of seconds"},
    {"keepalives", NULL, "its keepalives must be 0 or 1"},
    {"keepalives_idle", NULL, "its keepalives_idle must be a whole number of seconds"},
    {"keepalives_interval", NULL, "its keepalives_interval must be a whole number of seconds"},
    {"keepalives_count", NULL, "its keepalives_count must be a whole number"},
    {"tcp_user_timeout", NULL, "its tcp_user_timeout must be a whole number of milliseconds"},
};

/* Files that a conninfo names. libpq ignores a missing one, or reports it only when it connects. */
static const struct {
    const char *name, *fault;
} checked_files[] = {
    {"sslrootcert", "its sslrootcert is not a file that can be read"},
    {"sslcert", "its sslcert is not a file that can be read"},
    {"sslcrl", "its sslcrl is not a file that can be read"},
    {"passfile", "its passfile is not a file that can be read"},
};

static bool is_one_of(const char *words, const char *value)
{
    size_t len = strlen(value);
    for (const char *at = words; at && *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        if (n == len && strncasecmp(at, value, n) == 0)
            return true;
        at += n;
    }
    return false;
}

static const char *fault_of_values(const PQconninfoOption *given)
{
    int64_t number;
    for (size_t i = 0; i < ARRAY_LEN(checked_words); i++) {
        const struct checked *each = &checked_words[i];
        const char *value = value_in(given, each->name);
        if (value && !(each->words ? is_one_of(each->words, value) : text_i64(value, -1, INT32_MAX, &number)))
            return each->fault;
    }
    for (size_t i = 0; i < ARRAY_LEN(checked_files); i++) {
        const char *value = value_in(given, checked_files[i].name);
        struct stat what;
        /* sslrootcert=system: the system's certificate store. */
        if (value && strcmp(value, "system") != 0 &&
            (access(value, R_OK) != 0 || stat(value, &what) != 0 || S_ISDIR(what.st_mode)))
            return checked_files[i].fault;
    }
    return NULL;
}

const char *db_conninfo_fault(const char *conninfo)
{
    char *why = NULL;
    if (!is_conninfo(conninfo))
        return strpbrk(conninfo, " \t/")
                   ? "must be the name of a database, key=value words, or a postgresql:// URI"
                   : NULL;
    PQconninfoOption *given = PQconninfoParse(conninfo, &why);
    const char *port = value_in(given, "port"), *fault = NULL;
    if (!given) /* libpq's message may repeat part of a password */
        fault = "libpq cannot read this; write key=value words (a value with a space between single quotes), "
                "or a postgresql:// URI";
    else if (port && !are_ports(port))
        fault = "its port must be a number from 1 to 65535";
    else
        fault = fault_of_values(given);
    PQfreemem(why);
    PQconninfoFree(given);
    return fault;
}

bool db_conninfo_is_secure(const char *conninfo)
{
    char *why = NULL;
    bool words = is_conninfo(conninfo);
    PQconninfoOption *given = words ? PQconninfoParse(conninfo, &why) : NULL;
    PQconninfoOption *environment = PQconndefaults();
    bool ok = (words && !given) || is_secure(given, environment);
    PQfreemem(why);
    PQconninfoFree(given);
    PQconninfoFree(environment);
    return ok;
}
