/* The perfect matching of least total cost in a complete graph, exactly. Pure: no allocation remains, no
 * clock, no I/O. */
#ifndef RUMMYD_SERVER_DRAW_MATCHING_H
#define RUMMYD_SERVER_DRAW_MATCHING_H

#include <stdbool.h>

/* Costs are sums of several levels, each larger than all below it together: 64 bits do not hold them. */
__extension__ typedef __int128 srv_cost;

enum { SRV_MATCH_MAX = 768 }; /* vertices: about 70 MB and a few seconds */

/* The largest cost of a pair. */
#define SRV_COST_MAX ((srv_cost)1 << 100)

/* n even, from 2 to SRV_MATCH_MAX. costs[i * n + j], the same for j and i, from 0 to SRV_COST_MAX. Writes to
 * mate[i] whom i is matched with. false: out of memory, and mate is not written. */
bool srv_match(int n, const srv_cost *costs, int *mate);

#endif
