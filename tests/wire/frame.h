/* What a function of wire/ writes, as text; checked on the way: it is JSON of an independent reader, and a
 * buffer that is too small by any number of bytes is marked full and not written past its end. */
#ifndef RUMMYD_TESTS_WIRE_FRAME_H
#define RUMMYD_TESTS_WIRE_FRAME_H

#include "base/buf.h"

#include <jansson.h>

enum { FRAME_MAX = 16384 };

/* The static text of the last call. members: `write` writes members, which braces go around. */
const char *frame_of(void (*write)(struct buf *out, const void *what), const void *what, bool members);
/* The same, parsed. The caller releases it. */
json_t *frame_read(void (*write)(struct buf *out, const void *what), const void *what, bool members);

#endif
