/* Parses strict JSON into an array of nodes; see jread.h. Pure, any thread. */
#include "base/jread.h"

#include <string.h>

#include "base/bug.h"

struct reader {
    struct jread *tree;
    const char *at, *end;
    enum jread_result result;
    int depth;
};

static bool fail(struct reader *r, enum jread_result result)
{
    r->result = result;
    return false;
}

static void skip_blank(struct reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
        r->at++;
}

static bool take(struct reader *r, char c)
{
    bool is = r->at < r->end && *r->at == c;
    r->at += is;
    return is;
}

static struct jread_node *add(struct reader *r, enum jread_kind kind)
{
    if (r->tree->n == JREAD_NODES_MAX) {
        r->result = JREAD_TOO_MANY;
        return NULL;
    }
    struct jread_node *node = &r->tree->nodes[r->tree->n++];
    *node = (struct jread_node){.kind = (uint8_t)kind, .nodes = 1, .at = r->at};
    return node;
}

/* ---- Strings ---- */
/* The code unit given by four hexadecimal digits, or -1. */
static int32_t hex4(const char *at, const char *end)
{
    int32_t unit = 0;
    if (end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        char c = at[i];
        int digit = c >= '0' && c <= '9'                 ? c - '0'
                    : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                         : -1;
        if (digit < 0)
            return -1;
        unit = unit << 4 | digit;
    }
    return unit;
}

static bool is_high(int32_t unit)
{
    return unit >= 0xD800 && unit <= 0xDBFF;
}

static bool is_low(int32_t unit)
{
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

/* The character given by the escape after a backslash, and the escape's length in bytes; -1: invalid. NUL
 * is invalid. */
static int32_t escaped(const char *at, const char *end, size_t *bytes)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    *bytes = 1;
    if (at == end || *at == '\0')
        return -1;
    const char *letter = strchr(letters, *at);
    if (letter)
        return meant[letter - letters];
    int32_t unit = *at == 'u' ? hex4(at + 1, end) : -1;
    *bytes = 5;
    if (unit <= 0 || is_low(unit))
        return -1;
    if (!is_high(unit))
        return unit;
    *bytes = 11;
    int32_t low = end - at >= 11 && at[5] == '\\' && at[6] == 'u' ? hex4(at + 7, end) : -1;
    return is_low(low) ? 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00) : -1;
}

static bool read_string(struct reader *r)
{
    r->at++;
    struct jread_node *node = add(r, JREAD_STRING);
    if (!node)
        return false;
    for (; r->at < r->end && *r->at != '"'; r->at++) {
        if ((unsigned char)*r->at < 0x20)
            return fail(r, JREAD_BAD);
        if (*r->at != '\\')
            continue;
        size_t bytes;
        if (escaped(r->at + 1, r->end, &bytes) < 0)
            return fail(r, JREAD_BAD);
        node->escaped = true;
        r->at += bytes;
    }
    node->len = (uint32_t)(r->at - node->at);
    return take(r, '"') || fail(r, JREAD_BAD);
}

static size_t put_utf8(char *out, int32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3F));
    out[0] = (char)((n == 2 ? 0xC0 : n == 3 ? 0xE0 : 0xF0) | c);
    return n;
}

/* Iterates over the value of a string, byte by byte. */
struct walk {
    const char *at, *end;
    bool escaped;
    char piece[4]; /* remaining bytes of an escaped character */
    size_t piece_at, piece_n;
};

static struct walk walk_of(const struct jread_node *string)
{
    ASSERT(string->kind == JREAD_STRING);
    return (struct walk){.at = string->at, .end = string->at + string->len, .escaped = string->escaped};
}

static bool walk_on(struct walk *w, char *byte)
{
    if (w->escaped && w->piece_at == w->piece_n && w->at < w->end && *w->at == '\\') {
        size_t bytes;
        int32_t c = escaped(w->at + 1, w->end, &bytes);
        ASSERT(c > 0);
        w->at += 1 + bytes;
        w->piece_at = 0;
        w->piece_n = put_utf8(w->piece, c);
    }
    if (w->piece_at < w->piece_n)
        *byte = w->piece[w->piece_at++];
    else if (w->at < w->end)
        *byte = *w->at++;
    else
        return false;
    return true;
}

size_t jread_text(const struct jread_node *string, char *out, size_t cap)
{
    struct walk walk = walk_of(string);
    size_t len = 0;
    while (len < cap && walk_on(&walk, &out[len]))
        len++;
    if (len < cap)
        out[len] = '\0';
    return len;
}

static bool same(const struct jread_node *a, const struct jread_node *b)
{
    if (!a->escaped && !b->escaped)
        return a->len == b->len && memcmp(a->at, b->at, a->len) == 0;
    struct walk x = walk_of(a), y = walk_of(b);
    char p, q;
    for (;;) {
        bool more = walk_on(&x, &p);
        if (walk_on(&y, &q) != more || (more && p != q))
            return false;
        if (!more)
            return true;
    }
}

bool jread_is(const struct jread_node *node, const char *text)
{
    if (node->kind == JREAD_STRING && !node->escaped && node->len > 0 && node->at[0] != text[0])
        return false; /* most names differ in the first letter */
    const struct jread_node plain = {.kind = JREAD_STRING, .at = text, .len = (uint32_t)strlen(text)};
    return node->kind == JREAD_STRING && same(node, &plain);
}

/* ---- Numbers and words ---- */
static size_t digits(struct reader *r)
{
    const char *from = r->at;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
        r->at++;
    return (size_t)(r->at - from);
}

static bool read_number(struct reader *r)
{
    struct jread_node *node = add(r, JREAD_INT);
    if (!node)
        return false;
    bool minus = take(r, '-');
    const char *first = r->at;
    size_t n = digits(r);
    if (n == 0 || (n > 1 && *first == '0'))
        return fail(r, JREAD_BAD);
    bool fraction = take(r, '.');
    if (fraction && digits(r) == 0)
        return fail(r, JREAD_BAD);
    bool exponent = take(r, 'e') || take(r, 'E');
    if (exponent) {
        (void)(take(r, '+') || take(r, '-'));
        if (digits(r) == 0)
            return fail(r, JREAD_BAD);
    }
    if (fraction || exponent) {
        node->kind = JREAD_REAL;
        return true;
    }
    /* Accumulates negative values, because their range is larger by one. */
    int64_t value = 0;
    for (size_t i = 0; i < n; i++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_sub_overflow(value, first[i] - '0', &value))
            return fail(r, JREAD_BAD);
    if (!minus && __builtin_sub_overflow((int64_t)0, value, &value))
        return fail(r, JREAD_BAD);
    node->number = value;
    return true;
}

static bool read_word(struct reader *r, const char *word, enum jread_kind kind)
{
    size_t len = strlen(word);
    if ((size_t)(r->end - r->at) < len || memcmp(r->at, word, len) != 0)
        return fail(r, JREAD_BAD);
    r->at += len;
    return add(r, kind) != NULL;
}

/* ---- Containers ---- */
static bool read_value(struct reader *r);

/* Reads a member's name and the colon after it. */
static bool read_name(struct reader *r, const struct jread_node *object)
{
    if (r->at == r->end || *r->at != '"')
        return fail(r, JREAD_BAD);
    const struct jread_node *name = &r->tree->nodes[r->tree->n], *other = jread_first(object);
    if (!read_string(r))
        return false;
    for (int i = 0; i < object->n; i++, other = jread_next(other + 1))
        if (same(name, other))
            return fail(r, JREAD_DUPLICATE);
    skip_blank(r);
    return take(r, ':') || fail(r, JREAD_BAD);
}

static bool read_container(struct reader *r, enum jread_kind kind, char close)
{
    struct jread_node *node = add(r, kind);
    if (!node)
        return false;
    if (r->depth == JREAD_DEPTH_MAX)
        return fail(r, JREAD_BAD);
    r->depth++;
    r->at++;
    skip_blank(r);
    bool done = take(r, close);
    while (!done) {
        skip_blank(r);
        if ((kind == JREAD_OBJECT && !read_name(r, node)) || !read_value(r))
            return false;
        node->n++;
        skip_blank(r);
        done = take(r, close);
        if (!done && !take(r, ','))
            return fail(r, JREAD_BAD);
    }
    r->depth--;
    node->nodes = (uint16_t)(&r->tree->nodes[r->tree->n] - node);
    return true;
}

static bool read_value(struct reader *r)
{
    skip_blank(r);
    switch (r->at < r->end ? *r->at : '\0') {
    case '{':
        return read_container(r, JREAD_OBJECT, '}');
    case '[':
        return read_container(r, JREAD_ARRAY, ']');
    case '"':
        return read_string(r);
    case 't':
        return read_word(r, "true", JREAD_TRUE);
    case 'f':
        return read_word(r, "false", JREAD_FALSE);
    case 'n':
        return read_word(r, "null", JREAD_NULL);
    default:
        return read_number(r);
    }
}

enum jread_result jread(struct jread *tree, const char *text, size_t len)
{
    struct reader r = {.tree = tree, .at = text, .end = text + len};
    tree->n = 0;
    if (!read_value(&r))
        return r.result;
    skip_blank(&r);
    return r.at == r.end ? JREAD_OK : JREAD_BAD;
}

const struct jread_node *jread_member(const struct jread_node *object, const char *name)
{
    ASSERT(object->kind == JREAD_OBJECT);
    for (const struct jread_node *at = jread_first(object); at < jread_end(object); at = jread_next(at + 1))
        if (jread_is(at, name))
            return at + 1;
    return NULL;
}
