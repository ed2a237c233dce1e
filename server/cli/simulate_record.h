/* Writes the first simulated game as records, one for each hand. Behind `rummyd simulate --record`. */
#ifndef RUMMYD_SERVER_CLI_SIMULATE_RECORD_H
#define RUMMYD_SERVER_CLI_SIMULATE_RECORD_H

#include <stdio.h>

#include "server/cli/simulate.h"

struct srv_simulate_recorder {
    FILE *file;
    const char *path;
};

/* Both say on stderr what went wrong and return an exit status. The first hooks into sim->played and
 * sim->hand_over, the second frees that. */
int srv_simulate_recorder_open(struct srv_simulate_recorder *to, struct srv_simulate *sim, const char *path);
int srv_simulate_recorder_close(struct srv_simulate_recorder *to, struct srv_simulate *sim);

#endif
