/* Spectators of a table; see spectators.h. */
#include "tables/spectators.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "tables/table_in.h"
#include "tables/wire.h"

struct tab_spectator_guest {
    tab_socket *socket;
    int64_t since;
};

/* ---- Lists ---- */
/* Room for one more, or NULL: memory is short. */
static void *grown(void *items, size_t n, size_t *cap, size_t size)
{
    if (n < *cap)
        return items;
    size_t more = *cap ? 2 * *cap : 4;
    void *moved = realloc(items, more * size);
    if (moved)
        *cap = more;
    return moved;
}

static bool add_socket(struct tab_spectators *spectators, tab_socket *socket)
{
    tab_socket **sockets = (tab_socket **)grown((void *)spectators->sockets, spectators->n, &spectators->cap,
                                                sizeof(tab_socket *));
    if (!sockets)
        return false;
    spectators->sockets = sockets;
    spectators->sockets[spectators->n++] = socket;
    return true;
}

size_t tab_spectators_count(const struct tab_table *table)
{
    return table->spectators.n + table->spectators.guests_n;
}

void tab_spectators_free(struct tab_spectators *spectators)
{
    free((void *)spectators->sockets);
    free(spectators->guests);
    free(spectators->shadow);
    free(spectators->made_ms);
    *spectators = (struct tab_spectators){0};
}

/* ---- The shadow: the table as it was ---- */
bool tab_spectators_is_live(const struct tab_table *table)
{
    return table->spectators.delay_ms == 0;
}

static bool is_running(const struct tab_table *table)
{
    enum eng_phase phase = eng_phase(&table->game);
    return table->state == TAB_PLAYING && phase != ENG_HAND_OVER && phase != ENG_SESSION_OVER;
}

/* Puts the shadow where the table is. false: memory is short. */
static bool start_shadow(struct tab_table *table)
{
    struct tab_spectators *spectators = &table->spectators;
    if (!spectators->shadow)
        spectators->shadow = malloc(sizeof(*spectators->shadow));
    if (!spectators->shadow)
        return false;
    *spectators->shadow = table->game;
    spectators->shadow_n = table->moves_n;
    spectators->made_n = table->moves_n;
    return true;
}

static bool keep_times(struct tab_spectators *spectators, uint32_t moves_n, int64_t now)
{
    if (moves_n > spectators->made_cap) {
        uint32_t cap = spectators->made_cap ? spectators->made_cap : 64;
        while (cap < moves_n)
            cap *= 2;
        int64_t *moved = realloc(spectators->made_ms, cap * sizeof(*moved));
        if (!moved)
            return false;
        spectators->made_ms = moved;
        spectators->made_cap = cap;
    }
    while (spectators->made_n < moves_n)
        spectators->made_ms[spectators->made_n++] = now;
    return true;
}

/* The shadow makes the moves that are old enough; all of them when the hand is over, for then nothing of it
 * is hidden any more. */
static void move_shadow(struct tab_table *table, int64_t now)
{
    struct tab_spectators *spectators = &table->spectators;
    if (!is_running(table)) {
        /* What was done since the hand ended stands in no list of moves. */
        *spectators->shadow = table->game;
        spectators->shadow_n = spectators->made_n;
    }
    while (spectators->shadow_n < spectators->made_n &&
           spectators->made_ms[spectators->shadow_n] + spectators->delay_ms <= now) {
        struct eng_outcome out;
        if (eng_apply(spectators->shadow, &table->moves[spectators->shadow_n], &out) != ENG_OK)
            BUG("a move that was made cannot be made again");
        spectators->shadow_n++;
    }
}

static uint32_t shown_v(const struct tab_table *table)
{
    return table->spectators.shadow ? eng_version(table->spectators.shadow) : table->sent_v;
}

/* ---- Out ---- */
static void send_some(struct tab_table *table, tab_socket *const *sockets, size_t n, const struct buf *frame)
{
    ASSERT(!frame->full);
    if (n > 0)
        table->registry->ports.send(table->registry->ports.ctx, sockets, n, frame->data, frame->len);
}

void tab_spectators_send(struct tab_table *table, const struct buf *frame)
{
    send_some(table, table->spectators.sockets, table->spectators.n, frame);
}

static void send_snapshot(struct tab_table *table, tab_socket *const *sockets, size_t n)
{
    char memory[TAB_FRAME_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    struct tab_spectators *spectators = &table->spectators;
    if (spectators->shadow) {
        /* The frame shows the table's game: for its while that is the older one. */
        struct eng_game game = table->game;
        int64_t turn_ms = table->turn_ms;
        table->game = *spectators->shadow;
        table->turn_ms = TAB_NEVER;
        tab_wire_snapshot(&frame, table, ENG_SPECTATOR, tab_now(table));
        table->game = game;
        table->turn_ms = turn_ms;
    } else {
        tab_wire_snapshot(&frame, table, ENG_SPECTATOR, tab_now(table));
    }
    send_some(table, sockets, n, &frame);
}

/* false: it is not held any more. */
static bool send_event(struct tab_table *table, tab_socket *const *sockets, size_t n, uint32_t v)
{
    char memory[1024];
    struct buf frame = buf_on(memory, sizeof(memory));
    const struct eng_event *event = tab_events_at(&table->events, v);
    if (!event)
        return false;
    tab_wire_event(&frame, table, v, event, ENG_SPECTATOR);
    send_some(table, sockets, n, &frame);
    return true;
}

void tab_spectators_event(struct tab_table *table, uint32_t v, const struct buf *frame)
{
    if (!tab_spectators_is_live(table))
        return;
    tab_spectators_send(table, frame);
    table->spectators.sent_v = v;
}

/* What the shadow has done since the last time. */
static void send_shadow(struct tab_table *table)
{
    struct tab_spectators *spectators = &table->spectators;
    uint32_t last = shown_v(table);
    while (spectators->sent_v < last && spectators->n > 0)
        if (send_event(table, spectators->sockets, spectators->n, spectators->sent_v + 1))
            spectators->sent_v++;
        else
            break;
    if (spectators->sent_v < last)
        send_snapshot(table, spectators->sockets, spectators->n);
    spectators->sent_v = last;
}

void tab_spectators_released(struct tab_table *table)
{
    struct tab_spectators *spectators = &table->spectators;
    if (!spectators->shadow) {
        spectators->sent_v = table->sent_v;
        return;
    }
    if (!keep_times(spectators, table->moves_n, tab_now(table)))
        (void)start_shadow(table); /* better early than never */
    move_shadow(table, tab_now(table));
    send_shadow(table);
}

/* The hand before is over, so the shadow has nothing of it to do any more; a deal hides all there is to hide.
 */
void tab_spectators_dealt(struct tab_table *table)
{
    if (!tab_spectators_is_live(table))
        (void)start_shadow(table);
}

void tab_spectators_welcome(struct tab_table *table)
{
    if (table->spectators.n > 0)
        send_snapshot(table, table->spectators.sockets, table->spectators.n);
    table->spectators.sent_v = shown_v(table);
}

/* ---- Coming and going ---- */
static void send_ended(struct tab_table *table, tab_socket *const *sockets, size_t n)
{
    char memory[TAB_FRAME_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_settled(&frame, table, ENG_SPECTATOR);
    send_some(table, sockets, n, &frame);
    frame = buf_on(memory, sizeof(memory));
    tab_wire_fairness(&frame, table);
    send_some(table, sockets, n, &frame);
}

void tab_spectators_settled(struct tab_table *table)
{
    send_ended(table, table->spectators.sockets, table->spectators.n);
}

/* Its hand has ended, another one is promised. */
static void send_between(struct tab_table *table, tab_socket *const *sockets, size_t n)
{
    char memory[2048];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_fairness(&frame, table);
    send_some(table, sockets, n, &frame);
    frame = buf_on(memory, sizeof(memory));
    tab_wire_next_hand(&frame, table, tab_now(table));
    send_some(table, sockets, n, &frame);
}

void tab_spectators_hand_ended(struct tab_table *table)
{
    send_between(table, table->spectators.sockets, table->spectators.n);
}

static void send_clock(struct tab_table *table, tab_socket *socket)
{
    char memory[256];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_clock(&frame, table, tab_now(table));
    send_some(table, &socket, 1, &frame);
}

static void send_first(struct tab_table *table, tab_socket *socket, int64_t since)
{
    uint32_t last = shown_v(table);
    if (since > 0 && since <= last && tab_events_hold_since(&table->events, since)) {
        for (uint32_t v = (uint32_t)since + 1; v <= last; v++)
            (void)send_event(table, &socket, 1, v);
        return;
    }
    send_snapshot(table, &socket, 1);
}

static void greet(struct tab_table *table, const struct tab_spectator_guest *guest)
{
    tab_socket *socket = guest->socket;
    if (!add_socket(&table->spectators, socket)) {
        table->registry->ports.close(table->registry->ports.ctx, socket, TAB_CLOSE_INTERNAL);
        return;
    }
    if (table->state == TAB_WAITING) {
        char memory[TAB_FRAME_MAX];
        struct buf frame = buf_on(memory, sizeof(memory));
        tab_wire_waiting(&frame, table, tab_now(table));
        send_some(table, &socket, 1, &frame);
        return;
    }
    send_first(table, socket, guest->since);
    if (table->state == TAB_OVER)
        send_ended(table, &socket, 1);
    else if (tab_is_between_hands(table))
        send_between(table, &socket, 1);
    else if (is_running(table) && tab_spectators_is_live(table))
        send_clock(table, socket);
}

bool tab_spectate(struct tab_table *table, tab_socket *socket, int64_t since, int64_t delay_ms)
{
    struct tab_spectators *spectators = &table->spectators;
    struct tab_spectator_guest *guests = NULL;
    if (tab_spectators_count(table) < TAB_SPECTATORS_MAX)
        guests = grown(spectators->guests, spectators->guests_n, &spectators->guests_cap, sizeof(*guests));
    if (!guests)
        return false;
    spectators->guests = guests;
    guests[spectators->guests_n++] = (struct tab_spectator_guest){.socket = socket, .since = since};
    if (delay_ms > 0 && !spectators->shadow) {
        /* A move on its way is not committed: the shadow starts with the next greeting. */
        spectators->delay_ms = delay_ms;
        spectators->shown_ms = table->state == TAB_PLAYING ? tab_now(table) + delay_ms : 0;
    }
    tab_pump(table);
    return true;
}

void tab_unspectate(struct tab_table *table, const tab_socket *socket)
{
    struct tab_spectators *spectators = &table->spectators;
    for (size_t i = 0; i < spectators->n; i++)
        if (spectators->sockets[i] == socket) {
            spectators->sockets[i] = spectators->sockets[--spectators->n];
            break;
        }
    for (size_t i = 0; i < spectators->guests_n; i++)
        if (spectators->guests[i].socket == socket) {
            spectators->guests[i] = spectators->guests[--spectators->guests_n];
            break;
        }
    if (!tab_has_audience(table) && table->bot_ms != TAB_NEVER)
        table->bot_ms = tab_now(table); /* nobody to think for */
    tab_pump(table);
}

void tab_spectators_close(struct tab_table *table, int close_code)
{
    struct tab_spectators *spectators = &table->spectators;
    const struct tab_ports *ports = &table->registry->ports;
    for (size_t i = 0; i < spectators->n; i++)
        ports->close(ports->ctx, spectators->sockets[i], close_code);
    for (size_t i = 0; i < spectators->guests_n; i++)
        ports->close(ports->ctx, spectators->guests[i].socket, close_code);
    spectators->n = spectators->guests_n = 0;
}

/* ---- When ---- */
static void tell_seats(struct tab_table *table, int64_t now)
{
    struct tab_spectators *spectators = &table->spectators;
    char memory[128];
    struct buf frame = buf_on(memory, sizeof(memory));
    spectators->told_n = tab_spectators_count(table);
    spectators->told_ms = now;
    tab_wire_watchers(&frame, spectators->told_n);
    tab_send_seats(table, &frame);
}

void tab_spectators_tell_seat(struct tab_table *table, uint8_t seat)
{
    char memory[128];
    struct buf frame = buf_on(memory, sizeof(memory));
    if (table->spectators.told_n == 0)
        return;
    tab_wire_watchers(&frame, table->spectators.told_n);
    tab_send(table, seat, &frame);
}

static void greet_guests(struct tab_table *table, int64_t now)
{
    struct tab_spectators *spectators = &table->spectators;
    if (spectators->guests_n == 0)
        return;
    if (!tab_spectators_is_live(table) && !spectators->shadow && table->state == TAB_PLAYING &&
        !start_shadow(table)) {
        spectators->shown_ms = now + spectators->delay_ms;
        return;
    }
    if (now < spectators->shown_ms && is_running(table))
        return;
    /* Who is here already has everything up to sent_v: the rest first, so that all go on from one version. */
    if (spectators->shadow)
        send_shadow(table);
    for (size_t i = 0; i < spectators->guests_n; i++)
        greet(table, &spectators->guests[i]);
    spectators->guests_n = 0;
    spectators->sent_v = shown_v(table);
}

void tab_spectators_tick(struct tab_table *table)
{
    struct tab_spectators *spectators = &table->spectators;
    ASSERT(!table->writing);
    if (tab_spectators_count(table) == 0 && spectators->told_n == 0)
        return;
    int64_t now = tab_now(table);
    if (spectators->shadow) {
        move_shadow(table, now);
        send_shadow(table);
    }
    greet_guests(table, now);
    if (tab_spectators_count(table) != spectators->told_n &&
        now >= spectators->told_ms + TAB_SPECTATORS_TELL_MS)
        tell_seats(table, now);
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t tab_spectators_due(const struct tab_table *table)
{
    const struct tab_spectators *spectators = &table->spectators;
    int64_t due = TAB_NEVER;
    if (tab_spectators_count(table) != spectators->told_n)
        due = spectators->told_ms + TAB_SPECTATORS_TELL_MS;
    if (spectators->guests_n > 0)
        due = earlier(due, spectators->shown_ms);
    if (spectators->shadow && spectators->n > 0 && spectators->shadow_n < spectators->made_n)
        due = earlier(due, spectators->made_ms[spectators->shadow_n] + spectators->delay_ms);
    return due;
}
