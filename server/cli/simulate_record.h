/* Writes the first simulated game as records, one for each hand. Behind `rummyd simulate --record`. */
#ifndef RUMMYD_SERVER_CLI_SIMULATE_RECORD_H
#define RUMMYD_SERVER_CLI_SIMULATE_RECORD_H

#include <stdio.h>

#include "server/cli/simulate.h"

struct sim_recorder {
    FILE *file;
    const char *path;
};

/* Both say on stderr what went wrong and return an exit status. The first hooks into sim->played and
 * sim->hand_over, the second frees that. */
int sim_recorder_open(struct sim_recorder *to, struct sim *sim, const char *path);
int sim_recorder_close(struct sim_recorder *to, struct sim *sim);

#endif
