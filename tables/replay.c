/* Builds tables from their rows; see replay.h. */
#include "tables/replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/text.h"
#include "tables/commands.h"
#include "tables/hand_clock.h"
#include "tables/journal.h"
#include "tables/moves.h"
#include "tables/seats.h"
#include "tables/state.h"

static void init(struct tab_table *table)
{
    *table = (struct tab_table){
        .reply_to = ENG_NO_SEAT,
        .fill_ms = TAB_NEVER,
        .start_ms = TAB_NEVER,
        .turn_ms = TAB_NEVER,
        .next_hand_ms = TAB_NEVER,
        .wait_ms = TAB_NEVER,
        .bot_ms = TAB_NEVER,
        .linger_ms = TAB_NEVER,
        .slow.sleep_ms = TAB_NEVER,
        .due.at_ms = TAB_NEVER,
    };
}

/* "name=value name=value": options that differ from the variant's defaults. */
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

/* Copies the table's own data from the rows. false: out of memory. */
static bool set_table(struct tab_table *table, const struct tab_load *load)
{
    table->id = load->id;
    table->room = load->room;
    table->practice = load->practice;
    table->deal = load->deal;
    table->seats_n = load->seats_n < ENG_SEAT_MAX ? load->seats_n : ENG_SEAT_MAX;
    table->hand_no = load->hand_no;
    table->started_unix_ms = load->started_unix_ms;
    memcpy(table->server_seed, load->server_seed, sizeof(table->server_seed));
    memcpy(table->commit, load->commit, sizeof(table->commit));
    table->seats = calloc(table->seats_n > 0 ? table->seats_n : 1, sizeof(*table->seats));
    for (uint8_t i = 0; table->seats && i < table->seats_n; i++)
        tab_seats_put(table, i, &load->people[i], load->taken[i]);
    return table->seats != NULL;
}

/* Sets the rules. false: this program cannot play them. */
static bool set_rules(struct tab_table *table, const struct tab_load *load)
{
    const struct eng_params *row = eng_params_find(load->room.variant);
    if (!row || load->seats_n < 2 || load->seats_n > ENG_SEAT_MAX)
        return false;
    table->params = *row;
    return set_options(&table->params, load->params) && eng_params_ok(&table->params, load->seats_n);
}

/* Records a difference. Always returns false. row: the journal row, or NULL if no row applies. */
static bool differs(struct tab_table *table, const char *what, const struct tab_load_move *row)
{
    table->difference = (struct tab_difference){
        .loss = "replay_differs", .what = what, .hand_no = table->dealt_no, .v = table->events.last_v};
    if (row) {
        table->difference.hand_no = row->hand_no;
        table->difference.v = row->v;
        table->difference.seat = row->seat;
        table->difference.hash = row->hash;
        table->difference.hash_played = eng_hash(&table->game);
    }
    return false;
}

static bool replay_move(struct tab_table *table, const struct tab_load_move *row)
{
    struct eng_move move;
    struct eng_outcome out;
    if (!eng_move_decode(&move, row->bytes, row->len) || move.seat != row->seat ||
        move.seat >= table->seats_n)
        return differs(table, "move", row);
    bool between = tab_is_between_hands(table);
    uint8_t mover = eng_seat_to_move(&table->game);
    ASSERT(table->dealt_no > 0 && table->events.last_v == eng_version(&table->game));
    if (eng_apply(&table->game, &move, &out) != ENG_OK)
        return differs(table, "rules", row);
    (void)tab_hand_clock_moved(table, mover, row->hand_clock_ms, &out);
    tab_moves_note(table, &move, row->command_id, &out);
    if (table->events.last_v != row->v)
        return differs(table, "version", row);
    if (eng_hash(&table->game) != row->hash)
        return differs(table, "hash", row);
    if (row->command_id[0] != '\0')
        tab_command_replies_ack(&table->seats[move.seat].replies, row->command_id, row->v);
    if (between)
        eng_between_add(&table->coming, &move);
    return between || (table->moves.n < TAB_MOVES_MAX && tab_move_log_put(&table->moves, &move));
}

/* Makes the hand of this row the table's current hand, dealt or not. */
static void take_hand(struct tab_table *table, const struct tab_hand *hand)
{
    table->hand_no = hand->no;
    memcpy(table->server_seed, hand->server_seed, sizeof(table->server_seed));
    memcpy(table->commit, hand->commit, sizeof(table->commit));
    for (uint8_t i = 0; i < table->seats_n; i++)
        table->seats[i].person.seed = hand->seeds[i];
}

/* Deals the next hand from the rows. */
static bool replay_deal(struct tab_table *table, const struct tab_load *load)
{
    const struct tab_hand *hand = &load->hands[table->dealt_no];
    if (table->dealt_no >= load->hands_n || hand->no != table->dealt_no + 1 || hand->dealt_unix_ms == 0 ||
        !eng_may_deal(&table->game))
        return differs(table, "hand", NULL);
    if (table->dealt_no > 0)
        table->last = load->hands[table->dealt_no - 1];
    take_hand(table, hand);
    table->hand_unix_ms = hand->dealt_unix_ms;
    return tab_moves_deal(table) || differs(table, "deal", NULL);
}

static bool replay_hands(struct tab_table *table, const struct tab_load *load)
{
    for (size_t i = 0; i < load->moves_n; i++) {
        if (load->moves[i].hand_no > table->dealt_no && !replay_deal(table, load))
            return false;
        if (load->moves[i].hand_no != table->dealt_no)
            return differs(table, "hand", &load->moves[i]);
        if (!replay_move(table, &load->moves[i]))
            return false;
    }
    if (table->dealt_no < load->hands_n && load->hands[table->dealt_no].dealt_unix_ms != 0 &&
        !replay_deal(table, load))
        return false;
    bool promised = table->dealt_no < load->hands_n;
    bool numbered =
        table->dealt_no > 0 && (!promised || load->hands[table->dealt_no].no == table->dealt_no + 1);
    if (numbered && promised == tab_is_between_hands(table) &&
        load->hands_n - table->dealt_no == (promised ? 1 : 0))
        return true;
    return differs(table, "end", NULL);
}

bool tab_replay(struct tab_table *table, const struct tab_load *load)
{
    init(table);
    if (!set_table(table, load))
        return false;
    if (load->unreadable || !set_rules(table, load)) {
        table->difference =
            (struct tab_difference){.loss = "rows_unreadable", .what = load->unreadable ? "rows" : "rules"};
        return false;
    }
    eng_init(&table->game, &table->params, table->seats_n);
    if (strcmp(load->state, "waiting") == 0)
        return true;
    table->state = TAB_PLAYING;
    if (!replay_hands(table, load))
        return false;
    table->sent_v = table->events.last_v;
    ASSERT(table->dealt_no > 0 && table->dealt_no <= load->hands_n);
    if (!tab_is_between_hands(table))
        return true;
    ASSERT(table->dealt_no == load->hands_n - 1);
    /* The hand that has ended may be revealed; the next one waits for the seeds stored with the seats. */
    table->last = load->hands[table->dealt_no - 1];
    take_hand(table, &load->hands[table->dealt_no]);
    for (uint8_t i = 0; i < table->seats_n; i++)
        table->seats[i].person.seed = load->people[i].seed;
    return true;
}

void tab_unload(struct tab_table *table)
{
    for (uint8_t i = 0; table->seats && i < table->seats_n; i++)
        tab_command_replies_free(&table->seats[i].replies);
    free(table->seats);
    table->seats = NULL;
    free(table->before);
    table->before = NULL;
    free(table->settled);
    table->settled = NULL;
    tab_commands_free(table);
    tab_events_free(&table->events);
    tab_move_log_free(&table->moves);
    tab_journal_free_more(table); /* left over from a write whose result is no longer needed */
    tab_spectators_free(table);
}
