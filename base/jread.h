/* Reads a small JSON text in place: no memory is asked for, and a text of more than JREAD_NODES_MAX values is
 * refused. For what comes by the ten thousands a second; whoever needs a tree to keep uses jansson. As strict
 * as that with JSON_REJECT_DUPLICATES (tests/fuzz/frames.c holds them against each other). Pure, any thread.
 */
#ifndef RUMMYD_BASE_JREAD_H
#define RUMMYD_BASE_JREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JREAD_NODES_MAX = 256, JREAD_DEPTH_MAX = 16 };

enum jread_kind {
    JREAD_OBJECT,
    JREAD_ARRAY,
    JREAD_STRING,
    JREAD_INT,
    JREAD_REAL, /* that it is one; its value is not read */
    JREAD_TRUE,
    JREAD_FALSE,
    JREAD_NULL,
};

/* A value, or the name of a member, which stands right before its value. What a container holds follows it.
 */
struct jread_node {
    uint8_t kind;
    bool escaped;   /* a string with escapes in it */
    uint16_t nodes; /* this one and all that it holds */
    uint16_t n;     /* members or elements */
    uint32_t len;   /* of a string between its quotes, as it stands in the text */
    union {
        const char *at;
        int64_t number; /* of JREAD_INT */
    };
};

struct jread {
    struct jread_node nodes[JREAD_NODES_MAX]; /* the first is the whole */
    uint16_t n;
};

enum jread_result {
    JREAD_OK,
    JREAD_BAD, /* no JSON, nested too deep, a whole number over 64 bits */
    JREAD_DUPLICATE,
    JREAD_TOO_MANY,
};

/* The text must be UTF-8 and outlive the nodes. */
enum jread_result jread(struct jread *tree, const char *text, size_t len);

/* Walks over a container:
 *     for (at = jread_first(array); at < jread_end(array); at = jread_next(at))
 *     for (name = jread_first(object); name < jread_end(object); name = jread_next(name + 1))  value: name +
 * 1 */
static inline const struct jread_node *jread_first(const struct jread_node *container)
{
    return container + 1;
}
static inline const struct jread_node *jread_end(const struct jread_node *container)
{
    return container + container->nodes;
}
static inline const struct jread_node *jread_next(const struct jread_node *value)
{
    return value + value->nodes;
}
/* NULL: it has none of this name. */
const struct jread_node *jread_member(const struct jread_node *object, const char *name);
/* Whether a value is the string `text`. */
bool jread_is(const struct jread_node *node, const char *text);
/* A string without its escapes, and a NUL. Its length without the NUL; cap: it does not fit. */
size_t jread_text(const struct jread_node *string, char *out, size_t cap);

#endif
