/* The phases of a table. Each file defines one phase as a struct of functions that only table.c calls; a
 * phase never calls another phase. Phases send through outbox.h and store through journal.h. Hub thread. */
#ifndef RUMMYD_TABLES_PHASE_H
#define RUMMYD_TABLES_PHASE_H

#include "tables/spectators.h"
#include "tables/table.h"

struct tab_phase {
    /* Does what is due without a command: a bot's move, a timeout, a start. true: a write is now pending. */
    bool (*drive)(struct tab_table *table);
    /* When drive has to be called, monotonic ms; TAB_NEVER: only after an event. */
    int64_t (*due)(const struct tab_table *table);
    /* Executes or refuses a command. Never called for TAB_DO_LEGAL. */
    void (*run)(struct tab_table *table, const struct tab_command *command);
    /* Called when a write has completed, on the table's phase after the write. Only writes that may be
     * refused have a result other than TAB_WRITTEN. */
    void (*written)(struct tab_table *table);
    /* Called when a seat has connected. */
    void (*greet)(struct tab_table *table, uint8_t seat);
    /* Called when a spectator has connected. */
    tab_spectators_greet *greet_spectator;
    /* Called after an outage, when deadlines have been postponed: sends all clients the deadlines visible
     * to them. */
    void (*resume)(struct tab_table *table);
};

extern const struct tab_phase tab_phase_waiting, tab_phase_play, tab_phase_grouping, tab_phase_between_hands,
    tab_phase_over, tab_phase_lost;

#endif
