/* See said.h. */
#include "base/said.h"

#include <stdint.h>

#include "base/bug.h"
#include "base/text.h"

/* The code point of n well-formed bytes. */
static uint32_t code_point(const char *bytes, size_t n)
{
    static const uint8_t first[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    ASSERT(n >= 1 && n < ARRAY_LEN(first));
    uint32_t c = (uint8_t)bytes[0] & first[n];
    for (size_t i = 1; i < n; i++)
        c = c << 6 | ((uint8_t)bytes[i] & 0x3f);
    return c;
}

static bool is_control(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x061c || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
           (c >= 0xfff9 && c <= 0xfffb) || (c & 0xfffe) == 0xfffe || (c >= 0xe0000 && c <= 0xe0fff);
}

static bool is_blank(uint32_t c)
{
    return c == ' ' || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200d) || c == 0x202f ||
           c == 0x205f || c == 0x3000;
}

bool said_ok(const char *text, size_t len)
{
    int chars = 0;
    bool blank = true;
    while (len > 0) {
        size_t n = text_utf8_char(text, len);
        if (n == 0 || ++chars > SAID_CHARS_MAX)
            return false;
        uint32_t c = code_point(text, n);
        if (is_control(c))
            return false;
        blank = blank && is_blank(c);
        text += n;
        len -= n;
    }
    return !blank;
}
