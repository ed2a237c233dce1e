/* The phase before the deal: seats fill up, client seeds arrive, and the game starts with bots in the free
 * seats, or the table is canceled and the stakes are refunded. Hub thread. */
#include <string.h>

#include "base/bug.h"
#include "tables/commands.h"
#include "tables/journal.h"
#include "tables/moves.h"
#include "tables/outbox.h"
#include "tables/phase.h"
#include "tables/seats.h"
#include "tables/state.h"

/* ---- Start or cancel ---- */
static const char *const bot_names[] = {
#define BOT_NAME(name) name,
#include "tables/bot_names.def"
#undef BOT_NAME
};

_Static_assert(ARRAY_LEN(bot_names) >= ENG_SEAT_MAX, "a name for each bot of a table");

static void pick_bot_names(struct tab_table *table)
{
    bool used[ARRAY_LEN(bot_names)] = {false};
    uint64_t r = table->registry->ports.random(table->registry->ports.ctx);
    for (uint8_t i = 0; i < table->seats_n; i++) {
        size_t pick = r % ARRAY_LEN(bot_names);
        r /= ARRAY_LEN(bot_names);
        while (used[pick])
            pick = (pick + 1) % ARRAY_LEN(bot_names);
        used[pick] = true;
        memcpy(table->write.more->bot_nicks[i], bot_names[pick], strlen(bot_names[pick]) + 1);
    }
}

static void begin_start(struct tab_table *table)
{
    struct tab_write_more *more = tab_journal_more(table);
    more->seats_n = table->seats_n;
    more->bot_level = table->room.bot_level;
    for (uint8_t i = 0; i < table->seats_n; i++)
        more->seeds[i] = table->seats[i].person.seed;
    pick_bot_names(table);
    tab_journal_begin(table, TAB_WRITE_START);
}

struct filling {
    int people, taken;
    bool all_seeded, bots_asked;
    bool all_here; /* whether all human players are connected */
};

static struct filling filling_of(const struct tab_table *table)
{
    struct filling f = {.all_seeded = true, .all_here = true};
    bool all_ready = true;
    for (uint8_t i = 0; i < table->seats_n; i++) {
        const struct tab_seat *seat = &table->seats[i];
        f.taken += seat->taken;
        if (seat->person.player_id == 0)
            continue;
        f.people++;
        f.all_here = f.all_here && table->sockets[i] != NULL;
        f.all_seeded = f.all_seeded && seat->person.seed.len > 0;
        all_ready = all_ready && (table->ready >> i & 1) != 0;
    }
    /* In a room, all players have to agree; at a private table, only the host decides. */
    uint8_t host = tab_host_seat(table);
    f.bots_asked = host == ENG_NO_SEAT ? table->room.bots && all_ready : (table->ready >> host & 1) != 0;
    ASSERT(f.taken <= table->seats_n && f.people <= table->seats_n);
    return f;
}

/* Additional wait after the filling time before the table is canceled; none if a player opened it. */
static int64_t lonely_ms(const struct tab_table *table)
{
    return table->room.visibility == TAB_IN_ROOM ? TAB_LONELY_WAIT_MS : 0;
}

/* All seats of a house table are assigned. The game starts as soon as all players are connected and have
 * had time to send a seed, but no later than scheduled; timeouts play for absent players. */
static bool drive_house(struct tab_table *table, const struct filling *f)
{
    int64_t now = tab_now(table);
    if (now < table->fill_ms && !f->all_here) {
        table->start_ms = TAB_NEVER;
        return false;
    }
    if (now < table->fill_ms && table->start_ms == TAB_NEVER) {
        int64_t start = now + (f->all_seeded ? 0 : table->registry->limits.seed_wait_ms);
        table->start_ms = start < table->fill_ms ? start : table->fill_ms;
        tab_send_waiting(table, tab_to_all(table));
    }
    if (now < table->fill_ms && now < table->start_ms && !f->all_seeded)
        return false;
    begin_start(table);
    return true;
}

static bool drive(struct tab_table *table)
{
    int64_t now = tab_now(table);
    struct filling f = filling_of(table);
    if (table->room.visibility == TAB_HOUSE)
        return drive_house(table, &f);
    bool full = f.bots_asked || f.taken + table->room.bots_n >= table->seats_n;
    if (f.people == 0) {
        tab_journal_begin_cancel(table, "nobody_left");
        return true;
    }
    if (!full && now < table->fill_ms) {
        table->start_ms = TAB_NEVER;
        return false;
    }
    if (!full && !table->room.bots) {
        table->start_ms = TAB_NEVER;
        if (now < table->fill_ms + lonely_ms(table))
            return false;
        tab_journal_begin_cancel(table, "not_enough_players");
        return true;
    }
    if (!table->visited) {
        if (now < table->fill_ms + TAB_NOBODY_WAIT_MS)
            return false;
        tab_journal_begin_cancel(table, "nobody_came");
        return true;
    }
    if (table->start_ms == TAB_NEVER) {
        table->start_ms = now + (f.all_seeded ? 0 : table->registry->limits.seed_wait_ms);
        tab_send_waiting(table, tab_to_all(table));
    }
    if (now < table->start_ms && !f.all_seeded)
        return false;
    begin_start(table);
    return true;
}

static int64_t due(const struct tab_table *table)
{
    if (table->start_ms != TAB_NEVER)
        return table->start_ms;
    int64_t now = tab_now(table);
    if (now < table->fill_ms)
        return table->fill_ms;
    if (table->room.visibility == TAB_HOUSE)
        return now;
    if (!table->visited)
        return table->fill_ms + TAB_NOBODY_WAIT_MS;
    return table->fill_ms + lonely_ms(table);
}

/* ---- Commands ---- */
/* A player requests to play with bots now instead of waiting for other players. */
static void run_ready(struct tab_table *table, const struct tab_command *command)
{
    ASSERT(command->seat < table->seats_n && table->ready >> table->seats_n == 0);
    uint8_t host = tab_host_seat(table);
    if (host != command->seat && (host != ENG_NO_SEAT || !table->room.bots)) {
        tab_commands_refuse(table, command, host == ENG_NO_SEAT ? "no_bots_here" : "not_host");
        return;
    }
    table->ready |= (uint8_t)(1u << command->seat);
    tab_reply_ack(table, command->seat, command->id, table->events.last_v);
    tab_send_waiting(table, tab_to_all(table));
}

static void run(struct tab_table *table, const struct tab_command *command)
{
    if (command->kind == TAB_DO_SEED)
        tab_seats_take_seed(table, command);
    else if (command->kind == TAB_DO_LEAVE && table->room.visibility == TAB_HOUSE)
        tab_commands_refuse(table, command, "seat_is_given");
    else if (command->kind == TAB_DO_LEAVE)
        tab_journal_begin_command(table, TAB_WRITE_LEAVE, command);
    else if (command->kind == TAB_DO_READY)
        run_ready(table, command);
    else
        tab_commands_refuse(table, command, "not_started");
}

static void left(struct tab_table *table)
{
    uint8_t seat = table->write.seat;
    ASSERT(seat < table->seats_n && table->state == TAB_WAITING);
    if (table->write.result == TAB_WRITE_REFUSED) {
        tab_commands_not_done(table, table->write.code);
        return;
    }
    tab_commands_done(table);
    tab_seats_close(table, seat, WIRE_CLOSE_LEFT);
    tab_seats_clear(table, seat);
    tab_send_waiting(table, tab_to_all(table));
}

static void started(struct tab_table *table)
{
    ASSERT(table->state == TAB_WAITING && table->dealt_no == 0 && table->events.last_v == 0);
    for (uint8_t i = 0; i < table->seats_n; i++) {
        const struct tab_person *now = &table->write.more->people[i];
        if (table->seats[i].person.player_id != now->player_id) {
            tab_seats_close(table, i, WIRE_CLOSE_FORBIDDEN);
            tab_commands_drop(table, i);
        }
        tab_seats_put(table, i, now, true);
    }
    table->state = TAB_PLAYING;
    table->ready = 0;
    table->practice = table->write.more->practice;
    table->start_ms = TAB_NEVER;
    table->started_unix_ms = table->hand_unix_ms = tab_unix_now(table);
    eng_init(&table->game, &table->params, table->seats_n);
    if (!tab_moves_deal(table))
        BUG("a new game cannot be dealt");
    /* All clients get the whole table first; events continue from there. */
    ASSERT(table->events.last_v > 0 && tab_is_in_hand(table));
    table->sent_v = table->events.last_v;
    tab_moves_start_clock(table);
    tab_seats_welcome_all(table);
}

static void written(struct tab_table *table)
{
    switch (table->write.kind) {
    case TAB_WRITE_SEED:
        tab_seats_seeded(table);
        break;
    case TAB_WRITE_LEAVE:
        left(table);
        break;
    case TAB_WRITE_START:
        started(table);
        break;
    default:
        BUG("unexpected write of a waiting table");
    }
}

/* ---- Connections ---- */
static void greet(struct tab_table *table, uint8_t seat)
{
    tab_send_waiting(table, tab_to_all(table));
    tab_spectators_send_count(table, seat);
}

static void greet_spectator(struct tab_table *table, tab_socket *const *socket, int64_t since)
{
    (void)since;
    tab_send_waiting(table, tab_to_socket(socket));
}

/* Sends nothing: clients get the new waiting time with the next change. */
static void resume(struct tab_table *table)
{
    (void)table;
}

const struct tab_phase tab_phase_waiting = {.drive = drive,
                                            .due = due,
                                            .run = run,
                                            .written = written,
                                            .greet = greet,
                                            .greet_spectator = greet_spectator,
                                            .resume = resume};
