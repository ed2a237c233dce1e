/* Validators of texts; see validators.h. */
#include "api/validators.h"

#include "base/bug.h"
#include "base/free_text.h"
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

bool api_valid_label(const char *text)
{
    return free_text_label_ok(text, strlen(text));
}

bool api_valid_line(const char *text)
{
    return free_text_line_ok(text, strlen(text));
}

bool api_valid_lines(const char *text)
{
    return free_text_ok(text, strlen(text));
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
