/* A table of the load generator. */
#ifndef RUMMYD_BENCH_LOAD_TABLE_H
#define RUMMYD_BENCH_LOAD_TABLE_H

#include "bench/load_sockets.h"

void table_take_grants(struct load *load, struct load_table *t);
void table_on_frame(void *seat, const char *text, size_t len);
void table_on_dead(struct load *load, struct load_seat *s);
void table_try_move(struct load *load, struct load_table *t);
void table_sweep(struct load *load, struct load_table *t);

#endif
