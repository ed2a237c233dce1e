/* Commands of seats: the queue in which they wait for the table, and their replies. Each command id has one
 * reply; a repeated id gets the same reply. Hub thread. */
#ifndef RUMMYD_TABLES_COMMANDS_H
#define RUMMYD_TABLES_COMMANDS_H

#include "tables/table.h"

/* Appends a copy to the queue. If the queue is full or memory is exhausted, the command is refused as
 * `busy`. */
void tab_commands_put(struct tab_table *table, const struct tab_command *command);
/* Puts the command taken last back at the front of the queue; may refuse it as above. */
void tab_commands_put_back(struct tab_table *table, const struct tab_command *command);
/* Removes the first command. false: the queue is empty. */
bool tab_commands_take(struct tab_table *table, struct tab_command *command);
/* Drops the commands of a seat whose player has left, so that the seat's next player does not inherit
 * them. */
void tab_commands_drop(struct tab_table *table, uint8_t seat);
/* Drops all queued commands. */
void tab_commands_free(struct tab_table *table);

/* If the command's id already had a reply, sends that reply again. false: the id is new, or empty. */
bool tab_commands_replied(struct tab_table *table, const struct tab_command *command);
/* Refuses a command on behalf of the table, not of the rules. The refusal is not remembered, so the client
 * can retry the same command later. */
void tab_commands_refuse(struct tab_table *table, const struct tab_command *command, const char *code);
/* Refuses a command because of the rules; this is remembered. The table's own commands have no id and get
 * no reply. */
void tab_commands_nack(struct tab_table *table, const struct tab_command *command,
                       const struct eng_outcome *outcome);
/* Acknowledges the command that waited for the committed write, if any. */
void tab_commands_done(struct tab_table *table);
/* Refuses the waiting command if the journal refused the write. */
void tab_commands_not_done(struct tab_table *table, const char *code);

#endif
