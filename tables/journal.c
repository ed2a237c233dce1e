/* Writes go to the journal and come back; see journal.h. Hub thread. */
#include "tables/journal.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"

void tab_journal_begin(struct tab_table *table, enum tab_write_kind kind)
{
    ASSERT(!table->writing);
    struct tab_write *write = &table->write;
    write->table = table;
    write->kind = kind;
    write->table_id = table->id;
    write->hand_no = kind == TAB_WRITE_DEAL || table->dealt_no == 0 ? table->hand_no : table->dealt_no;
    write->result = TAB_WRITE_FAILED;
    write->code[0] = write->why[0] = '\0';
    table->writing = true;
    table->registry->writing_n++;
    /* The queue has a place for each table's one write. */
    if (!table->registry->ports.write(table->registry->ports.ctx, write))
        BUG("the journal's queue is smaller than the number of tables");
}

void tab_journal_begin_cancel(struct tab_table *table, const char *reason)
{
    ASSERT(strlen(reason) < sizeof(table->write.reason));
    memcpy(table->write.reason, reason, strlen(reason) + 1);
    tab_journal_begin(table, TAB_WRITE_CANCEL);
}

void tab_journal_begin_command(struct tab_table *table, enum tab_write_kind kind,
                               const struct tab_command *command)
{
    struct tab_write *write = &table->write;
    write->seat = command->seat;
    write->player_id = table->seats[command->seat].person.player_id;
    write->seeds[command->seat] = command->seed;
    memcpy(write->command_id, command->id, sizeof(write->command_id));
    table->reply_to = command->seat;
    tab_journal_begin(table, kind);
}

void tab_journal_end(struct tab_table *table)
{
    ASSERT(table->writing && table->registry->writing_n > 0);
    table->writing = false;
    table->registry->writing_n--;
}

void tab_journal_free_record(struct tab_table *table)
{
    free(table->write.record);
    table->write.record = NULL;
}
