/* The exact minimum-cost perfect matching of a complete graph. Pure: keeps no allocation, uses no clock, no
 * I/O. */
#ifndef RUMMYD_SERVER_DRAW_MATCHING_H
#define RUMMYD_SERVER_DRAW_MATCHING_H

#include <stdbool.h>

/* Costs combine several levels, each outweighing the total of the levels below, so 64 bits are not
 * enough. */
__extension__ typedef __int128 srv_cost;

enum { SRV_MATCH_MAX = 768 }; /* vertices: about 70 MB and a few seconds */

/* Maximum cost of a pair. */
#define SRV_COST_MAX ((srv_cost)1 << 100)

/* n even, from 2 to SRV_MATCH_MAX. costs[i * n + j], symmetric in i and j, from 0 to SRV_COST_MAX. Sets
 * mate[i] to the partner of i. false: out of memory, and mate is not written. */
bool srv_match(int n, const srv_cost *costs, int *mate);

#endif
