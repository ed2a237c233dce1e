/* The load generator's event loop and its scenarios. bench/tableload.c parses the options and prints
 * the result. One thread. */
#ifndef RUMMYD_BENCH_LOAD_H
#define RUMMYD_BENCH_LOAD_H

#include "bench/load_sockets.h"

/* Runs the whole scenario. false with a sentence on stderr on failure. */
bool load_run(struct load *load);
void load_free(struct load *load);

#endif
