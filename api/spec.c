/* Reads a JSON body by its spec; see spec.h. */
#include "api/spec.h"

#include "base/bug.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool fail(struct api_spec_error *error, enum api_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail(struct api_spec_error *error, enum api_code code, const char *fmt, ...)
{
    error->code = code;
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(error->detail, sizeof(error->detail), fmt, args);
    va_end(args);
    return false;
}

#define NAME_MAX_BYTES 60 /* of a member's name in a detail */

/* How many bytes of a name to show: whole characters only. */
static int shown(const char *name, size_t len)
{
    size_t n = len < NAME_MAX_BYTES ? len : NAME_MAX_BYTES;
    while (n > 0 && n < len && ((unsigned char)name[n] & 0xC0) == 0x80)
        n--;
    return (int)n;
}

/* The last member name of body that ends at or before `end`: where a parser stopped, this is the
 * member it stopped at. Cut to what a detail can bear. */
static void member_before(const char *body, size_t len, size_t end, char out[64])
{
    const char *name = "";
    size_t name_len = 0;
    for (size_t i = 0; i < end; i++) {
        if (body[i] != '"')
            continue;
        size_t start = ++i;
        while (i < end && body[i] != '"')
            i += body[i] == '\\' ? 2 : 1;
        if (i >= end)
            break;
        size_t after = i + 1;
        while (after < len && strchr(" \t\r\n", body[after]))
            after++;
        if (after >= len || body[after] != ':')
            continue; /* a value */
        name = body + start;
        name_len = i - start;
    }
    (void)snprintf(out, 64, "%.*s", shown(name, name_len), name);
}

/* Says why jansson did not take the body. */
static bool fail_parse(struct api_spec_error *error, const char *body, size_t len, const json_error_t *why)
{
    char name[64];
    size_t at = why->position < 0 ? 0 : (size_t)why->position;
    member_before(body, len, at < len ? at : len, name);
    switch (json_error_code(why)) {
    case json_error_duplicate_key:
        return fail(error, API_DUPLICATE_MEMBER, "The member `%s` appears twice.", name);
    case json_error_numeric_overflow:
        return fail(error, API_OUT_OF_RANGE, "The number of the member `%s` is out of range.", name);
    case json_error_null_character:
        return fail(error, API_BAD_FORMAT, "The member `%s` contains a NUL character.", name);
    case json_error_invalid_utf8:
        return fail(error, API_BAD_UTF8, "%s", api_code_text(API_BAD_UTF8));
    default:
        return fail(error, API_BAD_JSON, "This is not a JSON object: line %d, column %d.", why->line,
                    why->column);
    }
}

static int64_t chars_n(const char *text)
{
    int64_t n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

static bool read_text(const struct api_spec_member *m, const json_t *json, struct api_spec_value *v,
                      struct api_spec_error *error)
{
    if (!json_is_string(json))
        return fail(error, API_WRONG_TYPE, "The member `%s` must be a string.", m->name);
    v->text = json_string_value(json);
    int64_t n = chars_n(v->text);
    if (n < m->min || n > m->max)
        return fail(error, API_BAD_LENGTH, "The member `%s` must have %lld to %lld characters.", m->name,
                    (long long)m->min, (long long)m->max);
    if (m->valid && !m->valid(v->text))
        return fail(error, API_BAD_FORMAT, "The member `%s` %s.", m->name, m->valid_is);
    return true;
}

static bool read_int(const struct api_spec_member *m, const json_t *json, struct api_spec_value *v,
                     struct api_spec_error *error)
{
    bool or_true = m->type == API_SPEC_INT_OR_TRUE, or_null = m->type == API_SPEC_INT_OR_NULL;
    v->flag = (or_true && json_is_true(json)) || (or_null && json_is_null(json));
    if (v->flag || (or_true && json_is_boolean(json)))
        return true;
    if (!json_is_integer(json))
        return fail(error, API_WRONG_TYPE, "The member `%s` must be an integer%s.", m->name,
                    or_true   ? " or true"
                    : or_null ? " or null"
                              : "");
    v->number = json_integer_value(json);
    if (v->number < m->min || v->number > m->max)
        return fail(error, API_OUT_OF_RANGE, "The member `%s` must be between %lld and %lld.", m->name,
                    (long long)m->min, (long long)m->max);
    return true;
}

static bool read_object(const struct api_spec_member *m, json_t *json, struct api_spec_value *v,
                        struct api_spec_error *error)
{
    const char *key;
    json_t *value;
    if (!json_is_object(json))
        return fail(error, API_WRONG_TYPE, "The member `%s` must be an object.", m->name);
    if ((int64_t)json_object_size(json) > m->max)
        return fail(error, API_BAD_LENGTH, "The member `%s` may have %lld members.", m->name,
                    (long long)m->max);
    json_object_foreach(json, key, value)
    {
        if (!json_is_string(value) && !json_is_integer(value) && !json_is_boolean(value))
            return fail(error, API_WRONG_TYPE,
                        "The member `%.*s` of `%s` must be a text, an integer or a boolean.",
                        shown(key, strlen(key)), key, m->name);
    }
    v->object = json;
    return true;
}

static bool read_member(const struct api_spec_member *m, json_t *json, struct api_spec_value *v,
                        struct api_spec_error *error)
{
    v->set = true;
    switch (m->type) {
    case API_SPEC_TEXT:
        return read_text(m, json, v, error);
    case API_SPEC_INT:
    case API_SPEC_INT_OR_TRUE:
    case API_SPEC_INT_OR_NULL:
        return read_int(m, json, v, error);
    case API_SPEC_OBJECT:
        return read_object(m, json, v, error);
    case API_SPEC_BOOL:
        if (!json_is_boolean(json))
            return fail(error, API_WRONG_TYPE, "The member `%s` must be true or false.", m->name);
        v->flag = json_is_true(json);
        return true;
    }
    BUG("spec: no such type");
}

static bool read_members(const struct api_spec *spec, json_t *tree, struct api_spec_value *values,
                         struct api_spec_error *error)
{
    const char *key;
    json_t *json;
    json_object_foreach(tree, key, json)
    {
        size_t i = 0;
        while (i < spec->members_n && strcmp(spec->members[i].name, key) != 0)
            i++;
        if (i == spec->members_n)
            return fail(error, API_UNKNOWN_MEMBER, "The member `%.*s` is not known here.",
                        shown(key, strlen(key)), key);
        if (!read_member(&spec->members[i], json, &values[i], error))
            return false;
    }
    for (size_t i = 0; i < spec->members_n; i++)
        if (spec->members[i].required && !values[i].set)
            return fail(error, API_MISSING_MEMBER, "The member `%s` is missing.", spec->members[i].name);
    return true;
}

bool api_spec_read(const struct api_spec *spec, const char *body, size_t len, json_t **tree,
                   struct api_spec_value values[API_SPEC_MEMBERS_MAX], struct api_spec_error *error)
{
    ASSERT(spec->members_n <= API_SPEC_MEMBERS_MAX);
    *tree = NULL;
    memset(values, 0, API_SPEC_MEMBERS_MAX * sizeof(*values));
    if (len > spec->bytes_max)
        return fail(error, API_BODY_TOO_LARGE, "The body may have %zu bytes.", spec->bytes_max);
    if (len == 0 && spec->optional)
        return true;
    if (!text_utf8_ok(body, len))
        return fail(error, API_BAD_UTF8, "%s", api_code_text(API_BAD_UTF8));
    json_error_t why;
    json_t *root = json_loadb(body, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &why);
    if (!root)
        return fail_parse(error, body, len, &why);
    bool ok = json_is_object(root) ? read_members(spec, root, values, error)
                                   : fail(error, API_BAD_JSON, "%s", api_code_text(API_BAD_JSON));
    if (ok)
        *tree = root;
    else
        json_decref(root);
    return ok;
}
