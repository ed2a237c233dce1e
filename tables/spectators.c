/* Spectators of a table; see spectators.h. Hub thread. */
#include "tables/spectators.h"

#include <stdlib.h>

#include "base/bug.h"
#include "tables/outbox.h"
#include "tables/state.h"

struct tab_spectator_guest {
    tab_socket *socket;
    int64_t since;
};

/* ---- Connecting and leaving ---- */
/* Grows an array to hold one more item. NULL: out of memory. */
static void *grown(void *items, size_t n, size_t *cap, size_t size)
{
    ASSERT(n <= *cap && n < TAB_SPECTATORS_MAX && size > 0);
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
    ASSERT(socket != NULL && spectators->n < spectators->cap);
    spectators->sockets[spectators->n++] = socket;
    return true;
}

bool tab_spectators_add(struct tab_table *table, tab_socket *socket, int64_t since, int64_t delay_ms)
{
    if (!table->spectators)
        table->spectators = calloc(1, sizeof(*table->spectators));
    struct tab_spectators *spectators = table->spectators;
    struct tab_spectator_guest *guests = NULL;
    if (spectators && tab_spectators_count(table) < TAB_SPECTATORS_MAX)
        guests = grown(spectators->guests, spectators->guests_n, &spectators->guests_cap, sizeof(*guests));
    if (!guests)
        return false;
    ASSERT(spectators->guests_n < spectators->guests_cap);
    spectators->guests = guests;
    guests[spectators->guests_n++] = (struct tab_spectator_guest){.socket = socket, .since = since};
    if (delay_ms > 0 && !spectators->shadow.game) {
        /* A pending move is not committed, so the shadow starts with the next greeting. */
        spectators->delay_ms = delay_ms;
        spectators->shown_ms = table->state == TAB_PLAYING ? tab_now(table) + delay_ms : 0;
    }
    return true;
}

void tab_spectators_remove(struct tab_table *table, const tab_socket *socket)
{
    struct tab_spectators *spectators = table->spectators;
    if (!spectators)
        return;
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
}

void tab_spectators_close(struct tab_table *table, int close_code)
{
    struct tab_spectators *spectators = table->spectators;
    const struct tab_ports *ports = &table->registry->ports;
    if (!spectators)
        return;
    for (size_t i = 0; i < spectators->n; i++)
        ports->close(ports->ctx, spectators->sockets[i], close_code);
    for (size_t i = 0; i < spectators->guests_n; i++)
        ports->close(ports->ctx, spectators->guests[i].socket, close_code);
    spectators->n = spectators->guests_n = 0;
}

void tab_spectators_free(struct tab_table *table)
{
    struct tab_spectators *spectators = table->spectators;
    if (!spectators)
        return;
    free((void *)spectators->sockets);
    free(spectators->guests);
    tab_shadow_free(&spectators->shadow);
    free(spectators);
    table->spectators = NULL;
}

/* ---- What spectators see ---- */
static bool start_shadow(struct tab_table *table)
{
    return tab_shadow_start(&table->spectators->shadow, &table->game, &table->moves);
}

/* Plays the moves that are old enough. When the hand is over, plays all moves, because nothing is hidden
 * any longer. */
static void move_shadow(struct tab_table *table, int64_t now)
{
    struct tab_spectators *spectators = table->spectators;
    if (tab_is_in_hand(table))
        tab_shadow_move(&spectators->shadow, &table->moves, now - spectators->delay_ms);
    else
        tab_shadow_catch_up(&spectators->shadow, &table->game);
}

static uint32_t shown_v(const struct tab_table *table)
{
    const struct eng_game *shadow = table->spectators->shadow.game;
    return shadow ? eng_version(shadow) : table->sent_v;
}

static void send_snapshot(struct tab_table *table, struct tab_to to)
{
    const struct eng_game *shadow = table->spectators->shadow.game;
    if (!shadow) {
        tab_send_snapshot(table, to, ENG_SPECTATOR);
        return;
    }
    /* The frame shows the table's game, so swap in the older one while writing it. */
    struct eng_game game = table->game;
    int64_t turn_ms = table->turn_ms;
    table->game = *shadow;
    table->turn_ms = TAB_NEVER;
    tab_send_snapshot(table, to, ENG_SPECTATOR);
    table->game = game;
    table->turn_ms = turn_ms;
}

/* Sends the events of the shadow since the last call. */
static void send_shadow(struct tab_table *table)
{
    struct tab_spectators *spectators = table->spectators;
    struct tab_to to = tab_to_spectators(table);
    uint32_t last = shown_v(table);
    if (spectators->n > 0 && spectators->sent_v < last) {
        if (tab_events_hold_since(&table->events, spectators->sent_v))
            tab_send_events_again(table, to, spectators->sent_v, last, ENG_SPECTATOR);
        else
            send_snapshot(table, to);
    }
    spectators->sent_v = last;
}

void tab_spectators_released(struct tab_table *table)
{
    struct tab_spectators *spectators = table->spectators;
    if (!spectators)
        return;
    if (!spectators->shadow.game) {
        spectators->sent_v = table->sent_v;
        return;
    }
    int64_t now = tab_now(table);
    if (!tab_shadow_note(&spectators->shadow, table->moves.n, now))
        (void)start_shadow(table); /* without a shadow, showing moves too early is better than never */
    move_shadow(table, now);
    send_shadow(table);
}

/* The previous hand is over, so the shadow has nothing left to play. A deal reveals no hidden cards, so it
 * need not be delayed. */
void tab_spectators_dealt(struct tab_table *table)
{
    if (!tab_spectators_are_live(table))
        (void)start_shadow(table);
}

void tab_spectators_welcome(struct tab_table *table)
{
    if (!table->spectators)
        return;
    if (table->spectators->n > 0)
        send_snapshot(table, tab_to_spectators(table));
    table->spectators->sent_v = shown_v(table);
}

void tab_spectators_send_missing(struct tab_table *table, tab_socket *const *socket, int64_t since)
{
    struct tab_to to = tab_to_socket(socket);
    ASSERT(!table->writing);
    uint32_t last = shown_v(table);
    if (since > 0 && since <= last && tab_events_hold_since(&table->events, since)) {
        tab_send_events_again(table, to, (uint32_t)since, last, ENG_SPECTATOR);
        return;
    }
    send_snapshot(table, to);
}

void tab_spectators_send_count(struct tab_table *table, uint8_t seat)
{
    if (table->spectators && table->spectators->sent_n > 0)
        tab_send_spectators(table, tab_to_seat(seat), table->spectators->sent_n);
}

/* ---- Timing ---- */
static void greet_guest(struct tab_table *table, const struct tab_spectator_guest *guest,
                        tab_spectators_greet *greet)
{
    tab_socket *socket = guest->socket;
    if (add_socket(table->spectators, socket))
        greet(table, &socket, guest->since);
    else
        table->registry->ports.close(table->registry->ports.ctx, socket, WIRE_CLOSE_INTERNAL);
}

static void greet_guests(struct tab_table *table, int64_t now, tab_spectators_greet *greet)
{
    struct tab_spectators *spectators = table->spectators;
    if (spectators->guests_n == 0)
        return;
    bool shadow_missing = !tab_spectators_are_live(table) && !spectators->shadow.game;
    if (shadow_missing && table->state == TAB_PLAYING && !start_shadow(table)) {
        spectators->shown_ms = now + spectators->delay_ms;
        return;
    }
    if (now < spectators->shown_ms && tab_is_in_hand(table))
        return;
    /* Spectators that are already connected have everything up to sent_v. They get the rest first, so that
     * all continue from the same version. */
    if (spectators->shadow.game)
        send_shadow(table);
    for (size_t i = 0; i < spectators->guests_n; i++)
        greet_guest(table, &spectators->guests[i], greet);
    spectators->guests_n = 0;
    spectators->sent_v = shown_v(table);
    ASSERT(spectators->n <= TAB_SPECTATORS_MAX);
}

void tab_spectators_tick(struct tab_table *table, tab_spectators_greet *greet)
{
    struct tab_spectators *spectators = table->spectators;
    ASSERT(!table->writing);
    if (!spectators || (tab_spectators_count(table) == 0 && spectators->sent_n == 0))
        return;
    int64_t now = tab_now(table);
    if (spectators->shadow.game) {
        move_shadow(table, now);
        send_shadow(table);
    }
    greet_guests(table, now, greet);
    size_t n = tab_spectators_count(table);
    if (n == spectators->sent_n || now < spectators->sent_ms + TAB_SPECTATORS_SEND_MS)
        return;
    spectators->sent_n = n;
    spectators->sent_ms = now;
    tab_send_spectators(table, tab_to_seats(), n);
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t tab_spectators_due(const struct tab_table *table)
{
    const struct tab_spectators *spectators = table->spectators;
    int64_t due = TAB_NEVER, made_ms;
    if (!spectators)
        return due;
    if (tab_spectators_count(table) != spectators->sent_n)
        due = spectators->sent_ms + TAB_SPECTATORS_SEND_MS;
    if (spectators->guests_n > 0)
        due = earlier(due, spectators->shown_ms);
    if (spectators->n > 0 && tab_shadow_next(&spectators->shadow, &made_ms))
        due = earlier(due, made_ms + spectators->delay_ms);
    return due;
}
