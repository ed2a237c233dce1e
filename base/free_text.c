/* See free_text.h. */
#include "base/free_text.h"

#include <stdint.h>
#include <unicode/uchar.h>

#include "base/bug.h"
#include "base/text.h"

enum {
    TAG_FIRST = 0xE0020,
    TAG_CANCEL = 0xE007F,
    BRAILLE_BLANK = 0x2800,
    BYTE_ORDER_MARK = 0xFEFF,
    ANNOTATION_FIRST = 0xFFF9,
    ANNOTATION_LAST = 0xFFFB,
};

/* State of the check while it reads a text from start to end. */
struct scan {
    bool lines;          /* line feeds, carriage returns, and tabs are allowed */
    bool visible;        /* a visible character was read */
    bool in_flag;        /* inside the tags of an emoji flag, which must end with a cancel tag */
    UChar32 first, last; /* first and last character read; 0 at the start */
    int marks;           /* marks stacked on the current letter */
    int isolates;        /* open */
};

/* The code point of n well-formed bytes. */
static UChar32 code_point(const char *bytes, size_t n)
{
    static const uint8_t payload[] = {0, 0x7f, 0x1f, 0x0f, 0x07}; /* bits of the first byte */
    ASSERT(n >= 1 && n < ARRAY_LEN(payload));
    UChar32 c = (uint8_t)bytes[0] & payload[n];
    for (size_t i = 1; i < n; i++)
        c = c << 6 | ((uint8_t)bytes[i] & 0x3f);
    return c;
}

static bool is_tag(UChar32 c)
{
    return c >= TAG_FIRST && c <= TAG_CANCEL;
}

static bool is_invisible(UChar32 c)
{
    return u_isUWhiteSpace(c) || u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) ||
           c == BRAILLE_BLANK;
}

/* Whether a character is never needed and changes how the text around it is displayed. */
static bool is_harmful(UChar32 c)
{
    bool ignorable = u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
    switch (u_charType(c)) {
    case U_CONTROL_CHAR:
    case U_LINE_SEPARATOR:
    case U_PARAGRAPH_SEPARATOR:
        return true;
    case U_UNASSIGNED: /* later versions may assign it, unless it is a noncharacter or reserved for formatting
                        */
        return U_IS_UNICODE_NONCHAR(c) || ignorable;
    default:
        break;
    }
    switch (u_charDirection(c)) {
    case U_LEFT_TO_RIGHT_EMBEDDING:
    case U_LEFT_TO_RIGHT_OVERRIDE:
    case U_RIGHT_TO_LEFT_EMBEDDING:
    case U_RIGHT_TO_LEFT_OVERRIDE:
    case U_POP_DIRECTIONAL_FORMAT:
        return true;
    default:
        break;
    }
    return (ignorable && u_hasBinaryProperty(c, UCHAR_DEPRECATED)) || c == BYTE_ORDER_MARK ||
           (c >= ANNOTATION_FIRST && c <= ANNOTATION_LAST);
}

/* Counts open isolates. false: too many are open, or one was closed that was not open. */
static bool isolate_ok(struct scan *scan, UChar32 c)
{
    switch (u_charDirection(c)) {
    case U_FIRST_STRONG_ISOLATE:
    case U_LEFT_TO_RIGHT_ISOLATE:
    case U_RIGHT_TO_LEFT_ISOLATE:
        return ++scan->isolates <= FREE_TEXT_ISOLATE_MAX;
    case U_POP_DIRECTIONAL_ISOLATE:
        return --scan->isolates >= 0;
    default:
        return true;
    }
}

/* Tags after an emoji spell the region of a flag; the cancel tag ends them. */
static bool tags_ok(struct scan *scan, UChar32 c)
{
    if (!is_tag(c))
        return !scan->in_flag;
    if (!scan->in_flag && (c == TAG_CANCEL || !u_hasBinaryProperty(scan->last, UCHAR_EMOJI)))
        return false;
    scan->in_flag = c != TAG_CANCEL;
    return true;
}

static bool marks_ok(struct scan *scan, UChar32 c)
{
    if (U_GET_GC_MASK(c) & (U_GC_MN_MASK | U_GC_ME_MASK))
        return ++scan->marks <= FREE_TEXT_MARKS_MAX;
    if (!u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT))
        scan->marks = 0;
    return true;
}

static bool take(struct scan *scan, UChar32 c)
{
    if (scan->lines && (c == '\n' || c == '\r' || c == '\t'))
        return !scan->in_flag && scan->isolates == 0; /* tags and isolates must end within their line */
    if (is_harmful(c) || !isolate_ok(scan, c) || !tags_ok(scan, c) || !marks_ok(scan, c))
        return false;
    scan->visible = scan->visible || !is_invisible(c);
    scan->first = scan->first ? scan->first : c;
    scan->last = c;
    return true;
}

static bool scan_ok(struct scan *scan, const char *text, size_t len)
{
    while (len > 0) {
        size_t n = text_utf8_char(text, len);
        if (n == 0 || !take(scan, code_point(text, n)))
            return false;
        text += n;
        len -= n;
    }
    return !scan->in_flag && scan->isolates == 0;
}

bool free_text_line_ok(const char *text, size_t len)
{
    struct scan scan = {0};
    return scan_ok(&scan, text, len) && scan.visible;
}

bool free_text_ok(const char *text, size_t len)
{
    struct scan scan = {.lines = true};
    return scan_ok(&scan, text, len);
}

/* Right-to-left text may begin with direction marks and isolates. */
static bool may_begin_a_label(UChar32 c)
{
    return !is_invisible(c) || u_hasBinaryProperty(c, UCHAR_BIDI_CONTROL);
}

bool free_text_label_ok(const char *text, size_t len)
{
    struct scan scan = {0};
    /* An invisible character at the end may belong to the character before it, such as a variation selector
     * or a joiner in Malayalam. */
    return scan_ok(&scan, text, len) && scan.visible && may_begin_a_label(scan.first) &&
           !u_isUWhiteSpace(scan.last);
}

bool free_text_has_right_to_left(const char *text, size_t len)
{
    while (len > 0) {
        size_t n = text_utf8_char(text, len);
        UCharDirection direction = n > 0 ? u_charDirection(code_point(text, n)) : U_OTHER_NEUTRAL;
        if (direction == U_RIGHT_TO_LEFT || direction == U_RIGHT_TO_LEFT_ARABIC)
            return true;
        size_t step = n > 0 ? n : 1;
        text += step;
        len -= step;
    }
    return false;
}
