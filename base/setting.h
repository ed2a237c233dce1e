/* Checks of settings, and the sentences that refuse them. Pure, any thread. */
#ifndef RUMMYD_BASE_SETTING_H
#define RUMMYD_BASE_SETTING_H

#include <stdbool.h>
#include <stddef.h>

/* Characters that a value may have. */
#define SETTING_DIGITS "0123456789"
#define SETTING_LOWER "abcdefghijklmnopqrstuvwxyz"
#define SETTING_LETTERS SETTING_LOWER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

enum { SETTING_WHY_MAX = 160 }; /* bytes of a sentence, including the NUL */

/* Writes "KEY: must be MUST (got VALUE)" and returns false. */
bool setting_refuse(const char *key, const char *must, const char *value, char error[SETTING_WHY_MAX]);
/* Whether a text has only these characters, and at most max of them; otherwise refuses it. */
bool setting_of(const char *key, const char *value, const char *allowed, size_t max, const char *must,
                char error[SETTING_WHY_MAX]);
/* The same for printable ASCII without spaces and colons. */
bool setting_printed(const char *key, const char *value, char error[SETTING_WHY_MAX]);
/* Refuses a secret that begins like another secret of its provider: writes `what` and returns false. others:
 * the beginnings of those, ended by NULL. */
bool setting_is_no_other(const char *value, const char *const *others, const char *what,
                         char error[SETTING_WHY_MAX]);

#endif
