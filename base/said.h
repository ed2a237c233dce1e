/* What people may say to each other in one line: at a table, in a club. Pure, any thread. */
#ifndef RUMMYD_BASE_SAID_H
#define RUMMYD_BASE_SAID_H

#include <stdbool.h>
#include <stddef.h>

enum { SAID_CHARS_MAX = 200 };

/* len bytes of UTF-8: 1 to SAID_CHARS_MAX characters, not all of them blank, no control character, and none
 * that reverses the direction of writing. */
bool said_ok(const char *text, size_t len);

#endif
