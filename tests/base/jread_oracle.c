/* See jread_oracle.h. */
#include "tests/base/jread_oracle.h"

#include <jansson.h>
#include <string.h>

#include "base/jread.h"
#include "base/text.h"

enum { TEXT_MAX = 16384 };

static bool same_text(const struct jread_node *node, const char *text, size_t len)
{
    static char plain[TEXT_MAX];
    size_t n = jread_text(node, plain, sizeof(plain));
    return n == len && n < sizeof(plain) && memcmp(plain, text, len) == 0 && plain[n] == '\0' &&
           jread_is(node, text) && !jread_is(node, "no such text");
}

static bool same_value(const struct jread_node *node, const json_t *value);

static bool same_object(const struct jread_node *node, const json_t *object)
{
    if (node->n != json_object_size(object))
        return false;
    for (const struct jread_node *name = jread_first(node); name < jread_end(node);
         name = jread_next(name + 1)) {
        char plain[TEXT_MAX];
        size_t len = jread_text(name, plain, sizeof(plain));
        const json_t *value = json_object_getn(object, plain, len);
        if (!value || !same_value(name + 1, value) || jread_member(node, plain) != name + 1)
            return false;
    }
    return true;
}

static bool same_array(const struct jread_node *node, const json_t *array)
{
    size_t i = 0;
    for (const struct jread_node *at = jread_first(node); at < jread_end(node); at = jread_next(at))
        if (!same_value(at, json_array_get(array, i++)))
            return false;
    return node->n == i && i == json_array_size(array);
}

static bool same_value(const struct jread_node *node, const json_t *value)
{
    switch ((enum jread_kind)node->kind) {
    case JREAD_OBJECT:
        return json_is_object(value) && same_object(node, value);
    case JREAD_ARRAY:
        return json_is_array(value) && same_array(node, value);
    case JREAD_STRING:
        return json_is_string(value) && same_text(node, json_string_value(value), json_string_length(value));
    case JREAD_INT:
        return json_is_integer(value) && json_integer_value(value) == node->number;
    case JREAD_REAL:
        return json_is_real(value);
    case JREAD_TRUE:
        return json_is_true(value);
    case JREAD_FALSE:
        return json_is_false(value);
    case JREAD_NULL:
        return json_is_null(value);
    }
    return false;
}

static int depth_of(const json_t *value)
{
    int deepest = 0;
    size_t i;
    const char *name;
    json_t *held;
    json_array_foreach(value, i, held)
    {
        int depth = depth_of(held);
        deepest = depth > deepest ? depth : deepest;
    }
    json_object_foreach((json_t *)value, name, held)
    {
        int depth = depth_of(held);
        deepest = depth > deepest ? depth : deepest;
    }
    return json_is_array(value) || json_is_object(value) ? deepest + 1 : 0;
}

bool jread_agrees(const char *text, size_t len)
{
    struct jread tree;
    json_error_t error;
    /* jansson skips a NUL between two values. */
    if (len >= TEXT_MAX || memchr(text, '\0', len) || !text_utf8_ok(text, len))
        return true;
    enum jread_result result = jread(&tree, text, len);
    json_t *value = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    bool agree;
    if (result == JREAD_OK && value)
        agree = same_value(&tree.nodes[0], value);
    else if (value)
        agree = result == JREAD_TOO_MANY || (result == JREAD_BAD && depth_of(value) > JREAD_DEPTH_MAX);
    else if (json_error_code(&error) == json_error_duplicate_key)
        agree = result != JREAD_OK;
    else if (json_error_code(&error) == json_error_numeric_overflow)
        agree = true;
    else
        agree = result == JREAD_BAD || result == JREAD_TOO_MANY;
    json_decref(value);
    return agree;
}
