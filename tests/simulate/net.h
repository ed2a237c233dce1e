/* Connections between players and nodes, modeled on TCP: messages keep their order, a broken connection
 * loses the messages in flight, and the other end notices late. */
#ifndef RUMMYD_TESTS_SIMULATE_NET_H
#define RUMMYD_TESTS_SIMULATE_NET_H

#include "tests/simulate/sim.h"

/* Events for the player at the other end of a connection. */
struct sim_line_ports {
    void (*opened)(void *ctx, struct sim_conn *conn);
    void (*frame)(void *ctx, struct sim_conn *conn, const char *text, size_t len);
    void (*closed)(void *ctx, struct sim_conn *conn, int code);
};

/* Begins to connect; opened or closed follows. since: -1 for none. */
struct sim_conn *sim_connect(struct sim_node *node, int64_t table, const char *ticket, int64_t since,
                             const struct sim_line_ports *ports, void *ctx);
void sim_send(struct sim_conn *conn, const char *text, size_t len);
/* The player disconnects; this connection produces no further events. */
void sim_hang_up(struct sim_conn *conn);
int sim_conn_node(const struct sim_conn *conn);

/* A node sends a frame to a player (check.c). */
void check_spoken(struct sim_node *node, int64_t table, const char *text, size_t len);

#endif
