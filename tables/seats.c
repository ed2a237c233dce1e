/* Who sits and is connected at a table, and what goes out to them. Hub thread. */
#include "base/bug.h"
#include "tables/table_in.h"
#include "tables/wire.h"

void tab_send(struct tab_table *table, uint8_t seat, const struct buf *frame)
{
    ASSERT(!frame->full);
    tab_socket *socket = table->seats[seat].socket;
    if (socket)
        table->registry->ports.send(table->registry->ports.ctx, &socket, 1, frame->data, frame->len);
}

/* To everybody connected but `without` (ENG_NO_SEAT: nobody is left out). */
static void send_others(struct tab_table *table, const struct buf *frame, uint8_t without)
{
    ASSERT(!frame->full);
    tab_socket *sockets[ENG_SEAT_MAX];
    size_t n = 0;
    for (uint8_t i = 0; i < table->seats_n; i++)
        if (table->seats[i].socket && i != without)
            sockets[n++] = table->seats[i].socket;
    if (n > 0)
        table->registry->ports.send(table->registry->ports.ctx, sockets, n, frame->data, frame->len);
}

void tab_send_seats(struct tab_table *table, const struct buf *frame)
{
    send_others(table, frame, ENG_NO_SEAT);
}

void tab_send_all(struct tab_table *table, const struct buf *frame)
{
    tab_send_seats(table, frame);
    tab_spectators_send(table, frame);
}

bool tab_has_audience(const struct tab_table *table)
{
    for (uint8_t i = 0; i < table->seats_n; i++)
        if (table->seats[i].socket || table->seats[i].joining)
            return true;
    return tab_spectators_count(table) > 0;
}

void tab_close_seat(struct tab_table *table, uint8_t seat, int close_code)
{
    struct tab_seat *at = &table->seats[seat];
    tab_socket *sockets[] = {at->socket, at->joining};
    at->socket = at->joining = NULL;
    for (size_t i = 0; i < ARRAY_LEN(sockets); i++)
        if (sockets[i])
            table->registry->ports.close(table->registry->ports.ctx, sockets[i], close_code);
}

/* ---- Events ---- */
void tab_tell_clock(struct tab_table *table, uint8_t seat)
{
    if (eng_seat_to_move(&table->game) == ENG_NO_SEAT && eng_phase(&table->game) != ENG_TO_GROUP)
        return;
    char memory[256];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_clock(&frame, table, tab_now(table));
    if (seat == ENG_NO_SEAT && tab_spectators_is_live(table))
        tab_send_all(table, &frame);
    else if (seat == ENG_NO_SEAT)
        tab_send_seats(table, &frame);
    else
        tab_send(table, seat, &frame);
}

/* One event, encoded once for each distinct view of it. */
static void send_event(struct tab_table *table, uint32_t v, const struct eng_event *event)
{
    char memory[1024];
    uint8_t owner = event->private_to;
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_event(&frame, table, v, event, ENG_SPECTATOR);
    send_others(table, &frame, owner);
    tab_spectators_event(table, v, &frame);
    if (owner >= table->seats_n || !table->seats[owner].socket)
        return;
    frame = buf_on(memory, sizeof(memory));
    tab_wire_event(&frame, table, v, event, owner);
    tab_send(table, owner, &frame);
}

void tab_release_events(struct tab_table *table)
{
    bool watched = tab_has_audience(table);
    while (table->sent_v < table->events.last_v) {
        uint32_t v = ++table->sent_v;
        const struct eng_event *event = tab_events_at(&table->events, v);
        ASSERT(event != NULL); /* one move makes fewer events than the ring holds */
        if (tab_starts_clock(event)) {
            tab_time_bank_end(table, event->seat);
            table->turn_ms = tab_now(table) + tab_clock_ms(table);
            table->bot_ms = TAB_NEVER;
        }
        if (!watched)
            continue;
        send_event(table, v, event);
        if (tab_starts_clock(event))
            tab_tell_clock(table, ENG_NO_SEAT);
    }
    tab_spectators_released(table);
}

/* ---- Coming and going ---- */
void tab_tell_waiting(struct tab_table *table)
{
    char memory[TAB_FRAME_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_waiting(&frame, table, tab_now(table));
    tab_send_all(table, &frame);
}

void tab_tell_settled(struct tab_table *table, uint8_t seat)
{
    char memory[TAB_FRAME_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_settled(&frame, table, seat);
    tab_send(table, seat, &frame);
    tab_tell_fairness(table, seat);
}

void tab_tell_fairness(struct tab_table *table, uint8_t seat)
{
    char memory[2048];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_fairness(&frame, table);
    tab_send(table, seat, &frame);
}

void tab_tell_missed_moves(struct tab_table *table, uint8_t seat)
{
    char memory[1024];
    struct buf frame = buf_on(memory, sizeof(memory));
    struct tab_missed_moves *missed = &table->seats[seat].missed;
    if (missed->from_v == 0 || !table->seats[seat].socket)
        return;
    tab_wire_played_for_you(&frame, table, seat);
    tab_send(table, seat, &frame);
    *missed = (struct tab_missed_moves){0};
}

static void tell_presence(struct tab_table *table, uint8_t seat, bool on)
{
    char memory[128];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_presence(&frame, seat, on);
    send_others(table, &frame, seat);
    tab_spectators_send(table, &frame);
}

/* What a client needs that has everything up to `since`, or nothing (-1). */
static void send_missing(struct tab_table *table, uint8_t seat, int64_t since)
{
    char memory[TAB_FRAME_MAX];
    ASSERT(table->sent_v == table->events.last_v);
    /* Nobody can have seen a part of the deal: from nothing one starts with everything. */
    if (since > 0 && tab_events_hold_since(&table->events, since)) {
        for (uint32_t v = (uint32_t)since + 1; v <= table->sent_v; v++) {
            struct buf frame = buf_on(memory, sizeof(memory));
            tab_wire_event(&frame, table, v, tab_events_at(&table->events, v), seat);
            tab_send(table, seat, &frame);
        }
        if (since >= table->dealt_v || table->dealt_no <= 1)
            return;
    }
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_snapshot(&frame, table, seat, tab_now(table));
    tab_send(table, seat, &frame);
}

void tab_welcome(struct tab_table *table, uint8_t seat)
{
    if (!table->seats[seat].socket)
        return;
    send_missing(table, seat, -1);
    tab_tell_clock(table, seat);
}

static void send_presences(struct tab_table *table, uint8_t seat)
{
    for (uint8_t i = 0; i < table->seats_n; i++) {
        if (i == seat || table->seats[i].person.player_id == 0)
            continue;
        char memory[128];
        struct buf frame = buf_on(memory, sizeof(memory));
        tab_wire_presence(&frame, i, table->seats[i].socket != NULL);
        tab_send(table, seat, &frame);
    }
}

static void greet(struct tab_table *table, uint8_t seat)
{
    struct tab_seat *at = &table->seats[seat];
    at->socket = at->joining;
    at->joining = NULL;
    table->visited = true;
    if (table->state == TAB_WAITING) {
        tab_tell_waiting(table);
        tab_spectators_tell_seat(table, seat);
        return;
    }
    send_missing(table, seat, at->joining_since);
    send_presences(table, seat);
    tab_spectators_tell_seat(table, seat);
    tell_presence(table, seat, true);
    /* Who connects to their seat plays it again. */
    bool away = table->state == TAB_PLAYING && eng_seat_is_away(&table->game, seat);
    if (!away)
        tab_tell_missed_moves(table, seat);
    if (table->state == TAB_OVER) {
        tab_tell_settled(table, seat);
        tab_tell_rematch(table, seat);
        return;
    }
    if (tab_is_between_hands(table)) {
        tab_tell_fairness(table, seat);
        tab_tell_next_hand(table, seat);
    }
    tab_tell_clock(table, seat);
    if (away)
        tab_enqueue(table, &(struct tab_command){.kind = TAB_DO_RETURN, .seat = seat});
}

void tab_greet_joiners(struct tab_table *table)
{
    for (uint8_t i = 0; i < table->seats_n; i++)
        if (table->seats[i].joining)
            greet(table, i);
}

bool tab_has_left(const struct tab_table *table, uint8_t seat)
{
    struct eng_view view;
    eng_view(&table->game, ENG_SPECTATOR, &view);
    return view.left[seat];
}

void tab_join(struct tab_table *table, uint8_t seat, tab_socket *socket, int64_t since)
{
    ASSERT(seat < table->seats_n && socket != NULL);
    tab_close_seat(table, seat, TAB_CLOSE_REPLACED);
    table->seats[seat].joining = socket;
    table->seats[seat].joining_since = since;
    if (table->registry->outage) {
        char memory[64];
        struct buf frame = buf_on(memory, sizeof(memory));
        tab_wire_paused(&frame, true);
        table->registry->ports.send(table->registry->ports.ctx, &socket, 1, frame.data, frame.len);
    }
    tab_pump(table);
}

void tab_quit(struct tab_table *table, uint8_t seat, const tab_socket *socket)
{
    ASSERT(seat < table->seats_n);
    struct tab_seat *at = &table->seats[seat];
    if (at->joining == socket)
        at->joining = NULL;
    if (at->socket != socket)
        return;
    at->socket = NULL;
    at->line_bad = true;
    if (table->state == TAB_WAITING)
        tab_tell_waiting(table);
    else
        tell_presence(table, seat, false);
    if (!tab_has_audience(table) && table->bot_ms != TAB_NEVER)
        table->bot_ms = tab_now(table); /* nobody to think for */
    tab_pump(table);
}
