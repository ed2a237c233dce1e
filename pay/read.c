/* Reads members of providers' JSON; see read.h. */
#include "pay/read.h"

#include "base/text.h"
#include "net/read.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

static bool is_uuid(const char *text)
{
    if (strlen(text) != 36)
        return false;
    for (int i = 0; i < 36; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text[i] != '-' : !strchr("0123456789abcdefABCDEF", text[i]))
            return false;
    }
    return true;
}

void pay_read_token(const json_t *object, const char *name, char out[PAY_TOKEN_MAX])
{
    net_read_text(object, name, out, PAY_TOKEN_MAX);
    if (!is_uuid(out))
        out[0] = '\0';
}

void pay_read_currency(const json_t *object, const char *name, char out[PAY_CURRENCY_MAX])
{
    net_read_text(object, name, out, PAY_CURRENCY_MAX);
    for (char *p = out; *p; p++)
        *p = (char)tolower((unsigned char)*p);
    if (strspn(out, "abcdefghijklmnopqrstuvwxyz") != 3)
        out[0] = '\0';
}

int64_t pay_read_ms(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    int64_t ms = 0;
    bool there = text ? text_i64(text, 1, INT64_MAX, &ms) : net_read_number(object, name, &ms);
    return there && ms >= 1000 && ms / 1000 <= PAY_TIME_S_MAX ? ms / 1000 : 0;
}

int64_t pay_read_time(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    struct tm tm = {0};
    const char *rest = text ? strptime(text, "%Y-%m-%dT%H:%M:%S", &tm) : NULL;
    if (rest && *rest == '.')
        rest += 1 + strspn(rest + 1, "0123456789");
    if (!rest || strcmp(rest, "Z") != 0)
        return 0;
    int64_t s = (int64_t)timegm(&tm);
    return s > 0 && s <= PAY_TIME_S_MAX ? s : 0;
}
