/* Error reports of the program, and the exit codes of all subcommands. Any thread. */
#ifndef RUMMYD_SERVER_FAILURE_H
#define RUMMYD_SERVER_FAILURE_H

#include <stddef.h>

enum { SRV_EXIT_OK = 0, SRV_EXIT_FAILED = 1, SRV_EXIT_USAGE = 2 };
enum { SRV_SENTENCE_MAX = 4096 }; /* bytes of a sentence, including the NUL */

/* Prints "rummyd: <sentence>" on stderr, through srv_shown; returns code. */
int srv_fail(int code, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Makes text safe for a terminal: invalid UTF-8 and control characters become \xNN. Writes at most size
 * bytes, including the NUL; returns out. */
const char *srv_shown(char *out, size_t size, const char *text);

#endif
