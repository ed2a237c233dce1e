/* Where seats come from: REST like any player (small runs), the database's own functions (thousands of
 * seats in seconds), or a file. Blocking; called before and between measurements. One thread. */
#ifndef RUMMYD_BENCH_GRANTS_H
#define RUMMYD_BENCH_GRANTS_H

#include "bench/grants_list.h"

/* Lines "table seat ticket [player]". Both print errors and return false. */
bool grants_by_file(struct grants *g, const char *path);
bool grants_to_file(const struct grants *g, const char *path);
/* New tickets for the used ones. false if the source cannot do it now (server or database unreachable): try
 * later. */
bool grants_renew(struct grants *g);

#endif
