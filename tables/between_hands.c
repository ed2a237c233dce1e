/* Between two hands of a session: the next one is promised by its commitment, client seeds come in, and it is
 * dealt when all people are ready or the pause is over. Hub thread. */
#include <string.h>

#include "base/bug.h"
#include "tables/table_in.h"
#include "tables/wire.h"

bool tab_is_between_hands(const struct tab_table *table)
{
    return table->state == TAB_PLAYING && eng_phase(&table->game) == ENG_HAND_OVER;
}

void tab_between_hands_begin(struct tab_table *table)
{
    for (uint8_t i = 0; i < table->seats_n; i++)
        table->seats[i].person.seed = (struct eng_client_seed){0};
    table->ready = 0;
    table->bot_ms = TAB_NEVER;
    table->next_hand_ms = tab_now(table) + table->registry->limits.hand_pause_ms;
}

void tab_tell_next_hand(struct tab_table *table, uint8_t seat)
{
    char memory[512];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_next_hand(&frame, table, tab_now(table));
    if (seat == ENG_NO_SEAT)
        tab_send_all(table, &frame);
    else
        tab_send(table, seat, &frame);
}

/* Is there somebody to wait for, and has everybody said that they need not be? Nobody waits for a seat that a
 * bot plays, nor for one that is out for good. */
static bool everybody_ready(const struct tab_table *table)
{
    int people = 0;
    for (uint8_t i = 0; i < table->seats_n; i++) {
        struct eng_view view;
        if (table->seats[i].person.player_id == 0 || eng_seat_is_away(&table->game, i))
            continue;
        eng_view(&table->game, i, &view);
        if (eng_seat_is_out(&table->game, i) && !view.may_rejoin)
            continue;
        if (!(table->ready >> i & 1))
            return false;
        people++;
    }
    return people > 0;
}

static void run_ready(struct tab_table *table, const struct tab_command *command)
{
    uint8_t bit = (uint8_t)(1 << command->seat);
    bool was = (table->ready & bit) != 0;
    table->ready |= bit;
    tab_send_ack(table, command->seat, command->id, table->events.last_v);
    if (!was)
        tab_tell_next_hand(table, ENG_NO_SEAT);
}

void tab_between_hands_run(struct tab_table *table, const struct tab_command *command)
{
    ASSERT(tab_is_between_hands(table));
    if (command->kind == TAB_DO_READY) {
        run_ready(table, command);
        return;
    }
    struct tab_write *write = &table->write;
    write->seat = command->seat;
    write->player_id = table->seats[command->seat].person.player_id;
    write->seeds[command->seat] = command->seed;
    memcpy(write->command_id, command->id, sizeof(write->command_id));
    table->reply_to = command->seat;
    tab_begin_write(table, TAB_WRITE_SEED);
}

bool tab_between_hands_drive(struct tab_table *table)
{
    if (tab_now(table) < table->next_hand_ms && !everybody_ready(table))
        return false;
    if (tab_rejoin_bots(table))
        return true;
    if (!eng_may_deal(&table->game)) { /* nobody has re-joined the one who is still in */
        const struct eng_move close = {.type = ENG_CLOSE, .meld = ENG_NO_MELD};
        if (!tab_make_move(table, &close))
            BUG("a pool of one cannot be ended");
        return true;
    }
    struct tab_write *write = &table->write;
    write->seats_n = table->seats_n;
    for (uint8_t i = 0; i < table->seats_n; i++)
        write->seeds[i] = table->seats[i].person.seed;
    tab_begin_write(table, TAB_WRITE_DEAL);
    return true;
}

void tab_after_deal(struct tab_table *table)
{
    table->hand_unix_ms = table->registry->ports.unix_ms(table->registry->ports.ctx);
    table->next_hand_ms = TAB_NEVER;
    if (!tab_deal(table))
        BUG("the next hand cannot be dealt");
    table->turn_ms = tab_now(table) + table->params.turn_s * 1000;
    tab_release_events(table);
    /* The whole table once more: for those who follow hands by their beginning. */
    for (uint8_t i = 0; i < table->seats_n; i++)
        tab_welcome(table, i);
    tab_spectators_welcome(table);
}
