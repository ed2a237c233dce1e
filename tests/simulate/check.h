/* Invariants; see check.c. */
#ifndef RUMMYD_TESTS_SIMULATE_CHECK_H
#define RUMMYD_TESTS_SIMULATE_CHECK_H

#include "bench/scan.h"
#include "tests/simulate/net.h"
#include "tests/simulate/store.h"

/* A frame from a node. */
struct said {
    struct span type, data, id, code;
    int64_t v;
    int seat;
    bool is_event;
};
bool frame_read(struct said *said, const char *text, size_t len);
/* told_v: the last version received on this connection; known_v: the last version that the player has. */
void check_heard(const struct table *table, int seat, int64_t *told_v, int64_t known_v,
                 const struct said *said, const char *text, size_t len);
/* Checks the changes of commits. */
extern const struct store_watch check_store;
/* The journal must contain the move of that command. */
void check_acked(const struct table *table, int seat, const char *command);

#endif
