/* jansson as the judge of base/jread.c: for the unit test and the fuzzer. */
#ifndef RUMMYD_TESTS_BASE_JREAD_ORACLE_H
#define RUMMYD_TESTS_BASE_JREAD_ORACLE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether both say the same of the text: that it is none and why, or the same tree. What only one of them
 * refuses (many values, deep nesting, a huge real number) counts as the same. */
bool jread_agrees(const char *text, size_t len);

#endif
