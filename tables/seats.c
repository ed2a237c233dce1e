/* Seats and their sockets; see seats.h. Hub thread. */
#include "tables/seats.h"

#include "base/bug.h"
#include "tables/commands.h"
#include "tables/journal.h"
#include "tables/outbox.h"
#include "tables/state.h"

/* ---- Connecting and leaving ---- */
void tab_seats_put(struct tab_table *table, uint8_t seat, const struct tab_person *person, bool taken)
{
    table->seats[seat].person = *person;
    table->seats[seat].taken = taken;
    if (person->bot)
        table->bots |= (uint8_t)(1u << seat);
    else
        table->bots = (uint8_t)(table->bots & ~(1u << seat));
}

void tab_seats_clear(struct tab_table *table, uint8_t seat)
{
    ASSERT(!table->sockets[seat] && !table->seats[seat].joining);
    tab_commands_drop(table, seat);
    tab_command_replies_free(&table->seats[seat].replies);
    table->seats[seat] = (struct tab_seat){0};
    table->line_bad = (uint8_t)(table->line_bad & ~(1u << seat));
    table->missed = (uint8_t)(table->missed & ~(1u << seat));
    table->ready = (uint8_t)(table->ready & ~(1u << seat));
    table->bots = (uint8_t)(table->bots & ~(1u << seat));
}

void tab_seats_close(struct tab_table *table, uint8_t seat, int close_code)
{
    ASSERT(seat < table->seats_n && close_code >= 1000 && close_code < 5000);
    const struct tab_ports *ports = &table->registry->ports;
    struct tab_seat *at = &table->seats[seat];
    tab_socket *sockets[] = {table->sockets[seat], at->joining};
    table->sockets[seat] = at->joining = NULL;
    table->joining = (uint8_t)(table->joining & ~(1u << seat));
    for (size_t i = 0; i < ARRAY_LEN(sockets); i++)
        if (sockets[i])
            ports->close(ports->ctx, sockets[i], close_code);
}

void tab_seats_connect(struct tab_table *table, uint8_t seat, tab_socket *socket, int64_t since)
{
    ASSERT(seat < table->seats_n && socket != NULL);
    ASSERT(table->sockets[seat] != socket && table->seats[seat].joining != socket);
    tab_seats_close(table, seat, WIRE_CLOSE_REPLACED);
    table->seats[seat].joining = socket;
    table->joining |= (uint8_t)(1u << seat);
    table->seats[seat].joining_since = since;
}

void tab_seats_admit(struct tab_table *table, uint8_t seat)
{
    struct tab_seat *at = &table->seats[seat];
    ASSERT(at->joining != NULL);
    table->sockets[seat] = at->joining;
    at->joining = NULL;
    table->joining = (uint8_t)(table->joining & ~(1u << seat));
    table->visited = true;
}

bool tab_seats_disconnect(struct tab_table *table, uint8_t seat, const tab_socket *socket)
{
    ASSERT(seat < table->seats_n && socket != NULL);
    struct tab_seat *at = &table->seats[seat];
    if (at->joining == socket) {
        at->joining = NULL;
        table->joining = (uint8_t)(table->joining & ~(1u << seat));
    }
    if (table->sockets[seat] != socket)
        return false;
    table->sockets[seat] = NULL;
    table->line_bad |= (uint8_t)(1u << seat);
    if (table->state == TAB_WAITING)
        tab_send_waiting(table, tab_to_all(table));
    else
        tab_send_presence(table, tab_to_without(tab_to_all(table), seat), seat);
    return true;
}

bool tab_has_left(const struct tab_table *table, uint8_t seat)
{
    struct eng_view view;
    ASSERT(seat < table->seats_n);
    if (table->state == TAB_LOST) /* there may be no valid game */
        return false;
    eng_view(&table->game, ENG_SPECTATOR, &view);
    return view.left[seat];
}

/* ---- What a seat receives first ---- */
/* Sends what a client is missing that has everything up to `since`, or nothing (-1). */
static void send_missing(struct tab_table *table, uint8_t seat, int64_t since)
{
    struct tab_to to = tab_to_seat(seat);
    ASSERT(table->sent_v == table->events.last_v && table->state != TAB_WAITING);
    /* Clients never receive part of a deal, so a client that has nothing gets everything. */
    if (since > 0 && tab_events_hold_since(&table->events, since)) {
        tab_send_events_again(table, to, (uint32_t)since, table->sent_v, seat);
        if (since >= table->dealt_v || table->dealt_no <= 1)
            return;
    }
    tab_send_snapshot(table, to, seat);
}

void tab_seats_welcome_all(struct tab_table *table)
{
    for (uint8_t i = 0; i < table->seats_n; i++) {
        if (!table->sockets[i])
            continue;
        send_missing(table, i, -1);
        tab_send_clock(table, tab_to_seat(i));
    }
    tab_spectators_welcome(table);
}

void tab_seats_greet(struct tab_table *table, uint8_t seat)
{
    struct tab_to to = tab_to_seat(seat);
    ASSERT(table->sockets[seat] != NULL && table->seats[seat].joining == NULL);
    send_missing(table, seat, table->seats[seat].joining_since);
    for (uint8_t i = 0; i < table->seats_n; i++)
        if (i != seat && table->seats[i].person.player_id != 0)
            tab_send_presence(table, to, i);
    tab_spectators_send_count(table, seat);
    tab_send_presence(table, tab_to_without(tab_to_all(table), seat), seat);
}

/* ---- Seeds ---- */
void tab_seats_take_seed(struct tab_table *table, const struct tab_command *command)
{
    ASSERT(command->kind == TAB_DO_SEED && command->seat < table->seats_n);
    if (tab_deal_is_shared(&table->deal))
        tab_commands_refuse(table, command, "seed_is_given");
    else
        tab_journal_begin_command(table, TAB_WRITE_SEED, command);
}

void tab_seats_seeded(struct tab_table *table)
{
    const struct tab_write *write = &table->write;
    ASSERT(write->kind == TAB_WRITE_SEED && write->seat < table->seats_n);
    ASSERT(write->more->seeds[write->seat].len <= ENG_CLIENT_SEED_MAX);
    if (write->result == TAB_WRITE_REFUSED) {
        tab_commands_not_done(table, write->code);
        return;
    }
    table->seats[write->seat].person.seed = write->more->seeds[write->seat];
    tab_commands_done(table);
}
