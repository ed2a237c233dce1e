/* Commands of seats: the queue in which they wait for the table, and their replies. A command id has one
 * reply, told again when the id comes again. Hub thread. */
#ifndef RUMMYD_TABLES_COMMANDS_H
#define RUMMYD_TABLES_COMMANDS_H

#include "tables/table.h"

/* At the end of the queue. It is copied. When the queue is full, or memory is short, it is refused as `busy`.
 */
void tab_commands_put(struct tab_table *table, const struct tab_command *command);
/* The one taken last comes first again. Refused as above. */
void tab_commands_put_back(struct tab_table *table, const struct tab_command *command);
/* Takes the first out. false: there is none. */
bool tab_commands_take(struct tab_table *table, struct tab_command *command);
/* Forgets those of a seat whose player has gone: they are nobody's, and not those of whoever sits there next.
 */
void tab_commands_drop(struct tab_table *table, uint8_t seat);
/* Forgets those that wait. */
void tab_commands_free(struct tab_table *table);

/* The command's id had its reply: it is told again. false: the id is new, or empty. */
bool tab_commands_replied(struct tab_table *table, const struct tab_command *command);
/* A refusal of the table, not of the rules. It is not remembered: the same command may be sent again, and be
 * carried out, once its cause has passed. */
void tab_commands_refuse(struct tab_table *table, const struct tab_command *command, const char *code);
/* A refusal of the rules, which is remembered. The table's own commands have no id and get no reply. */
void tab_commands_nack(struct tab_table *table, const struct tab_command *command,
                       const struct eng_outcome *outcome);
/* The reply to the command that waits for the write that came back, if one does: it was carried out. */
void tab_commands_done(struct tab_table *table);
/* The same, but the journal refused it. */
void tab_commands_not_done(struct tab_table *table, const char *code);

#endif
