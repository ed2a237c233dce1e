/* The phases of a table. Each file defines one phase as a struct of functions that only table.c calls; a
 * phase never calls another phase. It sends through outbox.h and stores through journal.h. Hub thread. */
#ifndef RUMMYD_TABLES_PHASE_H
#define RUMMYD_TABLES_PHASE_H

#include "tables/spectators.h"
#include "tables/table.h"

struct tab_phase {
    /* Does what is due without a command: a bot's move, a timeout, a start. true: a write is now pending. */
    bool (*drive)(struct tab_table *table);
    /* When drive has something to do, monotonic ms; TAB_NEVER: not without an event. */
    int64_t (*due)(const struct tab_table *table);
    /* Carries out a command or refuses it. Never called for TAB_DO_LEGAL. */
    void (*run)(struct tab_table *table, const struct tab_command *command);
    /* A write has completed, and this is the table's phase after it. Only writes that may be refused have a
     * result other than TAB_WRITTEN. */
    void (*written)(struct tab_table *table);
    /* A seat has connected. */
    void (*greet)(struct tab_table *table, uint8_t seat);
    /* A spectator has connected. */
    tab_spectators_greet *greet_spectator;
    /* An outage is over and the deadlines are postponed: sends all clients the deadlines that they can
     * see. */
    void (*resume)(struct tab_table *table);
};

extern const struct tab_phase tab_phase_waiting, tab_phase_play, tab_phase_grouping, tab_phase_between_hands,
    tab_phase_over, tab_phase_lost;

#endif
