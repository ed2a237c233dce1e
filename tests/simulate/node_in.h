/* The struct of a node, for the files node*.c only. */
#ifndef RUMMYD_TESTS_SIMULATE_NODE_IN_H
#define RUMMYD_TESTS_SIMULATE_NODE_IN_H

#include "server/config.h"
#include "tests/simulate/sim.h"

struct sim_node {
    int index;
    char name[8];
    bool up, ending;
    uint32_t life;
    int64_t frozen_until;
    int64_t mono_begins_ns, wall_off_ms;
    int64_t drift_ppm, drift_since_us;
    struct srv_config config;
    char error[SRV_ERROR_MAX];
    struct srv_journal *journal;
    struct srv_lease *lease;
    struct srv_hub *hub;
    struct api_revoked *revoked;
};

/* Number of nodes in the world. */
void sim_nodes_set(int n);

#endif
