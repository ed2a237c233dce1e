/* Durations in an email, from the placeholder {{valid_s:span}}, in the language of the email (dates.def):
 * "24 hours", "1 hour", or "7 days". Pure, any thread. */
#ifndef RUMMYD_MAIL_SPAN_H
#define RUMMYD_MAIL_SPAN_H

#include "base/buf.h"

#include <stdint.h>

/* Writes a duration of this many seconds: in days from two days on, in hours from two hours on or for
 * exactly one hour, otherwise in minutes. It is rounded down, but at least 1, so that an email never
 * promises too much. language: a tag in dates.def; if it is not there, the first one is used. */
void mail_span_write(struct buf *out, const char *language, int64_t seconds);

#endif
