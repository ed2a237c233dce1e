/* See span.h. */
#include "mail/span.h"

#include "base/bug.h"
#include "mail/plural.h"

#include <string.h>

enum { MINUTE_S = 60, HOUR_S = 60 * MINUTE_S, DAY_S = 24 * HOUR_S };

static const struct {
    const char *tag, *minutes, *hours, *days;
} languages[] = {
#define MAIL_SPAN(tag, minutes, hours, days) {tag, minutes, hours, days},
#include "mail/dates.def"
#undef MAIL_SPAN
};

void mail_span_write(struct buf *out, const char *language, int64_t seconds)
{
    size_t i = 0;
    for (size_t k = 0; k < ARRAY_LEN(languages); k++)
        if (strcmp(languages[k].tag, language) == 0)
            i = k;
    const char *forms = languages[i].minutes;
    int64_t n = seconds / MINUTE_S > 0 ? seconds / MINUTE_S : 1;
    if (seconds >= 2 * DAY_S) {
        forms = languages[i].days;
        n = seconds / DAY_S;
    } else if (seconds >= 2 * HOUR_S || seconds == HOUR_S) {
        forms = languages[i].hours;
        n = seconds / HOUR_S;
    }
    bool written = mail_plural_write(out, languages[i].tag, forms, strlen(forms), n);
    ASSERT(written); /* all languages have the form `other` */
}
