/* The phases of a table. Each is a file that offers one struct of functions, which table.c alone calls; a
 * phase calls no other phase. It says what it has to say through outbox.h, and hands what must last to
 * journal.h. Hub thread. */
#ifndef RUMMYD_TABLES_PHASE_H
#define RUMMYD_TABLES_PHASE_H

#include "tables/spectators.h"
#include "tables/table.h"

struct tab_phase {
    /* Does what is due of itself: a bot's move, a time-out, a start. true: a write is on its way now. */
    bool (*drive)(struct tab_table *table);
    /* When drive has something to do, monotonic ms; TAB_NEVER: nothing by itself. */
    int64_t (*due)(const struct tab_table *table);
    /* Carries out a command, or refuses it. Not of the kind TAB_DO_LEGAL. */
    void (*run)(struct tab_table *table, const struct tab_command *command);
    /* A write is back, and this is the phase the table is in after it. Only what may be refused has a result
     * other than TAB_WRITTEN. */
    void (*written)(struct tab_table *table);
    /* A seat has connected. */
    void (*greet)(struct tab_table *table, uint8_t seat);
    /* A spectator has come. */
    tab_spectators_greet *greet_spectator;
    /* An outage is over, and the deadlines are put off: everybody is told of those that they see. */
    void (*resume)(struct tab_table *table);
};

extern const struct tab_phase tab_phase_waiting, tab_phase_play, tab_phase_grouping, tab_phase_between_hands,
    tab_phase_over, tab_phase_lost;

#endif
