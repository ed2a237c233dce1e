/* Durations of a placeholder in an email, {{valid_s:span}}, in the language of the email (dates.def): "24
 * hours", "1 hour", or "7 days". Pure, any thread. */
#ifndef RUMMYD_MAIL_SPAN_H
#define RUMMYD_MAIL_SPAN_H

#include "base/buf.h"

#include <stdint.h>

/* Writes a duration of that many seconds in days from two days on, in hours from two hours on and for exactly
 * one, otherwise in minutes. It is rounded down, at least to 1, so that an email never promises too much.
 * language: a tag of dates.def, otherwise its first one is used. */
void mail_span_write(struct buf *out, const char *language, int64_t seconds);

#endif
