/* Assertions that stay on in release builds: BUG for our own fault.
 * Used by every layer, on every thread. */
#ifndef RUMMYD_BASE_BUG_H
#define RUMMYD_BASE_BUG_H

#include <stddef.h>

/* Prints "file:line: bug: text" to stderr and aborts: a process in an unknown
 * state must not go on; recovery re-plays what was committed. */
_Noreturn void base_bug(const char *file, int line, const char *text);

#define BUG(text) base_bug(__FILE__, __LINE__, (text))
#define ASSERT(cond)                                                                                         \
    do {                                                                                                     \
        if (__builtin_expect(!(cond), 0))                                                                    \
            base_bug(__FILE__, __LINE__, #cond);                                                             \
    } while (0)

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/* What a macro makes that stands for an initializer: bare braces at its beginning are laid out by one version
 * of clang-format as a block, by the next one as a list. */
/* clang-format off */
#define INIT(...) {__VA_ARGS__}
/* clang-format on */

#endif
