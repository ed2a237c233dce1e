/* The output of a function of wire/ as text, which is also checked: an independent parser must accept it as
 * JSON, and a buffer that is too small by any number of bytes must be marked full and not written past its
 * end. */
#ifndef RUMMYD_TESTS_WIRE_FRAME_H
#define RUMMYD_TESTS_WIRE_FRAME_H

#include "base/buf.h"

#include <jansson.h>

enum { FRAME_MAX = 16384 };

/* The static text of the last call. members: `write` writes members, which are enclosed in braces. */
const char *frame_of(void (*write)(struct buf *out, const void *what), const void *what, bool members);
/* The same, parsed. The caller releases it. */
json_t *frame_read(void (*write)(struct buf *out, const void *what), const void *what, bool members);

#endif
