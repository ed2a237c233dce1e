/* Conversion of amounts; see amount.h. */
#include "pay/amount.h"

#include <stdio.h>
#include <string.h>

/* Number of decimals of a currency (ISO 4217) in lower case. */
static int decimals_of(const char *currency)
{
    static const char none[] = "bif clp djf gnf jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf ";
    static const char three[] = "bhd iqd jod kwd lyd omr tnd ";
    if (strlen(currency) != 3)
        return -1;
    return strstr(none, currency) ? 0 : strstr(three, currency) ? 3 : 2;
}

bool pay_amount_write(int64_t minor, const char *currency, int decimals_max, char out[PAY_AMOUNT_MAX])
{
    int decimals = decimals_of(currency);
    if (decimals < 0 || minor <= 0)
        return false;
    for (; decimals > decimals_max; decimals--) {
        if (minor % 10 != 0)
            return false;
        minor /= 10;
    }
    int64_t unit = 1;
    for (int i = 0; i < decimals; i++)
        unit *= 10;
    if (decimals == 0)
        (void)snprintf(out, PAY_AMOUNT_MAX, "%lld", (long long)minor);
    else
        (void)snprintf(out, PAY_AMOUNT_MAX, "%lld.%0*lld", (long long)(minor / unit), decimals,
                       (long long)(minor % unit));
    return true;
}

bool pay_amount_read(const char *text, const char *currency, int64_t *minor)
{
    int decimals = decimals_of(currency), seen = -1; /* decimals seen; -1: before the point */
    int64_t sum = 0;
    const char *p = text;
    for (; *p; p++) {
        if (*p == '.' && seen < 0 && p > text) {
            seen = 0;
            continue;
        }
        if (*p < '0' || *p > '9')
            return false;
        if (seen >= 0 && seen++ >= decimals) {
            if (*p != '0')
                return false;
            continue;
        }
        if (sum > (INT64_MAX - 9) / 10)
            return false;
        sum = sum * 10 + (*p - '0');
    }
    if (p == text || seen == 0 || decimals < 0)
        return false;
    for (int i = seen < 0 ? 0 : seen; i < decimals; i++) {
        if (sum > INT64_MAX / 10)
            return false;
        sum *= 10;
    }
    *minor = sum;
    return true;
}
