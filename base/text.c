/* Hex, base64url, strict numbers, UTF-8; see text.h. Pure, any thread. */
#include "base/text.h"

#include <string.h>

void text_hex(char *out, const uint8_t *bytes, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < len; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[2 * len] = '\0';
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

int text_unhex(uint8_t *out, size_t cap, const char *hex, size_t len)
{
    if (len % 2 != 0 || len / 2 > cap)
        return -1;
    for (size_t i = 0; i < len / 2; i++) {
        int high = hex_digit(hex[2 * i]), low = hex_digit(hex[2 * i + 1]);
        if (high < 0 || low < 0)
            return -1;
        out[i] = (uint8_t)(high << 4 | low);
    }
    return (int)(len / 2);
}

void text_b64url(char *out, const uint8_t *bytes, size_t len)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    uint32_t bits = 0;
    unsigned held = 0;
    for (size_t i = 0; i < len; i++) {
        bits = bits << 8 | bytes[i];
        held += 8;
        while (held >= 6) {
            held -= 6;
            *out++ = digits[bits >> held & 63];
        }
    }
    if (held > 0)
        *out++ = digits[bits << (6 - held) & 63];
    *out = '\0';
}

static int b64url_digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '-')
        return 62;
    if (c == '_')
        return 63;
    return -1;
}

int text_unb64url(uint8_t *out, size_t cap, const char *text, size_t len)
{
    if (len % 4 == 1)
        return -1;
    uint32_t bits = 0;
    unsigned held = 0;
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        int digit = b64url_digit(text[i]);
        if (digit < 0)
            return -1;
        bits = bits << 6 | (uint32_t)digit;
        held += 6;
        if (held < 8)
            continue;
        held -= 8;
        if (n == cap)
            return -1;
        out[n++] = (uint8_t)(bits >> held);
    }
    /* Leftover bits must be zero, so that every value has exactly one encoding. */
    if ((bits & ((1u << held) - 1)) != 0)
        return -1;
    return (int)n;
}

bool text_i64(const char *text, int64_t min, int64_t max, int64_t *out)
{
    bool negative = text[0] == '-';
    const char *p = text + negative;
    if (*p == '\0')
        return false;
    /* Accumulates negative values, because their range is larger by one. */
    int64_t value = 0;
    for (; *p; p++) {
        if (*p < '0' || *p > '9')
            return false;
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_sub_overflow(value, *p - '0', &value))
            return false;
    }
    if (!negative && __builtin_sub_overflow((int64_t)0, value, &value))
        return false;
    if (value < min || value > max)
        return false;
    *out = value;
    return true;
}

/* RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. */
size_t text_utf8_char(const char *bytes, size_t len)
{
    if (len == 0)
        return 0;
    const unsigned char *p = (const unsigned char *)bytes;
    unsigned char c = p[0];
    if (c < 0x80)
        return 1;
    size_t n = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : 2;
    if (c < 0xC2 || c > 0xF4 || n > len)
        return 0;
    unsigned char low = 0x80, high = 0xBF;
    if (c == 0xE0)
        low = 0xA0;
    if (c == 0xED)
        high = 0x9F;
    if (c == 0xF0)
        low = 0x90;
    if (c == 0xF4)
        high = 0x8F;
    if (p[1] < low || p[1] > high)
        return 0;
    for (size_t i = 2; i < n; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    return n;
}

/* ASCII bytes have none of these bits. */
#define ASCII_MASK UINT64_C(0x8080808080808080)

bool text_utf8_ok(const char *bytes, size_t len)
{
    while (len > 0) {
        uint64_t word;
        while (len >= sizeof(word) && (memcpy(&word, bytes, sizeof(word)), (word & ASCII_MASK) == 0)) {
            bytes += sizeof(word);
            len -= sizeof(word);
        }
        if (len == 0)
            break;
        size_t n = text_utf8_char(bytes, len);
        if (n == 0)
            return false;
        bytes += n;
        len -= n;
    }
    return true;
}

#define LETTERS_DIGITS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

/* Counts words of these characters, each 1 to max bytes, separated by dots; 0: invalid. */
static int dotted(const char *text, size_t len, const char *letters, size_t max)
{
    int n = 0;
    for (size_t at = 0;; at++) {
        size_t word = strspn(text + at, letters);
        if (word > len - at)
            word = len - at;
        if (word == 0 || word > max)
            return 0;
        n++;
        at += word;
        if (at == len)
            return n;
        if (text[at] != '.')
            return 0;
    }
}

bool text_email_ok(const char *text)
{
    const char *at = strrchr(text, '@');
    if (!at || strlen(text) > 254 || at - text > 64 ||
        dotted(text, (size_t)(at - text), LETTERS_DIGITS "!#$%&'*+-/=?^_`{|}~", 64) == 0)
        return false;
    for (const char *p = at; *p; p++) /* labels must not begin or end with a dash */
        if (*p == '-' && (p[-1] == '.' || p[-1] == '@' || p[1] == '.' || p[1] == '\0'))
            return false;
    return dotted(at + 1, strlen(at + 1), LETTERS_DIGITS "-", 63) >= 2;
}

bool text_equal_ct(const void *a, size_t a_len, const void *b, size_t b_len)
{
    if (a_len != b_len)
        return false;
    const volatile uint8_t *x = a, *y = b;
    uint8_t differ = 0;
    for (size_t i = 0; i < a_len; i++)
        differ = (uint8_t)(differ | (x[i] ^ y[i]));
    return differ == 0;
}
