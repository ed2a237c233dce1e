/* Writes the first simulated game as records, one per hand. Used by `rummyd simulate --record`. */
#ifndef RUMMYD_SERVER_CLI_SIMULATE_RECORD_H
#define RUMMYD_SERVER_CLI_SIMULATE_RECORD_H

#include <stdio.h>

#include "server/cli/simulate.h"

struct srv_simulate_recorder {
    FILE *file;
    const char *path;
};

/* Both print errors on stderr and return an exit status. The first sets sim->played and sim->hand_over; the
 * second resets them. */
int srv_simulate_recorder_open(struct srv_simulate_recorder *to, struct srv_simulate *sim, const char *path);
int srv_simulate_recorder_close(struct srv_simulate_recorder *to, struct srv_simulate *sim);

/* The finished hand as a record; see hand_over. The caller frees it. */
char *srv_simulate_hand_text(struct srv_simulate *sim, uint64_t number, const struct eng_game *before,
                             const struct eng_game *after, size_t *len);

#endif
