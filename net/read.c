/* Reads members of other servers' JSON; see read.h. */
#include "net/read.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NUMBER_END 9223372036854775808.0 /* 2^63 */

void net_read_text(const json_t *object, const char *name, char *out, size_t cap)
{
    const char *text = json_string_value(json_object_get(object, name));
    (void)snprintf(out, cap, "%s", text && strlen(text) < cap ? text : "");
}

bool net_read_has(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    return value && !json_is_null(value);
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

bool net_read_number(const json_t *object, const char *name, int64_t *out)
{
    const json_t *value = json_object_get(object, name);
    *out = 0;
    if (!json_is_number(value))
        return false;
    double number = json_number_value(value);
    if (json_is_integer(value))
        *out = json_integer_value(value);
    else if (number >= NUMBER_END)
        *out = INT64_MAX;
    else
        *out = number <= -NUMBER_END ? INT64_MIN : (int64_t)number;
    return true;
}

bool net_read_whole(const json_t *object, const char *name, int64_t *out)
{
    const json_t *value = json_object_get(object, name);
    double number = json_number_value(value);
    bool whole = json_is_integer(value) || (json_is_real(value) && floor(number) == number &&
                                            number > -NUMBER_END && number < NUMBER_END);
    *out = 0;
    return whole && net_read_number(object, name, out);
}

int64_t net_read_seconds(const json_t *object, const char *name)
{
    int64_t seconds;
    const char *text = json_string_value(json_object_get(object, name));
    if (text ? !text_i64(text, 0, INT64_MAX, &seconds) : !net_read_number(object, name, &seconds))
        return 0;
    return seconds > 0 ? seconds : 0;
}

/* The parser fails on integers beyond 64 bits; in that case, all numbers are read as floating point. */
json_t *net_read_object(const char *body, size_t len)
{
    json_error_t error;
    json_t *root = json_loadb(body, len, JSON_REJECT_DUPLICATES, &error);
    if (!root && json_error_code(&error) == json_error_numeric_overflow)
        root = json_loadb(body, len, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, NULL);
    if (root && !json_is_object(root)) {
        json_decref(root);
        root = NULL;
    }
    return root;
}
