/* Tables from their rows; see recover.h. Hub thread; tab_replay on REST loops too. */
#include "tables/recover.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/log.h"
#include "base/text.h"
#include "tables/table_in.h"

/* "name=value name=value": options that differ from the variant's row. */
static bool set_options(struct eng_params *params, const char *text)
{
    while (*text) {
        size_t len = strcspn(text, " ");
        const char *equals = memchr(text, '=', len);
        char number[16] = "";
        int64_t value;
        if (!equals || len - (size_t)(equals - text) > sizeof(number))
            return false;
        memcpy(number, equals + 1, len - (size_t)(equals - text) - 1);
        int field = eng_param_named(text, (size_t)(equals - text));
        if (field < 0 || !text_i64(number, INT16_MIN, INT16_MAX, &value) ||
            !eng_param_set(params, field, value))
            return false;
        text += len;
        text += strspn(text, " ");
    }
    return true;
}

/* What the rows say of the table itself. false: this program cannot play it. */
static bool set_table(struct tab_table *table, const struct tab_load *load)
{
    const struct eng_params *row = eng_params_find(load->room.variant);
    if (!row || load->seats_n < 2 || load->seats_n > ENG_SEAT_MAX)
        return false;
    table->id = load->id;
    table->room = load->room;
    table->seats_n = load->seats_n;
    table->hand_no = load->hand_no;
    table->params = *row;
    table->started_unix_ms = load->started_unix_ms;
    memcpy(table->server_seed, load->server_seed, sizeof(table->server_seed));
    memcpy(table->commit, load->commit, sizeof(table->commit));
    for (uint8_t i = 0; i < load->seats_n; i++) {
        table->seats[i].person = load->people[i];
        table->seats[i].taken = load->taken[i];
    }
    return set_options(&table->params, load->params) && eng_params_ok(&table->params, load->seats_n);
}

static bool replay_move(struct tab_table *table, const struct tab_load_move *row)
{
    struct eng_move move;
    struct eng_outcome out;
    if (!eng_move_decode(&move, row->bytes, row->len) || move.seat != row->seat ||
        move.seat >= table->seats_n)
        return false;
    bool between = tab_is_between_hands(table);
    if (eng_apply(&table->game, &move, &out) != ENG_OK)
        return false;
    tab_note_move(table, &move, row->command_id, &out);
    if (table->events.last_v != row->v || eng_hash(&table->game) != row->hash)
        return false;
    if (row->command_id[0] != '\0')
        tab_command_replies_ack(&table->seats[move.seat].replies, row->command_id, row->v);
    if (between)
        eng_between_add(&table->coming, &move);
    return between || tab_keep_move(table, &move);
}

/* The hand of that row becomes the table's: what it is dealt from, or what is promised. */
static void take_hand(struct tab_table *table, const struct tab_hand *hand)
{
    table->hand_no = hand->no;
    memcpy(table->server_seed, hand->server_seed, sizeof(table->server_seed));
    memcpy(table->commit, hand->commit, sizeof(table->commit));
    for (uint8_t i = 0; i < table->seats_n; i++)
        table->seats[i].person.seed = hand->seeds[i];
}

/* Deals the next hand of the rows. */
static bool replay_deal(struct tab_table *table, const struct tab_load *load)
{
    const struct tab_hand *hand = &load->hands[table->dealt_no];
    if (table->dealt_no >= load->hands_n || hand->no != table->dealt_no + 1 || hand->dealt_unix_ms == 0 ||
        !eng_may_deal(&table->game))
        return false;
    if (table->dealt_no > 0)
        table->last = load->hands[table->dealt_no - 1];
    take_hand(table, hand);
    table->hand_unix_ms = hand->dealt_unix_ms;
    return tab_deal(table);
}

static bool replay_hands(struct tab_table *table, const struct tab_load *load)
{
    for (size_t i = 0; i < load->moves_n; i++) {
        if (load->moves[i].hand_no > table->dealt_no && !replay_deal(table, load))
            return false;
        if (load->moves[i].hand_no != table->dealt_no || !replay_move(table, &load->moves[i]))
            return false;
    }
    if (table->dealt_no < load->hands_n && load->hands[table->dealt_no].dealt_unix_ms != 0 &&
        !replay_deal(table, load))
        return false;
    bool promised = table->dealt_no < load->hands_n;
    return promised == tab_is_between_hands(table) && load->hands_n - table->dealt_no == (promised ? 1 : 0);
}

bool tab_replay(struct tab_table *table, const struct tab_load *load)
{
    tab_init(table);
    if (!set_table(table, load))
        return false;
    eng_init(&table->game, &table->params, table->seats_n);
    if (strcmp(load->state, "waiting") == 0)
        return true;
    table->state = TAB_PLAYING;
    if (!replay_hands(table, load))
        return false;
    table->sent_v = table->events.last_v;
    if (!tab_is_between_hands(table))
        return true;
    /* The hand that has ended may be told, the promised one waits for the seeds that stand with the seats. */
    table->last = load->hands[table->dealt_no - 1];
    take_hand(table, &load->hands[table->dealt_no]);
    for (uint8_t i = 0; i < table->seats_n; i++)
        table->seats[i].person.seed = load->people[i].seed;
    return true;
}

void tab_unload(struct tab_table *table)
{
    free(table->moves);
    free(table->write.record); /* of a write whose answer nobody waits for any more */
    table->moves = NULL;
    table->write.record = NULL;
    tab_spectators_free(&table->spectators);
}

/* ---- Taking over ---- */
/* When the running clock was started: by the last move that made a `turn` (or a valid declaration), or by the
 * deal. The deadline moves by the time nobody was there to play it. */
static void set_turn_clock(struct tab_table *table, const struct tab_load *load)
{
    int64_t began = table->hand_unix_ms, last = began;
    uint32_t before = table->dealt_v;
    for (size_t i = 0; i < load->moves_n; i++) {
        if (load->moves[i].v <= table->dealt_v)
            continue;
        last = load->moves[i].unix_ms;
        if (before < table->turn_v && load->moves[i].v >= table->turn_v)
            began = last;
        before = load->moves[i].v;
    }
    int64_t stopped = load->heard_unix_ms > last ? load->heard_unix_ms : last;
    int64_t turn = tab_clock_ms(table), left = turn - (stopped - began);
    if (left > turn)
        left = turn;
    if (left < TAB_RECOVER_LEFT_MS)
        left = TAB_RECOVER_LEFT_MS;
    table->turn_ms = tab_now(table) + left;
}

static int64_t fill_at(const struct tab_table *table, const struct tab_load *load)
{
    const struct tab_ports *ports = &table->registry->ports;
    int64_t left = load->fill_unix_ms - ports->unix_ms(ports->ctx);
    return tab_now(table) + (left > 0 ? left : 0);
}

static enum tab_load_result take_over(struct tab_registry *registry, const struct tab_load *load,
                                      struct tab_table **made)
{
    if (registry->tables_n >= registry->limits.table_max)
        return TAB_LOAD_FULL;
    struct tab_table *table = malloc(sizeof(*table));
    if (!table)
        return TAB_LOAD_FULL;
    if (!tab_replay(table, load)) {
        log_error("replay_mismatch", LOG_NUM("table", load->id), LOG_NUM("v", table->events.last_v));
        tab_unload(table);
        free(table);
        return TAB_LOAD_MISMATCH;
    }
    tab_registry_add(registry, table);
    table->bot_rng = registry->ports.random(registry->ports.ctx);
    if (table->state == TAB_PLAYING)
        tab_time_bank_recover(table, load);
    if (table->state == TAB_WAITING) {
        table->fill_ms = fill_at(table, load);
    } else if (tab_is_between_hands(table)) {
        table->next_hand_ms = tab_now(table) + registry->limits.hand_pause_ms;
    } else {
        set_turn_clock(table, load);
    }
    *made = table;
    tab_pump(table);
    return TAB_LOADED;
}

/* Seats of a waiting table change by REST. What is under way here is stronger than these rows. */
static void bring_up_to_date(struct tab_table *table, const struct tab_load *load)
{
    bool changed = false;
    int64_t fill_ms = fill_at(table, load);
    if (fill_ms < table->fill_ms)
        table->fill_ms = fill_ms;
    table->room.bots_n = load->room.bots_n;
    for (uint8_t i = 0; i < table->seats_n; i++) {
        struct tab_seat *seat = &table->seats[i];
        if (seat->taken == load->taken[i] && seat->person.player_id == load->people[i].player_id)
            continue;
        tab_close_seat(table, i, TAB_CLOSE_LEFT);
        *seat = (struct tab_seat){.person = load->people[i], .taken = load->taken[i]};
        changed = true;
    }
    if (changed)
        tab_tell_waiting(table);
    tab_pump(table);
}

enum tab_load_result tab_registry_load(struct tab_registry *registry, const struct tab_load *load,
                                       struct tab_table **table)
{
    struct tab_table *here = tab_registry_find(registry, load->id);
    bool waiting = strcmp(load->state, "waiting") == 0;
    bool ended = !waiting && strcmp(load->state, "playing") != 0;
    *table = here;
    if (here && here->state == TAB_WAITING && here->writing) {
        here->rows_missed = true;
        return TAB_LOADED;
    }
    if (here && here->state == TAB_WAITING && ended) {
        tab_drop(here, TAB_CLOSE_OVER);
        *table = NULL;
        return TAB_LOAD_ENDED;
    }
    if (here && here->state == TAB_WAITING && waiting)
        bring_up_to_date(here, load);
    if (here)
        return TAB_LOADED;
    return ended ? TAB_LOAD_ENDED : take_over(registry, load, table);
}
