/* See date.h. ICU is not used, because it writes Serbian months in the nominative and French days without
 * 1er, and its patterns differ between Debian 12 and 13. */
#include "mail/date.h"

#include "base/bug.h"

enum { MONTHS = 12, HALF_DAY = 12, DATE_BYTES = 10, TIME_BYTES = 16 };

static const struct {
    const char *tag, *patterns[2], *first, *months[MONTHS];
} languages[] = {
#define MAIL_DATE(tag, day, time, first, ...)                                                                \
    {tag, {[MAIL_DATE_DAY] = (day), [MAIL_DATE_TIME] = (time)}, first, {__VA_ARGS__}},
#include "mail/dates.def"
#undef MAIL_DATE
};

struct moment {
    int year, month, day, hour, minute;
};

/* Parses `len` digits as a number from least to most. */
static bool number(int *out, const char *text, size_t len, int least, int most)
{
    *out = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        *out = *out * 10 + (text[i] - '0');
    }
    return *out >= least && *out <= most;
}

static bool parse(struct moment *out, const char *at, enum mail_date_form form)
{
    *out = (struct moment){.year = 0};
    if (strnlen(at, DATE_BYTES) < DATE_BYTES || at[4] != '-' || at[7] != '-' ||
        !number(&out->year, at, 4, 1, 9999) || !number(&out->month, at + 5, 2, 1, MONTHS) ||
        !number(&out->day, at + 8, 2, 1, 31))
        return false;
    return form == MAIL_DATE_DAY ||
           (strnlen(at, TIME_BYTES) == TIME_BYTES && (at[10] == 'T' || at[10] == ' ') && at[13] == ':' &&
            number(&out->hour, at + 11, 2, 0, 23) && number(&out->minute, at + 14, 2, 0, 59));
}

static void write_part(struct buf *out, size_t language, const struct moment *at, char part)
{
    int half = at->hour % HALF_DAY;
    switch (part) {
    case 'B':
        buf_str(out, languages[language].months[at->month - 1]);
        break;
    case 'd':
        if (at->day == 1)
            buf_str(out, languages[language].first);
        else
            buf_int(out, at->day);
        break;
    case 'Y':
        buf_int(out, at->year);
        break;
    case 'H':
        buf_int(out, at->hour);
        break;
    case 'I':
        buf_int(out, half == 0 ? HALF_DAY : half);
        break;
    case 'M':
        buf_fmt(out, "%02d", at->minute);
        break;
    default:
        ASSERT(part == 'p');
        buf_str(out, at->hour < HALF_DAY ? "AM" : "PM");
    }
}

bool mail_date_write(struct buf *out, const char *language, const char *at, enum mail_date_form form)
{
    struct moment moment;
    size_t i = 0;
    if (!parse(&moment, at, form))
        return false;
    for (size_t k = 0; k < ARRAY_LEN(languages); k++)
        if (strcmp(languages[k].tag, language) == 0)
            i = k;
    for (const char *p = languages[i].patterns[form]; *p; p++)
        if (*p == '%')
            write_part(out, i, &moment, *++p);
        else
            buf_put(out, p, 1);
    return true;
}
