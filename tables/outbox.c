/* Frames to seats and spectators; see outbox.h. Hub thread. */
#include "tables/outbox.h"

#include "base/bug.h"
#include "tables/state.h"
#include "tables/wire.h"
#include "wire/game.h"

/* Buffer sizes for frames that are known to be small. */
enum { SMALL_MAX = 256, EVENT_MAX = 1024, SEEDS_MAX = 2048 };

/* ---- Recipients ---- */
struct tab_to tab_to_seat(uint8_t seat)
{
    ASSERT(seat < ENG_SEAT_MAX);
    return (struct tab_to){.seats = (uint8_t)(1u << seat)};
}

struct tab_to tab_to_seats(void)
{
    return (struct tab_to){.seats = UINT8_MAX};
}

struct tab_to tab_to_spectators(const struct tab_table *table)
{
    const struct tab_spectators *spectators = table->spectators;
    return spectators ? (struct tab_to){.others = spectators->sockets, .others_n = spectators->n}
                      : (struct tab_to){0};
}

struct tab_to tab_to_socket(tab_socket *const *socket)
{
    ASSERT(*socket != NULL);
    return (struct tab_to){.others = socket, .others_n = 1};
}

struct tab_to tab_to_all(const struct tab_table *table)
{
    struct tab_to to = tab_to_spectators(table);
    to.seats = UINT8_MAX;
    return to;
}

struct tab_to tab_to_live(const struct tab_table *table)
{
    return tab_spectators_are_live(table) ? tab_to_all(table) : tab_to_seats();
}

struct tab_to tab_to_without(struct tab_to to, uint8_t seat)
{
    if (seat < ENG_SEAT_MAX)
        to.seats = (uint8_t)(to.seats & ~(1u << seat));
    return to;
}

void tab_send(struct tab_table *table, struct tab_to to, const struct buf *frame)
{
    ASSERT(!frame->full && frame->len >= 2 && frame->len <= TAB_FRAME_MAX);
    ASSERT(frame->data[0] == '{' && frame->data[frame->len - 1] == '}'); /* one complete object */
    const struct tab_ports *ports = &table->registry->ports;
    tab_socket *sockets[ENG_SEAT_MAX];
    size_t n = 0;
    for (uint8_t i = 0; i < table->seats_n; i++)
        if (table->sockets[i] && (to.seats >> i & 1))
            sockets[n++] = table->sockets[i];
    if (n > 0)
        ports->send(ports->ctx, sockets, n, frame->data, frame->len);
    if (to.others_n > 0)
        ports->send(ports->ctx, to.others, to.others_n, frame->data, frame->len);
}

bool tab_has_audience(const struct tab_table *table)
{
    for (uint8_t i = 0; i < table->seats_n; i++)
        if (table->sockets[i])
            return true;
    return table->joining != 0 || tab_spectators_count(table) > 0;
}

/* ---- The game ---- */
/* A seat's private view may only be sent to that seat. */
static bool is_for(struct tab_to to, uint8_t viewer)
{
    return viewer == ENG_SPECTATOR || (to.seats == 1u << viewer && to.others_n == 0);
}

void tab_send_snapshot(struct tab_table *table, struct tab_to to, uint8_t viewer)
{
    char memory[TAB_FRAME_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    ASSERT(is_for(to, viewer) && eng_version(&table->game) <= table->sent_v); /* all of it is committed */
    tab_wire_snapshot(&frame, table, viewer, tab_now(table));
    tab_send(table, to, &frame);
}

static void send_event(struct tab_table *table, struct tab_to to, uint32_t v, const struct eng_event *event,
                       uint8_t viewer)
{
    char memory[EVENT_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    ASSERT(is_for(to, viewer) && v > 0 && v <= table->sent_v);
    wire_event(&frame, &table->game, v, event, viewer);
    tab_send(table, to, &frame);
}

void tab_send_event(struct tab_table *table, uint32_t v, const struct eng_event *event)
{
    uint8_t owner = event->private_to;
    ASSERT(!table->writing && (owner < table->seats_n || owner == ENG_NO_SEAT));
    send_event(table, tab_to_without(tab_to_live(table), owner), v, event, ENG_SPECTATOR);
    if (owner < table->seats_n && table->sockets[owner])
        send_event(table, tab_to_seat(owner), v, event, owner);
}

void tab_send_events_again(struct tab_table *table, struct tab_to to, uint32_t since, uint32_t upto,
                           uint8_t viewer)
{
    struct tab_events_at at = tab_events_since(&table->events, since);
    struct eng_event event;
    while (at.v < upto && tab_events_next(&at, &event))
        send_event(table, to, at.v, &event, viewer);
}

static void send_waiting_for(struct tab_table *table, struct tab_to to)
{
    char memory[SMALL_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_waiting_for(&frame, table, tab_now(table));
    tab_send(table, to, &frame);
}

void tab_send_clock(struct tab_table *table, struct tab_to to)
{
    if (table->wait_ms != TAB_NEVER) {
        send_waiting_for(table, to);
        return;
    }
    if (eng_seat_to_move(&table->game) == ENG_NO_SEAT && eng_phase(&table->game) != ENG_TO_GROUP)
        return;
    char memory[SMALL_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_clock(&frame, table, tab_now(table));
    tab_send(table, to, &frame);
}

/* ---- States ---- */
void tab_send_waiting(struct tab_table *table, struct tab_to to)
{
    char memory[TAB_FRAME_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_waiting(&frame, table, tab_now(table));
    tab_send(table, to, &frame);
}

void tab_send_presence(struct tab_table *table, struct tab_to to, uint8_t seat)
{
    char memory[SMALL_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_presence(&frame, seat, table->sockets[seat] != NULL);
    tab_send(table, to, &frame);
}

void tab_send_spectators(struct tab_table *table, struct tab_to to, size_t n)
{
    char memory[SMALL_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    ASSERT(n <= TAB_SPECTATORS_MAX);
    tab_wire_watchers(&frame, n);
    tab_send(table, to, &frame);
}

void tab_send_fairness(struct tab_table *table, struct tab_to to)
{
    char memory[SEEDS_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    if (tab_deal_is_shared(&table->deal))
        return; /* other tables have yet to play it */
    tab_wire_fairness(&frame, table);
    tab_send(table, to, &frame);
}

void tab_send_next_hand(struct tab_table *table, struct tab_to to)
{
    char memory[2 * SMALL_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_next_hand(&frame, table, tab_now(table));
    tab_send(table, to, &frame);
}

void tab_send_settled(struct tab_table *table, struct tab_to to, uint8_t viewer)
{
    char memory[TAB_FRAME_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    ASSERT(is_for(to, viewer));
    tab_wire_settled(&frame, table, viewer);
    tab_send(table, to, &frame);
}

void tab_send_rematch(struct tab_table *table, struct tab_to to)
{
    if (table->rematch_id == 0)
        return;
    char memory[SMALL_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_rematch(&frame, table);
    tab_send(table, to, &frame);
}

void tab_send_missed_moves(struct tab_table *table, uint8_t seat)
{
    struct tab_missed_moves *missed = &table->seats[seat].missed;
    if (!(table->missed >> seat & 1) || !table->sockets[seat])
        return;
    char memory[EVENT_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_played_for_you(&frame, table, seat);
    tab_send(table, tab_to_seat(seat), &frame);
    *missed = (struct tab_missed_moves){0};
    table->missed = (uint8_t)(table->missed & ~(1u << seat));
}

void tab_send_cancelled(struct tab_table *table, const char *reason)
{
    char memory[SMALL_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_cancelled(&frame, reason);
    tab_send(table, tab_to_all(table), &frame);
}

void tab_send_outage(struct tab_table *table, struct tab_to to, bool outage)
{
    char memory[SMALL_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_paused(&frame, outage);
    tab_send(table, to, &frame);
}

void tab_send_restarting(struct tab_table *table, int64_t retry_ms)
{
    char memory[SMALL_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_restarting(&frame, retry_ms);
    tab_send(table, tab_to_all(table), &frame);
}

void tab_send_moved(struct tab_table *table, struct tab_to to, const char *base)
{
    char memory[2 * TAB_URL_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_moved(&frame, table, base);
    tab_send(table, to, &frame);
}

/* ---- Replies ---- */
void tab_reply_ack(struct tab_table *table, uint8_t seat, const char *id, uint32_t v)
{
    ASSERT(seat < table->seats_n && v <= table->sent_v); /* only committed moves are acknowledged */
    if (id[0] == '\0')
        return;
    char memory[SMALL_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_ack(&frame, id, v);
    tab_send(table, tab_to_seat(seat), &frame);
}

static void reply_nack(struct tab_table *table, uint8_t seat, const char *id, const char *code,
                       const char *text, const uint8_t *cards, int n)
{
    ASSERT(seat < table->seats_n && code[0] != '\0' && n >= 0 && n <= ENG_MOVE_CARDS_MAX);
    if (id[0] == '\0')
        return;
    char memory[EVENT_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_nack(&frame, id, code, text, cards, n);
    tab_send(table, tab_to_seat(seat), &frame);
    table->registry->counts.nacks++;
}

void tab_reply_nack(struct tab_table *table, uint8_t seat, const char *id, enum eng_refusal refusal,
                    const uint8_t *cards, int cards_n)
{
    ASSERT(refusal != ENG_OK && refusal < ENG_REFUSAL_END);
    reply_nack(table, seat, id, eng_refusal_name(refusal), eng_refusal_text(refusal), cards, cards_n);
}

void tab_reply_refused(struct tab_table *table, uint8_t seat, const char *id, const char *code)
{
    const struct tab_ports *ports = &table->registry->ports;
    reply_nack(table, seat, id, code, ports->code_text(ports->ctx, code), NULL, 0);
}

void tab_reply_legal(struct tab_table *table, const struct tab_command *command)
{
    char memory[TAB_FRAME_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    struct eng_view view;
    ASSERT(command->seat < table->seats_n && !table->writing);
    eng_view(&table->game, command->seat, &view);
    tab_wire_legal(&frame, command->id, &view, command->hints);
    tab_send(table, tab_to_seat(command->seat), &frame);
}
