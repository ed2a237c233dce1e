/* Checks settings, and writes the error messages for invalid ones. Pure, any thread. */
#ifndef RUMMYD_BASE_SETTING_H
#define RUMMYD_BASE_SETTING_H

#include <stdbool.h>
#include <stddef.h>

/* Characters that a value may contain. */
#define SETTING_DIGITS "0123456789"
#define SETTING_LOWER "abcdefghijklmnopqrstuvwxyz"
#define SETTING_LETTERS SETTING_LOWER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

enum { SETTING_WHY_MAX = 160 }; /* bytes of an error message, including the NUL */

/* Writes "KEY: must be MUST (got VALUE)" and returns false. */
bool setting_refuse(const char *key, const char *must, const char *value, char error[SETTING_WHY_MAX]);
/* Whether the value consists of at most max of these characters; otherwise writes an error. */
bool setting_of(const char *key, const char *value, const char *allowed, size_t max, const char *must,
                char error[SETTING_WHY_MAX]);
/* The same for printable ASCII characters except spaces and colons. */
bool setting_printed(const char *key, const char *value, char error[SETTING_WHY_MAX]);
/* Rejects a secret that begins like a different secret of the same provider: writes `what` and returns
 * false. others: prefixes of those secrets, ending with NULL. */
bool setting_is_no_other(const char *value, const char *const *others, const char *what,
                         char error[SETTING_WHY_MAX]);

#endif
