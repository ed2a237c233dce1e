/* The time before the deal: seats fill, client seeds come in, the game starts with bots in the
 * free seats, or the table is cancelled and the stakes go back. Hub thread. */
#include <string.h>

#include "base/bug.h"
#include "tables/table_in.h"

/* Names for bots; more than there are seats, so that a table has no name twice. */
static const char *const bot_names[] = {
    "Ada",   "Boris", "Clara",  "Dario",  "Elif", "Fedor",  "Greta", "Hugo",
    "Iris",  "Jonas", "Katja",  "Leon",   "Mira", "Nikola", "Olga",  "Pavel",
    "Quinn", "Rosa",  "Stefan", "Tamara", "Ugo",  "Vera",   "Willy", "Zora",
};

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
        memcpy(table->write.bot_nicks[i], bot_names[pick], strlen(bot_names[pick]) + 1);
    }
}

static void begin_start(struct tab_table *table)
{
    struct tab_write *write = &table->write;
    write->seats_n = table->seats_n;
    write->bot_level = table->room.bot_level;
    for (uint8_t i = 0; i < table->seats_n; i++)
        write->seeds[i] = table->seats[i].person.seed;
    pick_bot_names(table);
    tab_begin_write(table, TAB_WRITE_START);
}

void tab_begin_cancel(struct tab_table *table, const char *reason)
{
    ASSERT(strlen(reason) < sizeof(table->write.reason));
    memcpy(table->write.reason, reason, strlen(reason) + 1);
    tab_begin_write(table, TAB_WRITE_CANCEL);
}

struct filling {
    int people, taken;
    bool all_seeded;
};

static struct filling look(const struct tab_table *table)
{
    struct filling f = {.all_seeded = true};
    for (uint8_t i = 0; i < table->seats_n; i++) {
        const struct tab_seat *seat = &table->seats[i];
        f.taken += seat->taken;
        if (seat->person.player_id == 0)
            continue;
        f.people++;
        f.all_seeded = f.all_seeded && seat->person.seed.len > 0;
    }
    return f;
}

/* A table that a player opened has waited long enough when its filling time is over. */
static int64_t lonely_ms(const struct tab_table *table)
{
    return table->room.visibility == TAB_IN_ROOM ? TAB_LONELY_WAIT_MS : 0;
}

bool tab_waiting_drive(struct tab_table *table)
{
    int64_t now = tab_now(table);
    struct filling f = look(table);
    bool full = f.taken + table->room.bots_n >= table->seats_n;
    if (f.people == 0) {
        tab_begin_cancel(table, "nobody_left");
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
        tab_begin_cancel(table, "not_enough_players");
        return true;
    }
    if (!table->visited) {
        if (now < table->fill_ms + TAB_NOBODY_WAIT_MS)
            return false;
        tab_begin_cancel(table, "nobody_came");
        return true;
    }
    if (table->start_ms == TAB_NEVER) {
        table->start_ms = now + (f.all_seeded ? 0 : table->registry->limits.seed_wait_ms);
        tab_tell_waiting(table);
    }
    if (now < table->start_ms && !f.all_seeded)
        return false;
    begin_start(table);
    return true;
}

int64_t tab_waiting_due(const struct tab_table *table)
{
    if (table->start_ms != TAB_NEVER)
        return table->start_ms;
    int64_t now = tab_now(table);
    if (now < table->fill_ms)
        return table->fill_ms;
    if (!table->visited)
        return table->fill_ms + TAB_NOBODY_WAIT_MS;
    return table->fill_ms + lonely_ms(table);
}
