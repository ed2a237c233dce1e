/* What must hold; see check.c. */
#ifndef RUMMYD_TESTS_SIMULATE_CHECK_H
#define RUMMYD_TESTS_SIMULATE_CHECK_H

#include "bench/scan.h"
#include "tests/simulate/net.h"
#include "tests/simulate/store.h"

/* A frame of a node. */
struct said {
    struct span type, data, id, code;
    int64_t v;
    int seat;
    bool is_event;
};
bool said_read(struct said *said, const char *text, size_t len);
/* told_v: the last version of this connection; known_v: that the player has. */
void check_heard(const struct table *table, int seat, int64_t *told_v, int64_t known_v,
                 const struct said *said, const char *text, size_t len);
/* The move of that command stands in the journal. */
void check_acked(const struct table *table, int seat, const char *command);

#endif
