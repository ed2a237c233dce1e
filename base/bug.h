/* Assertions that remain in release builds. BUG reports programming errors. Used by every layer, on every
 * thread. */
#ifndef RUMMYD_BASE_BUG_H
#define RUMMYD_BASE_BUG_H

#include <stddef.h>

/* Prints "file:line: bug: text" to stderr and aborts, because a process in an unknown state must not
 * continue. After the restart, recovery replays committed moves. */
_Noreturn void base_bug(const char *file, int line, const char *text);

#define BUG(text) base_bug(__FILE__, __LINE__, (text))
#define ASSERT(cond)                                                                                         \
    do {                                                                                                     \
        if (__builtin_expect(!(cond), 0))                                                                    \
            base_bug(__FILE__, __LINE__, #cond);                                                             \
    } while (0)

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/* For macros that expand to an initializer, because versions of clang-format disagree on whether bare
 * braces at the beginning are a block or a list. */
/* clang-format off */
#define INIT(...) {__VA_ARGS__}
/* clang-format on */

#endif
