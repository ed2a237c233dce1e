/* Players of all kinds, including the behavior of an SDK, and the tables that they open. */
#ifndef RUMMYD_TESTS_SIMULATE_PEOPLE_H
#define RUMMYD_TESTS_SIMULATE_PEOPLE_H

#include "tests/simulate/sim.h"

/* Opens tables and seats players, over some time. */
void people_begin(int tables, int64_t within_us);
/* Called after all faults have ended: absent players return, and all play without delay. */
void people_heal(void);
/* Number of tables that are not over. */
int people_tables_left(void);
uint64_t people_moves(void);

#endif
