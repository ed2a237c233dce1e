/* Lists of entity tags; see etag.h. */
#include "api/core/etag.h"

#include <string.h>

#include "base/bug.h"

/* Skips optional white space and empty list elements (RFC 9110, 5.6.1.2). */
static const char *skip_gaps(const char *p)
{
    return p + strspn(p, " \t,");
}

bool api_etag_listed(const char *list, const char *tag)
{
    size_t len = strlen(tag);
    ASSERT(len > 2 && tag[0] == '"' && tag[len - 1] == '"');
    if (!list)
        return false;
    const char *p = skip_gaps(list);
    if (*p == '*')
        return p[1 + strspn(p + 1, " \t")] == '\0';
    while (*p) {
        if (strncmp(p, "W/", 2) == 0)
            p += 2;
        const char *end = *p == '"' ? strchr(p + 1, '"') : NULL;
        if (!end)
            return false;
        if ((size_t)(end + 1 - p) == len && memcmp(p, tag, len) == 0)
            return true;
        p = end + 1 + strspn(end + 1, " \t");
        if (*p != ',' && *p != '\0')
            return false;
        p = skip_gaps(p);
    }
    return false;
}
