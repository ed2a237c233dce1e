/* jansson as the oracle for base/jread.c: for the unit test and the fuzzer. */
#ifndef RUMMYD_TESTS_BASE_JREAD_ORACLE_H
#define RUMMYD_TESTS_BASE_JREAD_ORACLE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether both parsers agree on the text: both reject it for the same reason, or both return the same tree.
 * Text that only one of them rejects because of a limit (many values, deep nesting, a huge real number)
 * counts as agreement. */
bool jread_agrees(const char *text, size_t len);

#endif
