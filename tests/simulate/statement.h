/* A statement in the model: its arguments and its result. For statements*.c. */
#ifndef RUMMYD_TESTS_SIMULATE_STATEMENT_H
#define RUMMYD_TESTS_SIMULATE_STATEMENT_H

#include "tests/simulate/rows.h"

struct call {
    struct tx *tx;
    const struct args *args;
    struct session *session;
    name_is_taken_fn *name_is_taken;
    struct answer *answer;
};

/* The index of the node with this name. */
int statement_node(const char *name);
/* node_has_epoch: the caller holds a shared lock on the node's row. */
bool statement_has_epoch(const struct call *call, int node, int64_t epoch);
/* Refunds the stake. */
void statement_refund(struct tx *tx, struct seat_row *seat);

enum verdict statement_node_start(struct call *call);
enum verdict statement_node_resume(struct call *call);
enum verdict statement_node_renew(struct call *call);
enum verdict statement_peer_nodes(struct call *call);
enum verdict statement_adopt_tables(struct call *call);
enum verdict statement_database_clock(struct call *call);
enum verdict statement_hand_over_table(struct call *call);
enum verdict statement_node_renewals(struct call *call);
enum verdict statement_start_batch(struct call *call);
enum verdict statement_lock_tables(struct call *call);
enum verdict statement_end_hand(struct call *call);
enum verdict statement_deal_hand(struct call *call);
enum verdict statement_settle_batch(struct call *call);
enum verdict statement_forget_moves(struct call *call);
enum verdict statement_lose_table(struct call *call);
enum verdict statement_cancel_table(struct call *call);

#endif
