/* Parses a small JSON text in place. It allocates nothing, and rejects a text with more than
 * JREAD_NODES_MAX values. Used for input that arrives tens of thousands of times per second; code that
 * needs to keep a tree uses jansson. As strict as jansson with JSON_REJECT_DUPLICATES (tests/fuzz/frames.c
 * compares them). Pure, any thread. */
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
    JREAD_REAL, /* recognized, but its value is not parsed */
    JREAD_TRUE,
    JREAD_FALSE,
    JREAD_NULL,
};

/* A value, or the name of a member, which comes right before its value. A container is followed by its
 * contents. */
struct jread_node {
    uint8_t kind;
    bool escaped;   /* a string with escapes */
    uint16_t nodes; /* number of nodes, including this one and its contents */
    uint16_t n;     /* members or elements */
    uint32_t len;   /* bytes of a string between its quotes, as in the text */
    union {
        const char *at;
        int64_t number; /* of JREAD_INT */
    };
};

struct jread {
    struct jread_node nodes[JREAD_NODES_MAX]; /* the first is the root */
    uint16_t n;
};

enum jread_result {
    JREAD_OK,
    JREAD_BAD, /* invalid JSON, nested too deep, an integer beyond 64 bits */
    JREAD_DUPLICATE,
    JREAD_TOO_MANY,
};

/* The text must be UTF-8 and outlive the nodes. */
enum jread_result jread(struct jread *tree, const char *text, size_t len);

/* Iterate over a container:
 *
 *   Array:  for (at = jread_first(array); at < jread_end(array); at = jread_next(at))
 *   Object: for (name = jread_first(object); name < jread_end(object); name = jread_next(name + 1))
 *
 * The value of a member is name + 1. */
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
/* NULL: no member has this name. */
const struct jread_node *jread_member(const struct jread_node *object, const char *name);
/* Whether a value is the string `text`. */
bool jread_is(const struct jread_node *node, const char *text);
/* Writes a string with its escapes decoded, and a NUL. Returns its length without the NUL, or cap if it
 * does not fit. */
size_t jread_text(const struct jread_node *string, char *out, size_t cap);

#endif
