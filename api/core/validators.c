/* Validators of texts; see validators.h. */
#include "api/core/validators.h"

#include "base/bug.h"
#include "base/clock.h"
#include "base/free_text.h"
#include "base/text.h"
#include "net/read.h"
#include "net/webpush.h"

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

bool api_valid_time(const char *text)
{
    int64_t ms;
    return clock_read_rfc3339(text, &ms);
}

bool api_valid_about(const char *text)
{
    return !*text || api_valid_label(text);
}

bool api_valid_digits(const char *text)
{
    return only(text, "0123456789");
}

bool api_valid_currency(const char *text)
{
    return strlen(text) == 3 && only(text, "abcdefghijklmnopqrstuvwxyz");
}

bool api_valid_seed(const char *text)
{
    uint8_t seed[API_SEED_MAX];
    return text_unhex(seed, sizeof(seed), text, strlen(text)) > 0;
}

bool api_valid_transports(const char *text)
{
    static const char *const known[] = {"ble", "hybrid", "internal", "nfc", "smart-card", "usb"};
    for (bool first = true; first || *text; first = false) {
        if (!first && *text++ != ' ')
            return false;
        const size_t len = strcspn(text, " ");
        size_t i = 0;
        while (i < ARRAY_LEN(known) && (strlen(known[i]) != len || strncmp(known[i], text, len) != 0))
            i++;
        if (i == ARRAY_LEN(known))
            return false;
        text += len;
    }
    return true;
}

bool api_valid_point(const char *text)
{
    uint8_t point[NET_WEBPUSH_POINT];
    return text_unb64url(point, sizeof(point), text, strlen(text)) == sizeof(point) &&
           net_webpush_point_ok(point);
}

bool api_valid_auth_secret(const char *text)
{
    uint8_t secret[NET_WEBPUSH_AUTH];
    return text_unb64url(secret, sizeof(secret), text, strlen(text)) == sizeof(secret);
}

bool api_valid_push_token(const char *text)
{
    return only(text, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_:");
}
