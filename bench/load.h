/* The load generator's event loop and its scenarios. bench/tableload.c parses the options and prints
 * the result. One thread. */
#ifndef RUMMYD_BENCH_LOAD_H
#define RUMMYD_BENCH_LOAD_H

#include "bench/load_sockets.h"

/* Runs the whole scenario. On failure, prints a sentence on stderr and returns false. */
bool load_run(struct load *load);
void load_free(struct load *load);

#endif
