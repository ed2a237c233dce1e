/* Code shared by the phases of a session while cards are in play: turn, grouping, between hands. Hub
 * thread. */
#ifndef RUMMYD_TABLES_SESSION_H
#define RUMMYD_TABLES_SESSION_H

#include "tables/table.h"

/* Executes moves, leaving, and returning. Refuses commands of other kinds. */
void tab_session_run(struct tab_table *table, const struct tab_command *command);
/* Called when a seat has connected. A player who connects takes the seat back from the bot. */
void tab_session_greet(struct tab_table *table, uint8_t seat);
/* Called when a spectator has connected to a running hand. */
void tab_session_greet_spectator(struct tab_table *table, tab_socket *const *socket, int64_t since);
/* Resumes the clock after an outage. */
void tab_session_resume(struct tab_table *table);

#endif
