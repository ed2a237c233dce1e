/* See setting.h. */
#include "base/setting.h"

#include <stdio.h>
#include <string.h>

bool setting_refuse(const char *key, const char *must, const char *value, char error[SETTING_WHY_MAX])
{
    (void)snprintf(error, SETTING_WHY_MAX, "%s: must be %s (got \"%.60s\")", key, must, value);
    return false;
}

bool setting_of(const char *key, const char *value, const char *allowed, size_t max, const char *must,
                char error[SETTING_WHY_MAX])
{
    return (value[strspn(value, allowed)] == '\0' && strlen(value) <= max) ||
           setting_refuse(key, must, value, error);
}

bool setting_printed(const char *key, const char *value, char error[SETTING_WHY_MAX])
{
    for (const char *at = value; *at; at++)
        if (*at <= ' ' || *at > '~' || *at == ':')
            return setting_refuse(key, "printable characters without spaces and colons", value, error);
    return true;
}

bool setting_is_no_other(const char *value, const char *const *others, const char *what,
                         char error[SETTING_WHY_MAX])
{
    for (; *others; others++)
        if (strncmp(value, *others, strlen(*others)) == 0) {
            (void)snprintf(error, SETTING_WHY_MAX, "%s", what);
            return false;
        }
    return true;
}
