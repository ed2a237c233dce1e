/* Members of what providers write; see read.h. */
#include "pay/read.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

void pay_read_text(const json_t *object, const char *name, char *out, size_t cap)
{
    const char *text = json_string_value(json_object_get(object, name));
    (void)snprintf(out, cap, "%s", text && strlen(text) < cap ? text : "");
}

bool pay_read_is(const json_t *object, const char *name, const char *wanted)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text && strcmp(text, wanted) == 0;
}

static bool is_uuid(const char *text)
{
    if (strlen(text) != 36)
        return false;
    for (int i = 0; i < 36; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text[i] != '-' : !strchr("0123456789abcdefABCDEF", text[i]))
            return false;
    }
    return true;
}

void pay_read_token(const json_t *object, const char *name, char out[PAY_TOKEN_MAX])
{
    pay_read_text(object, name, out, PAY_TOKEN_MAX);
    if (!is_uuid(out))
        out[0] = '\0';
}

int64_t pay_read_time(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    struct tm tm = {0};
    const char *rest = text ? strptime(text, "%Y-%m-%dT%H:%M:%S", &tm) : NULL;
    if (rest && *rest == '.')
        rest += 1 + strspn(rest + 1, "0123456789");
    if (!rest || strcmp(rest, "Z") != 0)
        return 0;
    int64_t s = (int64_t)timegm(&tm);
    return s > 0 && s <= PAY_TIME_S_MAX ? s : 0;
}

bool pay_read_printed(const char *name)
{
    size_t len = strlen(name), i = 0;
    while (i < len && name[i] > ' ' && name[i] <= '~')
        i++;
    return len > 0 && i == len;
}

json_t *pay_read_object(const char *body, size_t len)
{
    json_t *root = json_loadb(body, len, JSON_REJECT_DUPLICATES, NULL);
    if (root && !json_is_object(root)) {
        json_decref(root);
        root = NULL;
    }
    return root;
}
