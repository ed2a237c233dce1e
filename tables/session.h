/* What the phases of a session share while cards are played: a turn, the grouping, between two hands. Hub
 * thread. */
#ifndef RUMMYD_TABLES_SESSION_H
#define RUMMYD_TABLES_SESSION_H

#include "tables/table.h"

/* Moves, leaving and coming back. A command of another kind is refused. */
void tab_session_run(struct tab_table *table, const struct tab_command *command);
/* A seat has connected. Who connects to their seat plays it again. */
void tab_session_greet(struct tab_table *table, uint8_t seat);
/* A spectator has come to a hand that is played. */
void tab_session_greet_spectator(struct tab_table *table, tab_socket *const *socket, int64_t since);
/* An outage is over: the clock goes on. */
void tab_session_resume(struct tab_table *table);

#endif
