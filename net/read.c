/* Members of what other servers write; see read.h. */
#include "net/read.h"

#include <stdio.h>
#include <string.h>

void net_read_text(const json_t *object, const char *name, char *out, size_t cap)
{
    const char *text = json_string_value(json_object_get(object, name));
    (void)snprintf(out, cap, "%s", text && strlen(text) < cap ? text : "");
}

bool net_read_is(const json_t *object, const char *name, const char *wanted)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text && strcmp(text, wanted) == 0;
}

bool net_read_printed(const char *name)
{
    size_t len = strlen(name), i = 0;
    while (i < len && name[i] > ' ' && name[i] <= '~')
        i++;
    return len > 0 && i == len;
}

json_t *net_read_object(const char *body, size_t len)
{
    json_t *root = json_loadb(body, len, JSON_REJECT_DUPLICATES, NULL);
    if (root && !json_is_object(root)) {
        json_decref(root);
        root = NULL;
    }
    return root;
}
