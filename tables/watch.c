/* Watchers of a table; see watch.h. */
#include "tables/watch.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "tables/table_in.h"
#include "tables/wire.h"

struct tab_watch_guest {
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

static bool add_socket(struct tab_watch *watch, tab_socket *socket)
{
    tab_socket **sockets =
        (tab_socket **)grown((void *)watch->sockets, watch->n, &watch->cap, sizeof(tab_socket *));
    if (!sockets)
        return false;
    watch->sockets = sockets;
    watch->sockets[watch->n++] = socket;
    return true;
}

size_t tab_watchers(const struct tab_table *table)
{
    return table->watch.n + table->watch.guests_n;
}

void tab_watch_free(struct tab_watch *watch)
{
    free((void *)watch->sockets);
    free(watch->guests);
    free(watch->shadow);
    free(watch->made_ms);
    *watch = (struct tab_watch){0};
}

/* ---- The shadow: the table as it was ---- */
bool tab_watch_is_live(const struct tab_table *table)
{
    return table->watch.delay_ms == 0;
}

static bool is_running(const struct tab_table *table)
{
    enum eng_phase phase = eng_phase(&table->game);
    return table->state == TAB_PLAYING && phase != ENG_HAND_OVER && phase != ENG_SESSION_OVER;
}

/* Puts the shadow where the table is. false: memory is short. */
static bool start_shadow(struct tab_table *table)
{
    struct tab_watch *watch = &table->watch;
    if (!watch->shadow)
        watch->shadow = malloc(sizeof(*watch->shadow));
    if (!watch->shadow)
        return false;
    *watch->shadow = table->game;
    watch->shadow_n = table->moves_n;
    watch->made_n = table->moves_n;
    return true;
}

static bool keep_times(struct tab_watch *watch, uint32_t moves_n, int64_t now)
{
    if (moves_n > watch->made_cap) {
        uint32_t cap = watch->made_cap ? watch->made_cap : 64;
        while (cap < moves_n)
            cap *= 2;
        int64_t *moved = realloc(watch->made_ms, cap * sizeof(*moved));
        if (!moved)
            return false;
        watch->made_ms = moved;
        watch->made_cap = cap;
    }
    while (watch->made_n < moves_n)
        watch->made_ms[watch->made_n++] = now;
    return true;
}

/* The shadow makes the moves that are old enough; all of them when the hand is over, for then nothing of it
 * is hidden any more. */
static void move_shadow(struct tab_table *table, int64_t now)
{
    struct tab_watch *watch = &table->watch;
    if (!is_running(table)) {
        /* What was done since the hand ended stands in no list of moves. */
        *watch->shadow = table->game;
        watch->shadow_n = watch->made_n;
    }
    while (watch->shadow_n < watch->made_n && watch->made_ms[watch->shadow_n] + watch->delay_ms <= now) {
        struct eng_outcome out;
        if (eng_apply(watch->shadow, &table->moves[watch->shadow_n], &out) != ENG_OK)
            BUG("a move that was made cannot be made again");
        watch->shadow_n++;
    }
}

static uint32_t shown_v(const struct tab_table *table)
{
    return table->watch.shadow ? eng_version(table->watch.shadow) : table->sent_v;
}

/* ---- Out ---- */
static void send_some(struct tab_table *table, tab_socket *const *sockets, size_t n, const struct buf *frame)
{
    ASSERT(!frame->full);
    if (n > 0)
        table->hall->ports.send(table->hall->ports.ctx, sockets, n, frame->data, frame->len);
}

void tab_watch_send(struct tab_table *table, const struct buf *frame)
{
    send_some(table, table->watch.sockets, table->watch.n, frame);
}

static void send_snapshot(struct tab_table *table, tab_socket *const *sockets, size_t n)
{
    char memory[TAB_FRAME_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    struct tab_watch *watch = &table->watch;
    if (watch->shadow) {
        /* The frame shows the table's game: for its while that is the older one. */
        struct eng_game game = table->game;
        int64_t turn_ms = table->turn_ms;
        table->game = *watch->shadow;
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

void tab_watch_event(struct tab_table *table, uint32_t v, const struct buf *frame)
{
    if (!tab_watch_is_live(table))
        return;
    tab_watch_send(table, frame);
    table->watch.sent_v = v;
}

/* What the shadow has done since the last time. */
static void send_shadow(struct tab_table *table)
{
    struct tab_watch *watch = &table->watch;
    uint32_t last = shown_v(table);
    while (watch->sent_v < last && watch->n > 0)
        if (send_event(table, watch->sockets, watch->n, watch->sent_v + 1))
            watch->sent_v++;
        else
            break;
    if (watch->sent_v < last)
        send_snapshot(table, watch->sockets, watch->n);
    watch->sent_v = last;
}

void tab_watch_released(struct tab_table *table)
{
    struct tab_watch *watch = &table->watch;
    if (!watch->shadow) {
        watch->sent_v = table->sent_v;
        return;
    }
    if (!keep_times(watch, table->moves_n, tab_now(table)))
        (void)start_shadow(table); /* better early than never */
    move_shadow(table, tab_now(table));
    send_shadow(table);
}

/* The hand before is over, so the shadow has nothing of it to do any more; a deal hides all there is to hide.
 */
void tab_watch_dealt(struct tab_table *table)
{
    if (!tab_watch_is_live(table))
        (void)start_shadow(table);
}

void tab_watch_welcome(struct tab_table *table)
{
    if (table->watch.n > 0)
        send_snapshot(table, table->watch.sockets, table->watch.n);
    table->watch.sent_v = shown_v(table);
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

void tab_watch_settled(struct tab_table *table)
{
    send_ended(table, table->watch.sockets, table->watch.n);
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

void tab_watch_hand_ended(struct tab_table *table)
{
    send_between(table, table->watch.sockets, table->watch.n);
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

static void greet(struct tab_table *table, const struct tab_watch_guest *guest)
{
    tab_socket *socket = guest->socket;
    if (!add_socket(&table->watch, socket)) {
        table->hall->ports.close(table->hall->ports.ctx, socket, TAB_CLOSE_INTERNAL);
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
    else if (tab_is_between(table))
        send_between(table, &socket, 1);
    else if (is_running(table) && tab_watch_is_live(table))
        send_clock(table, socket);
}

bool tab_watch(struct tab_table *table, tab_socket *socket, int64_t since, int64_t delay_ms)
{
    struct tab_watch *watch = &table->watch;
    struct tab_watch_guest *guests = NULL;
    if (tab_watchers(table) < TAB_WATCHERS_MAX)
        guests = grown(watch->guests, watch->guests_n, &watch->guests_cap, sizeof(*guests));
    if (!guests)
        return false;
    watch->guests = guests;
    guests[watch->guests_n++] = (struct tab_watch_guest){.socket = socket, .since = since};
    if (delay_ms > 0 && !watch->shadow) {
        /* A move on its way is not committed: the shadow starts with the next greeting. */
        watch->delay_ms = delay_ms;
        watch->shown_ms = table->state == TAB_PLAYING ? tab_now(table) + delay_ms : 0;
    }
    tab_pump(table);
    return true;
}

void tab_unwatch(struct tab_table *table, const tab_socket *socket)
{
    struct tab_watch *watch = &table->watch;
    for (size_t i = 0; i < watch->n; i++)
        if (watch->sockets[i] == socket) {
            watch->sockets[i] = watch->sockets[--watch->n];
            break;
        }
    for (size_t i = 0; i < watch->guests_n; i++)
        if (watch->guests[i].socket == socket) {
            watch->guests[i] = watch->guests[--watch->guests_n];
            break;
        }
    if (!tab_is_watched(table) && table->bot_ms != TAB_NEVER)
        table->bot_ms = tab_now(table); /* nobody to think for */
    tab_pump(table);
}

void tab_watch_close(struct tab_table *table, int close_code)
{
    struct tab_watch *watch = &table->watch;
    const struct tab_ports *ports = &table->hall->ports;
    for (size_t i = 0; i < watch->n; i++)
        ports->close(ports->ctx, watch->sockets[i], close_code);
    for (size_t i = 0; i < watch->guests_n; i++)
        ports->close(ports->ctx, watch->guests[i].socket, close_code);
    watch->n = watch->guests_n = 0;
}

/* ---- When ---- */
static void tell_seats(struct tab_table *table, int64_t now)
{
    struct tab_watch *watch = &table->watch;
    char memory[128];
    struct buf frame = buf_on(memory, sizeof(memory));
    watch->told_n = tab_watchers(table);
    watch->told_ms = now;
    tab_wire_watchers(&frame, watch->told_n);
    tab_send_seats(table, &frame);
}

void tab_watch_tell_seat(struct tab_table *table, uint8_t seat)
{
    char memory[128];
    struct buf frame = buf_on(memory, sizeof(memory));
    if (table->watch.told_n == 0)
        return;
    tab_wire_watchers(&frame, table->watch.told_n);
    tab_send(table, seat, &frame);
}

static void greet_guests(struct tab_table *table, int64_t now)
{
    struct tab_watch *watch = &table->watch;
    if (watch->guests_n == 0)
        return;
    if (!tab_watch_is_live(table) && !watch->shadow && table->state == TAB_PLAYING && !start_shadow(table)) {
        watch->shown_ms = now + watch->delay_ms;
        return;
    }
    if (now < watch->shown_ms && is_running(table))
        return;
    /* Who is here already has everything up to sent_v: the rest first, so that all go on from one version. */
    if (watch->shadow)
        send_shadow(table);
    for (size_t i = 0; i < watch->guests_n; i++)
        greet(table, &watch->guests[i]);
    watch->guests_n = 0;
    watch->sent_v = shown_v(table);
}

void tab_watch_tick(struct tab_table *table)
{
    struct tab_watch *watch = &table->watch;
    ASSERT(!table->writing);
    if (tab_watchers(table) == 0 && watch->told_n == 0)
        return;
    int64_t now = tab_now(table);
    if (watch->shadow) {
        move_shadow(table, now);
        send_shadow(table);
    }
    greet_guests(table, now);
    if (tab_watchers(table) != watch->told_n && now >= watch->told_ms + TAB_WATCHERS_TELL_MS)
        tell_seats(table, now);
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t tab_watch_due(const struct tab_table *table)
{
    const struct tab_watch *watch = &table->watch;
    int64_t due = TAB_NEVER;
    if (tab_watchers(table) != watch->told_n)
        due = watch->told_ms + TAB_WATCHERS_TELL_MS;
    if (watch->guests_n > 0)
        due = earlier(due, watch->shown_ms);
    if (watch->shadow && watch->n > 0 && watch->shadow_n < watch->made_n)
        due = earlier(due, watch->made_ms[watch->shadow_n] + watch->delay_ms);
    return due;
}
