/* Faults in the world: a list determined by the seed, each with its time, its victim, and its duration, so
 * that a failure can be reproduced with fewer of them. See sim.h. */
#include <stdio.h>

#include "base/bug.h"
#include "tests/simulate/store.h"

enum kind {
    KILL,
    FREEZE,
    CUT_DB,
    CUT_PLAYERS,
    CUT_BOTH,
    BREAK_DB,
    FAIL_OVER,
    DISK_FULL,
    SLOW_DB,
    WALL_JUMP,
    LINE_BREAKS,
    STOP,
    PASS,
    BUS_AWAY,
    KINDS_N
};

static const char *const names[KINDS_N] = {
    [KILL] = "a process is killed",
    [FREEZE] = "a process is frozen",
    [CUT_DB] = "a node is cut from PostgreSQL",
    [CUT_PLAYERS] = "a node is cut from the players",
    [CUT_BOTH] = "a node is cut from all",
    [BREAK_DB] = "connections to PostgreSQL break",
    [FAIL_OVER] = "PostgreSQL fails over",
    [DISK_FULL] = "the disk is full",
    [SLOW_DB] = "PostgreSQL is slow",
    [WALL_JUMP] = "a wall clock jumps",
    [LINE_BREAKS] = "a player's line breaks",
    [STOP] = "a process is asked to stop",
    [PASS] = "tables are handed over",
    [BUS_AWAY] = "the bus is away",
};

enum moment { THEN, AT_MOVES, AT_OTHERS }; /* at the given time, or with the first commit after it */

struct fault {
    enum kind kind;
    enum moment moment;
    int node;
    int64_t at_us, us, number;
};

static struct fault faults[SIM_FAULTS_MAX];
static int faults_n;
static bool healed;

/* How long each kind of fault lasts, and how often it is chosen; important kinds are chosen more often. */
static const struct {
    int weight;
    int64_t ms_min, ms_max;
} odds[KINDS_N] = {
    [KILL] = {20, 0, 0},
    [FREEZE] = {14, 100, 12000},
    [CUT_DB] = {10, 200, 25000},
    [CUT_PLAYERS] = {6, 200, 15000},
    [CUT_BOTH] = {6, 200, 25000},
    [BREAK_DB] = {16, 0, 0},
    [FAIL_OVER] = {10, 100, 15000},
    [DISK_FULL] = {4, 500, 10000},
    [SLOW_DB] = {8, 1000, 20000},
    [WALL_JUMP] = {3, 1000, 60000},
    [LINE_BREAKS] = {16, 0, 0},
    [STOP] = {14, 0, 0},
    [PASS] = {16, 0, 0},
    [BUS_AWAY] = {8, 1000, 60000},
};

static enum kind kind_of(struct sim_dice *dice)
{
    int sum = 0, kind = 0;
    for (int i = 0; i < KINDS_N; i++)
        sum += odds[i].weight;
    int64_t pick = sim_between(dice, 0, sum - 1);
    while (pick >= odds[kind].weight)
        pick -= odds[kind++].weight;
    return (enum kind)kind;
}

int sim_faults_plan(uint64_t seed, bool quiet)
{
    struct sim_dice dice = sim_dice_of(seed, 11);
    int64_t n = quiet ? 0 : sim_between(&dice, 1, 16), within = sim_between(&dice, 20, 240) * SIM_S;
    faults_n = 0;
    for (int64_t i = 0; i < n; i++) {
        enum kind kind = kind_of(&dice);
        struct fault *fault = &faults[faults_n++];
        *fault = (struct fault){.kind = kind,
                                .node = (int)sim_between(&dice, 0, SIM_NODES_MAX - 1),
                                .at_us = 2 * SIM_S + sim_between(&dice, 0, within),
                                .us = sim_between(&dice, odds[kind].ms_min, odds[kind].ms_max) * SIM_MS,
                                .number = sim_between(&dice, -3600000, 3600000)};
        bool doubt = kind == KILL || kind == BREAK_DB || kind == FAIL_OVER || kind == CUT_DB;
        fault->moment = (enum moment)sim_between(&dice, THEN, doubt ? AT_OTHERS : THEN);
    }
    return faults_n;
}

static void fault_ends(void *arg, int64_t number)
{
    const struct fault *fault = arg;
    struct sim_node *node = sim_node(fault->node % sim_nodes_n());
    (void)number;
    if (healed)
        return;
    sim_fault_us = sim_now;
    sim_trace("-- over: %s (%s)", names[fault->kind], sim_node_name(node));
    if (fault->kind == CUT_DB || fault->kind == CUT_BOTH)
        db_cut_node(node, false);
    if (fault->kind == CUT_PLAYERS || fault->kind == CUT_BOTH)
        sim_net_cut(node, false);
    if (fault->kind == FAIL_OVER)
        db_down(false);
    if (fault->kind == DISK_FULL)
        store_disk_full = false;
    if (fault->kind == SLOW_DB)
        store_slow_us = 0;
    if (fault->kind == WALL_JUMP)
        sim_node_wall_off(node, 0);
    if (fault->kind == BUS_AWAY)
        sim_bus_away(false);
}

static void fault_begins(void *arg, int64_t number)
{
    struct fault *fault = arg;
    struct sim_node *node = sim_node(fault->node % sim_nodes_n());
    struct sim_dice dice = sim_dice_of(sim_seed, 100 + (uint64_t)number);
    sim_fault_us = sim_now;
    sim_trace("-- %s (%s)", names[fault->kind], sim_node_name(node));
    if (fault->kind == KILL)
        sim_node_kill(node, "killed");
    if (fault->kind == FREEZE)
        sim_node_freeze(node, fault->us);
    if (fault->kind == CUT_DB || fault->kind == CUT_BOTH)
        db_cut_node(node, true);
    if (fault->kind == CUT_PLAYERS || fault->kind == CUT_BOTH)
        sim_net_cut(node, true);
    if (fault->kind == BREAK_DB)
        db_break_node(sim_node_index(node), "broken");
    if (fault->kind == FAIL_OVER)
        db_down(true);
    if (fault->kind == DISK_FULL)
        store_disk_full = true;
    if (fault->kind == SLOW_DB)
        store_slow_us = 1 + fault->us / 10;
    if (fault->kind == WALL_JUMP)
        sim_node_wall_off(node, fault->number);
    if (fault->kind == BUS_AWAY)
        sim_bus_away(true);
    if (fault->kind == STOP)
        sim_node_stop(node);
    if (fault->kind == PASS)
        sim_node_hand_over(node, 1 + (fault->number & 3));
    if (fault->kind == LINE_BREAKS)
        sim_net_break_one(&dice);
    if (fault->us > 0)
        sim_after(fault->us, NULL, fault_ends, fault, 0);
}

static void fault_waits(void *arg, int64_t number)
{
    const struct fault *fault = arg;
    if (!healed)
        db_at_commit(fault->moment == AT_MOVES, fault_begins, arg, number);
}

void sim_faults_begin(uint64_t mask)
{
    for (int i = 0; i < faults_n; i++)
        if (mask >> i & 1)
            sim_at(faults[i].at_us, NULL, faults[i].moment == THEN ? fault_begins : fault_waits, &faults[i],
                   i);
}

void sim_faults_heal(void)
{
    healed = true;
    db_at_commit(false, NULL, NULL, 0);
    sim_fault_us = sim_now;
    store_disk_full = false;
    store_slow_us = 0;
    db_down(false);
    sim_bus_away(false);
    for (int i = 0; i < sim_nodes_n(); i++) {
        db_cut_node(sim_node(i), false);
        sim_net_cut(sim_node(i), false);
        sim_node_wall_off(sim_node(i), 0);
    }
}

void sim_faults_print(uint64_t mask)
{
    for (int i = 0; i < faults_n; i++)
        if (mask >> i & 1)
            printf("  %8.3f s%s  n%d  %s for %.3f s\n", (double)faults[i].at_us / (double)SIM_S,
                   faults[i].moment == THEN ? "" : " and a commit", faults[i].node + 1, names[faults[i].kind],
                   (double)faults[i].us / (double)SIM_S);
}
