/* Reads a JSON body by its spec; see spec.h. */
#include "api/core/spec.h"

#include "api/core/unicode.h"
#include "base/bug.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const struct api_spec api_spec_empty = {.bytes_max = 256, .optional = true};

/* --- a body that cannot be parsed --- */

/* Rejects the whole body, without listing faults of members. */
static bool fail(struct api_spec_error *error, enum api_code code)
{
    ASSERT(code != API_OK);
    error->faults.n = 0;
    error->code = code;
    return false;
}

#define DEPTH_MAX 8 /* tracked levels of names; deeper ones count as one */

/* The path of names to the current position of a scan. */
struct path {
    int depth; /* open brackets */
    struct {
        const char *name; /* NULL: none yet, or a list item */
        size_t len;
    } at[DEPTH_MAX];
    int last; /* depth of the last name read */
};

/* The position of the closing quote of a string that begins at i, or `end` if there is none before it. */
static size_t string_end(const char *body, size_t i, size_t end)
{
    while (i < end && body[i] != '"')
        i += body[i] == '\\' ? 2 : 1;
    return i;
}

static bool is_name(const char *body, size_t len, size_t after)
{
    while (after < len && strchr(" \t\r\n", body[after]))
        after++;
    return after < len && body[after] == ':';
}

/* Scans the body up to `end`, where the parser stopped. The last name is that of the member at which it
 * stopped. */
static void follow(const char *body, size_t len, size_t end, struct path *path)
{
    memset(path, 0, sizeof(*path));
    for (size_t i = 0; i < end; i++) {
        int here = path->depth < DEPTH_MAX ? path->depth : DEPTH_MAX - 1;
        if (body[i] == '{' || body[i] == '[') {
            path->depth++;
            if (path->depth < DEPTH_MAX)
                path->at[path->depth].name = NULL;
        } else if ((body[i] == '}' || body[i] == ']') && path->depth > 0) {
            path->depth--;
        } else if (body[i] == '"') {
            size_t start = i + 1;
            i = string_end(body, start, end);
            if (i < end && is_name(body, len, i + 1)) {
                path->at[here].name = body + start;
                path->at[here].len = i - start;
                path->last = here;
            }
        }
    }
}

/* Adds a fault for the member at the end of a path, in the body or in an object within it. */
static bool fail_at(struct api_spec_error *error, const struct path *path, enum api_fault_code code)
{
    ASSERT(path->last >= 0 && path->last < DEPTH_MAX);
    struct api_fault fault = {.code = code};
    const char *name = path->at[path->last].name;
    api_fault_name(&fault, name ? name : "", name ? path->at[path->last].len : 0);
    const char *parent = path->last == 2 ? path->at[1].name : NULL;
    if (parent && path->at[1].len < sizeof(fault.parent))
        (void)snprintf(fault.parent, sizeof(fault.parent), "%.*s", (int)path->at[1].len, parent);
    /* The pointer ends here if the member is deeper than a body permits, or its name has escapes. */
    fault.cut |= !name || path->last > 2 || (path->last == 2 && !fault.parent[0]) ||
                 strchr(fault.name, '\\') || strchr(fault.parent, '\\');
    api_faults_add(&error->faults, &fault);
    return false;
}

/* Explains why jansson rejected the body. */
static bool fail_parse(struct api_spec_error *error, const char *body, size_t len, const json_error_t *why)
{
    struct path path;
    size_t at = why->position < 0 ? 0 : (size_t)why->position;
    follow(body, len, at < len ? at : len, &path);
    switch (json_error_code(why)) {
    case json_error_duplicate_key:
        return fail_at(error, &path, API_FAULT_DUPLICATE);
    case json_error_numeric_overflow:
        return fail_at(error, &path, API_FAULT_OUT_OF_RANGE);
    case json_error_null_character:
        return fail_at(error, &path, API_FAULT_NUL_CHARACTER);
    case json_error_invalid_utf8:
        return fail(error, API_BAD_UTF8);
    default:
        error->data.line = why->line;
        error->data.column = why->column;
        return fail(error, API_BAD_JSON);
    }
}

/* --- members --- */

static bool is_among(const char *text, const char *const *words)
{
    while (*words && strcmp(*words, text) != 0)
        words++;
    return *words != NULL;
}

static enum api_fault_code read_text(const struct api_spec_member *m, const json_t *json,
                                     struct api_spec_value *v)
{
    if (!json_is_string(json))
        return API_FAULT_WRONG_TYPE;
    static const struct api_spec_rule any = {.valid = NULL};
    const struct api_spec_rule *rule = m->rule ? m->rule : &any;
    ASSERT(m->min <= m->max && (!rule->valid || rule->fault != API_FAULT_NONE));
    v->text = json_string_value(json);
    int64_t n = rule->length ? rule->length(v->text) : (int64_t)api_unicode_length(v->text);
    if (n < m->min)
        return API_FAULT_TOO_SHORT;
    if (n > m->max)
        return API_FAULT_TOO_LONG;
    if (m->choices && !is_among(v->text, m->choices))
        return API_FAULT_UNKNOWN_CHOICE;
    if (rule->judge)
        return rule->judge(v->text);
    return rule->valid && !rule->valid(v->text) ? rule->fault : API_FAULT_NONE;
}

bool api_json_whole(const json_t *json, int64_t *number)
{
    static const double beyond = 9223372036854775808.0; /* 2^63 */
    if (json_is_integer(json)) {
        *number = json_integer_value(json);
        return true;
    }
    const double real = json_real_value(json); /* 0: not a number */
    if (!json_is_real(json) || trunc(real) < real || trunc(real) > real)
        return false;
    *number = real >= beyond ? INT64_MAX : real < -beyond ? INT64_MIN : (int64_t)real;
    return true;
}

static enum api_fault_code read_int(const struct api_spec_member *m, const json_t *json,
                                    struct api_spec_value *v)
{
    ASSERT(m->min <= m->max);
    v->flag = m->type == API_SPEC_INT_OR_NULL && json_is_null(json);
    if (v->flag)
        return API_FAULT_NONE;
    if (!api_json_whole(json, &v->number))
        return API_FAULT_WRONG_TYPE;
    return v->number < m->min   ? API_FAULT_TOO_SMALL
           : v->number > m->max ? API_FAULT_TOO_LARGE
                                : API_FAULT_NONE;
}

static enum api_fault_code read_bool(const json_t *json, struct api_spec_value *v)
{
    v->flag = json_is_true(json);
    return json_is_boolean(json) ? API_FAULT_NONE : API_FAULT_WRONG_TYPE;
}

/* Checks the object itself; read_inner checks its members. */
static enum api_fault_code read_object(const struct api_spec_member *m, const json_t *json,
                                       struct api_spec_value *v)
{
    ASSERT(m->max > 0);
    v->object = json;
    if (!json_is_object(json))
        return API_FAULT_WRONG_TYPE;
    return (int64_t)json_object_size(json) > m->max ? API_FAULT_TOO_MANY : API_FAULT_NONE;
}

/* Checks the list itself; read_items checks its items. */
static enum api_fault_code read_words(const struct api_spec_member *m, const json_t *json,
                                      struct api_spec_value *v)
{
    ASSERT(m->choices && m->min <= m->max);
    v->object = json;
    int64_t n = (int64_t)json_array_size(json);
    if (!json_is_array(json))
        return API_FAULT_WRONG_TYPE;
    return n > m->max ? API_FAULT_TOO_MANY : n < m->min ? API_FAULT_BAD_WORDS : API_FAULT_NONE;
}

static enum api_fault_code read_member(const struct api_spec_member *m, const json_t *json,
                                       struct api_spec_value *v)
{
    v->set = true;
    switch (m->type) {
    case API_SPEC_TEXT:
        return read_text(m, json, v);
    case API_SPEC_INT:
    case API_SPEC_INT_OR_NULL:
        return read_int(m, json, v);
    case API_SPEC_WORDS:
        return read_words(m, json, v);
    case API_SPEC_OBJECT:
        return read_object(m, json, v);
    case API_SPEC_BOOL:
        return read_bool(json, v);
    }
    BUG("spec: unknown type");
}

/* The JSON name of a value's type. */
static const char *const *types_of(enum api_spec_type type)
{
    static const char *const words[][3] = {
        [API_SPEC_TEXT] = {"string"},  [API_SPEC_INT] = {"integer"},
        [API_SPEC_BOOL] = {"boolean"}, [API_SPEC_INT_OR_NULL] = {"integer", "null"},
        [API_SPEC_WORDS] = {"array"},  [API_SPEC_OBJECT] = {"object"},
    };
    ASSERT((size_t)type < ARRAY_LEN(words));
    return words[type];
}

static void add_fault(struct api_spec_error *error, const struct api_spec_member *m, const char *name,
                      enum api_fault_code code)
{
    struct api_fault fault = {.code = code};
    api_fault_name(&fault, name, strlen(name));
    if (m) {
        fault.min = m->min;
        fault.max = m->max;
        fault.allowed = code == API_FAULT_WRONG_TYPE ? types_of(m->type) : m->choices;
    }
    api_faults_add(&error->faults, &fault);
}

/* Checks the members of an object in the body: strings and integers with any names. */
static void read_inner(const char *parent, json_t *object, struct api_spec_error *error)
{
    static const char *const types[] = {"string", "integer", NULL};
    const char *key;
    json_t *value;
    int64_t number;
    json_object_foreach(object, key, value)
    {
        if (json_is_string(value) || api_json_whole(value, &number))
            continue;
        struct api_fault fault = {.code = API_FAULT_WRONG_TYPE, .allowed = types};
        (void)snprintf(fault.parent, sizeof(fault.parent), "%s", parent);
        api_fault_name(&fault, key, strlen(key));
        api_faults_add(&error->faults, &fault);
    }
}

/* Checks the items of a list of words. A duplicate is a fault of the list. */
static void read_items(const struct api_spec_member *m, const json_t *list, struct api_spec_error *error)
{
    static const char *const text[] = {"string", NULL};
    size_t n = json_array_size(list);
    bool twice = false;
    for (size_t i = 0; i < n; i++) {
        const json_t *item = json_array_get(list, i);
        bool is_text = json_is_string(item);
        struct api_fault fault = {.code = is_text ? API_FAULT_UNKNOWN_CHOICE : API_FAULT_WRONG_TYPE,
                                  .allowed = is_text ? m->choices : text};
        for (size_t j = 0; j < i; j++)
            twice = twice || json_equal(item, json_array_get(list, j));
        if (is_text && is_among(json_string_value(item), m->choices))
            continue;
        char name[24];
        (void)snprintf(fault.parent, sizeof(fault.parent), "%s", m->name);
        api_fault_name(&fault, name, (size_t)snprintf(name, sizeof(name), "%zu", i));
        api_faults_add(&error->faults, &fault);
    }
    if (twice)
        add_fault(error, m, m->name, API_FAULT_BAD_WORDS);
}

/* Checks every member, so that all faults are reported at once. */
static void read_members(const struct api_spec *spec, json_t *root, struct api_spec_value *values,
                         struct api_spec_error *error)
{
    const char *key;
    json_t *json;
    json_object_foreach(root, key, json)
    {
        size_t i = 0;
        while (i < spec->members_n && strcmp(spec->members[i].name, key) != 0)
            i++;
        const struct api_spec_member *m = i < spec->members_n ? &spec->members[i] : NULL;
        enum api_fault_code code = m ? read_member(m, json, &values[i]) : API_FAULT_UNKNOWN;
        if (code != API_FAULT_NONE)
            add_fault(error, m, key, code);
        else if (m->type == API_SPEC_OBJECT)
            read_inner(m->name, json, error);
        else if (m->type == API_SPEC_WORDS)
            read_items(m, json, error);
    }
    for (size_t i = 0; i < spec->members_n; i++)
        if (spec->members[i].required && !values[i].set)
            add_fault(error, &spec->members[i], spec->members[i].name, API_FAULT_MISSING);
}

/* Whether there are no faults; otherwise the first one determines the problem's code. */
static bool is_clean(struct api_spec_error *error)
{
    if (error->faults.n == 0)
        return error->code == API_OK;
    ASSERT(error->faults.n <= API_FAULTS_MAX);
    error->code = api_fault_problem(&error->faults.list[0]);
    return false;
}

bool api_spec_read(const struct api_spec *spec, const char *body, size_t len, json_t **tree,
                   struct api_spec_value values[API_SPEC_MEMBERS_MAX], struct api_spec_error *error)
{
    ASSERT(spec->members_n <= API_SPEC_MEMBERS_MAX);
    *tree = NULL;
    error->code = API_OK;
    error->data = (struct api_problem_data){0};
    error->faults.n = 0;
    memset(values, 0, API_SPEC_MEMBERS_MAX * sizeof(*values));
    if (len > spec->bytes_max) {
        error->data.bytes_max = (int64_t)spec->bytes_max;
        return fail(error, API_BODY_TOO_LARGE);
    }
    if (len == 0 && spec->optional)
        return true;
    if (!text_utf8_ok(body, len))
        return fail(error, API_BAD_UTF8);
    json_error_t why;
    json_t *root = json_loadb(body, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &why);
    if (!root)
        (void)fail_parse(error, body, len, &why);
    else if (!json_is_object(root))
        (void)fail(error, API_BAD_JSON);
    else
        read_members(spec, root, values, error);
    if (is_clean(error)) {
        ASSERT(root);
        *tree = root;
        return true;
    }
    json_decref(root);
    return false;
}
