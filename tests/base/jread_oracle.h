/* jansson as the oracle for base/jread.c: for the unit test and the fuzzer. */
#ifndef RUMMYD_TESTS_BASE_JREAD_ORACLE_H
#define RUMMYD_TESTS_BASE_JREAD_ORACLE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether both agree on the text: that it is invalid and why, or on the same tree. What only one of them
 * rejects (many values, deep nesting, a huge real number) counts as agreement. */
bool jread_agrees(const char *text, size_t len);

#endif
