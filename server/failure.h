/* How the program says why it failed, and the exit codes of all subcommands. Any thread. */
#ifndef RUMMYD_SERVER_FAILURE_H
#define RUMMYD_SERVER_FAILURE_H

enum { SRV_EXIT_OK = 0, SRV_EXIT_FAILED = 1, SRV_EXIT_USAGE = 2 };

/* "rummyd: <sentence>" on stderr; returns code. */
int srv_fail(int code, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
