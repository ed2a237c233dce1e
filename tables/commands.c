/* Queued commands and their replies; see commands.h. Hub thread. */
#include "tables/commands.h"

#include <stdlib.h>

#include "base/bug.h"
#include "tables/outbox.h"

/* ---- The queue ---- */
/* Commands rarely have to wait, so the queue is allocated only while there are any. */
static bool make_room(struct tab_table *table)
{
    if (!table->queue)
        table->queue = malloc(TAB_QUEUE_MAX * sizeof(*table->queue));
    return table->queue && table->queue_n < TAB_QUEUE_MAX;
}

/* When the queue is full, drops the newest command of the seat with the most commands in favor of a seat with
 * fewer, so that no player can keep the others from moving. false: no seat has enough more commands. */
static bool make_room_for(struct tab_table *table, uint8_t seat)
{
    uint8_t n[ENG_SEAT_MAX] = {0}, most = seat;
    if (table->queue_n < TAB_QUEUE_MAX)
        return false; /* out of memory */
    for (uint8_t i = 0; i < table->queue_n; i++)
        n[table->queue[(table->queue_head + i) % TAB_QUEUE_MAX].seat]++;
    for (uint8_t i = 0; i < table->seats_n; i++)
        most = n[i] > n[most] ? i : most;
    if (n[most] <= n[seat] + 1)
        return false;
    uint8_t at = table->queue_n;
    while (table->queue[(table->queue_head + --at) % TAB_QUEUE_MAX].seat != most)
        ;
    struct tab_command given_up = table->queue[(table->queue_head + at) % TAB_QUEUE_MAX];
    for (; at + 1 < table->queue_n; at++)
        table->queue[(table->queue_head + at) % TAB_QUEUE_MAX] =
            table->queue[(table->queue_head + at + 1) % TAB_QUEUE_MAX];
    table->queue_n--;
    tab_commands_refuse(table, &given_up, "busy");
    return true;
}

void tab_commands_put(struct tab_table *table, const struct tab_command *command)
{
    ASSERT(command->seat < table->seats_n);
    if (!make_room(table) && !make_room_for(table, command->seat)) {
        tab_commands_refuse(table, command, "busy");
        return;
    }
    table->queue[(table->queue_head + table->queue_n) % TAB_QUEUE_MAX] = *command;
    table->queue_n++;
}

void tab_commands_put_back(struct tab_table *table, const struct tab_command *command)
{
    if (!make_room(table)) {
        tab_commands_refuse(table, command, "busy");
        return;
    }
    table->queue_head = (uint8_t)((table->queue_head + TAB_QUEUE_MAX - 1) % TAB_QUEUE_MAX);
    table->queue[table->queue_head] = *command;
    table->queue_n++;
}

bool tab_commands_take(struct tab_table *table, struct tab_command *command)
{
    if (table->queue_n == 0)
        return false;
    *command = table->queue[table->queue_head];
    table->queue_head = (uint8_t)((table->queue_head + 1) % TAB_QUEUE_MAX);
    if (--table->queue_n == 0)
        tab_commands_free(table);
    return true;
}

void tab_commands_drop(struct tab_table *table, uint8_t seat)
{
    struct tab_command command;
    for (size_t n = table->queue_n; n > 0 && tab_commands_take(table, &command); n--)
        if (command.seat != seat)
            tab_commands_put(table, &command);
}

void tab_commands_free(struct tab_table *table)
{
    free(table->queue);
    table->queue = NULL;
    table->queue_head = table->queue_n = 0;
}

/* ---- Replies ---- */
bool tab_commands_replied(struct tab_table *table, const struct tab_command *command)
{
    struct tab_command_reply reply;
    if (!tab_command_replies_find(&table->seats[command->seat].replies, command->id, &reply))
        return false;
    ASSERT(reply.v <= table->sent_v && reply.code < ENG_REFUSAL_END);
    table->registry->counts.repeats++;
    if (reply.code == ENG_OK)
        tab_reply_ack(table, command->seat, command->id, reply.v);
    else
        tab_reply_nack(table, command->seat, command->id, (enum eng_refusal)reply.code, reply.cards,
                       reply.cards_n);
    return true;
}

void tab_commands_refuse(struct tab_table *table, const struct tab_command *command, const char *code)
{
    tab_reply_refused(table, command->seat, command->id, code);
}

void tab_commands_nack(struct tab_table *table, const struct tab_command *command,
                       const struct eng_outcome *outcome)
{
    ASSERT(outcome->code != ENG_OK);
    if (command->id[0] == '\0')
        return;
    tab_command_replies_nack(&table->seats[command->seat].replies, command->id, outcome);
    tab_reply_nack(table, command->seat, command->id, outcome->code, outcome->refused, outcome->refused_n);
}

/* Clears and returns the seat that waits for a reply; ENG_NO_SEAT: none, or the command has no id. */
static uint8_t take_waiting_seat(struct tab_table *table)
{
    uint8_t seat = table->reply_to;
    ASSERT(!table->writing && (seat < table->seats_n || seat == ENG_NO_SEAT));
    table->reply_to = ENG_NO_SEAT;
    return table->write.command_id[0] == '\0' ? ENG_NO_SEAT : seat;
}

void tab_commands_done(struct tab_table *table)
{
    uint8_t seat = take_waiting_seat(table);
    if (seat == ENG_NO_SEAT)
        return;
    const char *id = table->write.command_id;
    ASSERT(table->write.result == TAB_WRITTEN && table->sent_v == table->events.last_v);
    tab_command_replies_ack(&table->seats[seat].replies, id, table->events.last_v);
    tab_reply_ack(table, seat, id, table->events.last_v);
}

void tab_commands_not_done(struct tab_table *table, const char *code)
{
    uint8_t seat = take_waiting_seat(table);
    ASSERT(table->write.result == TAB_WRITE_REFUSED);
    if (seat != ENG_NO_SEAT)
        tab_reply_refused(table, seat, table->write.command_id, code);
}
