/* Validators of texts; see validators.h. */
#include "api/validators.h"

#include "base/bug.h"
#include "base/said.h"
#include "base/text.h"
#include "net/read.h"

#include <stdint.h>
#include <string.h>

static bool only(const char *text, const char *allowed)
{
    return text[0] != '\0' && text[strspn(text, allowed)] == '\0';
}

bool api_valid_token(const char *text)
{
    return only(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
}

bool api_valid_printed(const char *text)
{
    return net_read_printed(text);
}

bool api_valid_name(const char *text)
{
    return only(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
}

/* The code point at text, whose bytes are n and known to be valid. */
static uint32_t code_point(const char *text, size_t n)
{
    const unsigned char *p = (const unsigned char *)text;
    ASSERT(n >= 1 && n <= 4);
    switch (n) {
    case 1:
        return p[0];
    case 2:
        return (p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu);
    case 3:
        return (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
    default:
        return (p[0] & 0x07u) << 18 | (p[1] & 0x3Fu) << 12 | (p[2] & 0x3Fu) << 6 | (p[3] & 0x3Fu);
    }
}

/* Characters that could make a name look like another one, or break the line it stands in. */
static bool is_deceptive(uint32_t c)
{
    static const struct {
        uint32_t from, to;
    } ranges[] = {{0x00, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},     {0x61C, 0x61C},   {0x200B, 0x200F},
                  {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF0, 0xFFFF}, {0xE0000, 0xE0FFF}};
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
        if (c >= ranges[i].from && c <= ranges[i].to)
            return true;
    return false;
}

bool api_valid_label(const char *text)
{
    size_t len = strlen(text);
    if (len == 0 || text[0] == ' ' || text[len - 1] == ' ')
        return false;
    for (size_t i = 0; i < len;) {
        size_t n = text_utf8_char(text + i, len - i);
        if (n == 0 || is_deceptive(code_point(text + i, n)))
            return false;
        i += n;
    }
    return true;
}

bool api_valid_said(const char *text)
{
    return said_ok(text, strlen(text));
}

bool api_valid_id(const char *text)
{
    int64_t id;
    return *text != '0' && text_i64(text, 1, INT64_MAX, &id);
}

static int digits(const char *text, int n)
{
    int number = 0;
    for (int i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        number = number * 10 + (text[i] - '0');
    }
    return number;
}

bool api_valid_day(const char *text)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (strlen(text) != strlen("YYYY-MM-DD") || text[4] != '-' || text[7] != '-')
        return false;
    int year = digits(text, 4), month = digits(text + 5, 2), day = digits(text + 8, 2);
    if (year < 2000 || year > 2999 || month < 1 || month > 12)
        return false;
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return day >= 1 && day <= lengths[month - 1] + (month == 2 && leap);
}
