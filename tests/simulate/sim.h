/* The simulated world: virtual time, one queue of events, one seed, and nodes whose threads are fibers. All
 * parts of tests/simulate use it; they run in one thread. docs/simulation.md has the details. */
#ifndef RUMMYD_TESTS_SIMULATE_SIM_H
#define RUMMYD_TESTS_SIMULATE_SIM_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/message.h"

enum { SIM_NODES_MAX = 3, SIM_TABLES_MAX = 64, SIM_CLIENTS_MAX = 160, SIM_FAULTS_MAX = 48 };

#define SIM_MS 1000LL
#define SIM_S (1000 * SIM_MS)

struct sim_node;
struct sim_fiber;
struct sim_conn;
typedef void sim_fn(void *arg, int64_t number);

/* ---- core.c: time, randomness, trace ---- */
extern int64_t sim_now; /* us since the beginning of the world */
extern uint64_t sim_seed;
extern bool sim_tracing;
extern int64_t sim_fault_us; /* when the last fault so far began or ended */
void sim_begin(uint64_t seed);
/* A separate random stream, so that removing one fault changes little else. */
struct sim_dice {
    uint64_t state;
};
extern struct sim_dice sim_net, sim_people, sim_secrets;
struct sim_dice sim_dice_of(uint64_t seed, uint64_t stream);
uint64_t sim_roll(struct sim_dice *dice);
int64_t sim_between(struct sim_dice *dice, int64_t least, int64_t most);
bool sim_chance(struct sim_dice *dice, int per_mille);
void sim_trace(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Reports a violated invariant and ends the process. */
_Noreturn void sim_broken(const char *promise, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- events.c ---- */
extern uint64_t sim_steps;
/* node NULL: an event of the world. A node's event waits while the node is frozen, and is dropped if it has
 * died. */
void sim_at(int64_t when_us, struct sim_node *node, sim_fn *fn, void *arg, int64_t number);
void sim_after(int64_t us, struct sim_node *node, sim_fn *fn, void *arg, int64_t number);
/* Calls fn as the node, which may die during the call. */
typedef void sim_as_fn(struct sim_node *node, sim_fn *fn, void *arg, int64_t number);
/* Runs the next event, with `as` if it belongs to a node. Returns false if none is due before `until`,
 * which becomes the current time. */
bool sim_step(int64_t until_us, sim_as_fn *as);

/* ---- fiber.c: threads of the nodes ---- */
struct sim_fiber *sim_fiber_start(struct sim_node *node, void *(*run)(void *arg), void *arg);
struct sim_fiber *sim_fiber_now(void);
/* Waits until sim_fiber_wake_all, or for at most us (us < 0: forever). false if the time is over. */
bool sim_fiber_park(const void *what, int64_t us);
void sim_fiber_wake_all(const struct sim_node *node, const void *what, bool only_one);
void sim_fibers_of_dead(struct sim_node *node);
sim_as_fn sim_as;
struct sim_node *sim_node_now(void);

/* ---- node_state.c: the state of a node, and its clocks ---- */
struct sim_node *sim_node(int i);
int sim_nodes_n(void);
int sim_node_index(const struct sim_node *node);
const char *sim_node_name(const struct sim_node *node);
bool sim_node_up(const struct sim_node *node); /* whether its process runs, frozen or not */
bool sim_node_serves(const struct sim_node *node);
uint32_t sim_node_life(const struct sim_node *node);
int64_t sim_node_frozen_until(const struct sim_node *node);
struct srv_hub *sim_node_hub(const struct sim_node *node);
struct srv_lease *sim_node_lease(const struct sim_node *node);
void sim_node_wall_off(struct sim_node *node, int64_t ms); /* offset from the real time */
/* The node's clocks, in ns, which have arbitrary origins and drift. */
int64_t sim_node_mono_ns(const struct sim_node *node);
int64_t sim_node_unix_ns(const struct sim_node *node);

/* ---- node.c: its process ---- */
void sim_nodes_begin(int n);
void sim_node_start(struct sim_node *node);
void sim_node_kill(struct sim_node *node, const char *why);
void sim_node_stop(struct sim_node *node); /* planned shutdown: its tables are handed over */
void sim_node_hand_over(struct sim_node *node, int64_t n);
void sim_node_freeze(struct sim_node *node, int64_t us);

/* ---- loop.c ---- */
void sim_loop_dead(struct sim_node *node);
/* Runs fn in an iteration of the node's loop at that time. */
void sim_loop_turn(int64_t at_us, struct sim_node *node, sim_fn *fn, void *arg, int64_t number);

/* ---- net.c: between players and nodes ---- */
void sim_net_node_dead(struct sim_node *node);
void sim_net_cut(struct sim_node *node, bool cut);
bool sim_net_is_cut(const struct sim_node *node);
void sim_net_break_one(struct sim_dice *dice);

/* ---- bus.c: between the nodes, and an operator ---- */
void sim_bus_publish(enum bus_kind kind, int64_t id);
void sim_bus_away(bool away);
void sim_operator_ends(int64_t table, int64_t after_us);

/* ---- faults.c ---- */
int sim_faults_plan(uint64_t seed, bool quiet);
void sim_faults_begin(uint64_t mask);
void sim_faults_heal(void);
void sim_faults_print(uint64_t mask);

/* ---- plants.c: planted defects ---- */
enum sim_plant {
    SIM_PLANT_NONE,
#define PLANT(id, name, text) SIM_PLANT_##id,
#include "tests/simulate/plants.def"
#undef PLANT
    SIM_PLANTS_N
};
extern enum sim_plant sim_planted;
const char *sim_plant_name(enum sim_plant plant);
const char *sim_plant_text(enum sim_plant plant);

#endif
