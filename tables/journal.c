/* Passes writes to the journal and receives the results; see journal.h. Hub thread. */
#include "tables/journal.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"

void tab_journal_begin(struct tab_table *table, enum tab_write_kind kind)
{
    ASSERT(!table->writing && (kind == TAB_WRITE_MOVE) == (table->write.more == NULL));
    struct tab_write *write = &table->write;
    write->table = table;
    write->kind = kind;
    write->table_id = table->id;
    write->hand_no = kind == TAB_WRITE_DEAL || table->dealt_no == 0 ? table->hand_no : table->dealt_no;
    ASSERT(write->hand_no <= table->hand_no);
    write->result = TAB_WRITE_FAILED;
    write->code[0] = '\0';
    table->writing = true;
    table->registry->writing_n++;
    ASSERT(table->registry->writing_n <= table->registry->tables_n);
    /* The queue has capacity for one write per table. */
    if (!table->registry->ports.write(table->registry->ports.ctx, write))
        BUG("the journal's queue is smaller than the number of tables");
}

struct tab_write_more *tab_journal_more(struct tab_table *table)
{
    ASSERT(!table->writing);
    if (!table->write.more)
        table->write.more = calloc(1, sizeof(*table->write.more));
    if (!table->write.more)
        BUG("out of memory");
    return table->write.more;
}

void tab_journal_begin_cancel(struct tab_table *table, const char *reason)
{
    struct tab_write_more *more = tab_journal_more(table);
    ASSERT(strlen(reason) < sizeof(more->reason));
    memcpy(more->reason, reason, strlen(reason) + 1);
    tab_journal_begin(table, TAB_WRITE_CANCEL);
}

void tab_journal_begin_command(struct tab_table *table, enum tab_write_kind kind,
                               const struct tab_command *command)
{
    ASSERT(kind == TAB_WRITE_SEED || kind == TAB_WRITE_LEAVE);
    ASSERT(command->seat < table->seats_n && table->reply_to == ENG_NO_SEAT);
    struct tab_write *write = &table->write;
    struct tab_write_more *more = tab_journal_more(table);
    write->seat = command->seat;
    more->player_id = table->seats[command->seat].person.player_id;
    more->seeds[command->seat] = command->seed;
    memcpy(write->command_id, command->id, sizeof(write->command_id));
    table->reply_to = command->seat;
    tab_journal_begin(table, kind);
}

void tab_journal_end(struct tab_table *table)
{
    ASSERT(table->writing && table->registry->writing_n > 0);
    ASSERT(table->write.table == table && table->write.table_id == table->id);
    table->writing = false;
    table->registry->writing_n--;
}

void tab_journal_free_record(struct tab_table *table)
{
    free(table->write.more->record);
    table->write.more->record = NULL;
}

void tab_journal_free_more(struct tab_table *table)
{
    if (!table->write.more)
        return;
    tab_journal_free_record(table);
    free(table->write.more);
    table->write.more = NULL;
}
