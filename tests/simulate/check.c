/* Invariants that must hold after each step, however the world behaves. The committed moves are replayed
 * here, using only the rules, and the frames that nodes send and players receive are compared with the
 * result. */
#include "tests/simulate/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "bench/scan.h"
#include "server/nodes/lease.h"
#include "tests/simulate/people.h"
#include "tests/simulate/store.h"

enum {
    V_MAX = 8192,
    EVERYBODY = ENG_SEAT_MAX,
    RESERVE_MS = 10000,
    LATE_MS = 3000,
    CLOCKS_MS = 50,
    CANCELLED_MS_MAX = 8000
};

/* For each event, a hash of its text per seat, and one for all others; 0: not received yet. */
static uint32_t *heard_of[SIM_TABLES_MAX];

/* ---- Committed state ---- */
static void check_dealt(struct table *table, const struct hand_row *hand)
{
    uint8_t key[ENG_KEY_BYTES];
    struct eng_outcome out;
    if (!table->dealt) {
        table->params = *eng_params_find(table->variant);
        eng_init(&table->game, &table->params, table->row.seats_n);
        table->dealt = true;
    }
    eng_deal_key(key, hand->server_seed, (uint64_t)table->row.id, hand->no, hand->seeds, table->row.seats_n);
    eng_deal(&table->game, key, &out);
    table->turn_us = table->moved_us = sim_now;
    table->turn_v = eng_version(&table->game);
    for (uint8_t i = 0; i < table->row.seats_n; i++)
        table->hand_left_ms[i] = table->params.hand_s * (int64_t)1000;
    sim_trace("table %lld: hand %u is dealt", (long long)table->row.id, hand->no);
}

/* Maximum duration of the running turn, or of the grouping. */
static int64_t clock_ms(const struct table *table)
{
    uint8_t seat = eng_seat_to_move(&table->game);
    if (seat == ENG_NO_SEAT)
        return table->params.group_s * 1000;
    int64_t turn_ms = table->params.turn_s * 1000;
    return table->hand_left_ms[seat] < turn_ms ? table->hand_left_ms[seat] : turn_ms;
}

/* Called for a move that ends a turn: the node never deducts more time from the hand clock than the turn
 * lasted, and without faults never less. */
static void check_hand_clock(struct table *table, const struct move_row *move, uint8_t seat, int64_t whole,
                             bool played)
{
    int64_t took_ms = (sim_now - table->turn_us) / SIM_MS;
    int64_t most = took_ms < whole ? took_ms : whole;
    if (move->hand_clock_ms > most + CLOCKS_MS)
        sim_broken("no time is taken away", "table %lld, seat %u: %lld ms of a turn of %lld ms",
                   (long long)table->row.id, seat, (long long)move->hand_clock_ms, (long long)took_ms);
    bool calm = sim_fault_us + 60 * SIM_S < table->turn_us;
    if (calm && played && move->hand_clock_ms + LATE_MS < most)
        sim_broken("no time is given back", "table %lld, seat %u: %lld ms of a turn of %lld ms",
                   (long long)table->row.id, seat, (long long)move->hand_clock_ms, (long long)took_ms);
    int64_t left = table->hand_left_ms[seat] - move->hand_clock_ms;
    left = (left > 0 ? left : 0) + ENG_HAND_CLOCK_STEP_S * 1000;
    int64_t start = table->params.hand_s * (int64_t)1000;
    table->hand_left_ms[seat] = left < start ? left : start;
}

/* Called when a turn, or the grouping after a declaration, has timed out. */
static void check_clock(const struct table *table)
{
    int64_t took_ms = (sim_now - table->turn_us) / SIM_MS;
    int64_t turn_ms = clock_ms(table);
    if (took_ms < turn_ms - CLOCKS_MS)
        sim_broken("a turn has its time", "table %lld: over after %lld ms of %lld", (long long)table->row.id,
                   (long long)took_ms, (long long)turn_ms);
    bool calm = sim_fault_us + 60 * SIM_S < table->turn_us;
    if (calm && took_ms > turn_ms + RESERVE_MS + LATE_MS)
        sim_broken("a turn ends", "table %lld: over after %lld ms of %lld", (long long)table->row.id,
                   (long long)took_ms, (long long)turn_ms);
}

static void check_once(const struct table *table, const struct move_row *move)
{
    if (move->command[0] == '\0')
        return;
    for (size_t i = 0; i + 1 < table->moves_n; i++)
        if (table->moves[i].seat == move->seat && strcmp(table->moves[i].command, move->command) == 0)
            sim_broken("a command counts once", "table %lld: %s at v %u and v %u", (long long)move->table,
                       move->command, table->moves[i].v, move->v);
}

uint64_t __real_eng_bot_seed(const uint8_t server_seed[32], uint64_t table_id, uint32_t hand_no, uint32_t v);

/* A bot's move follows from its view and the hand's seed, whichever node plays it and whatever has happened
 * before. */
static void check_bot(const struct table *table, const struct move_row *row, const struct eng_move *move)
{
    const struct seat_row *seat = &table->row.seats[row->seat];
    enum eng_phase phase = eng_phase(&table->game);
    struct eng_view view;
    struct eng_move again;
    if (seat->player != 0 || (phase != ENG_TO_DRAW && phase != ENG_TO_PLAY))
        return;
    const uint8_t *seed = table->row.hands[row->hand_no - 1].server_seed;
    uint64_t dice =
        __real_eng_bot_seed(seed, (uint64_t)table->row.id, row->hand_no, eng_version(&table->game));
    eng_view(&table->game, row->seat, &view);
    eng_bot_move(&view, seat->level, &dice, &again);
    again.seat = row->seat;
    uint8_t bytes[ENG_MOVE_BYTES_MAX];
    if (row->len != eng_move_encode(bytes, &again) || memcmp(row->bytes, bytes, row->len) != 0)
        sim_broken("a bot plays the same anywhere", "table %lld: move %u at v %u, it would be %u",
                   (long long)row->table, move->type, row->v, again.type);
}

static void check_moved(struct table *table, const struct move_row *row)
{
    struct eng_move move;
    struct eng_outcome out;
    if (!table->dealt || !eng_move_decode(&move, row->bytes, row->len))
        sim_broken("the journal can be played", "table %lld: no move at v %u", (long long)row->table, row->v);
    if (row->node != table->row.node)
        sim_broken("one node writes a table", "table %lld: v %u by %s, but it is %s's", (long long)row->table,
                   row->v, sim_node_name(sim_node(row->node)), sim_node_name(sim_node(table->row.node)));
    bool calm = sim_fault_us + 60 * SIM_S < sim_now;
    if (table->cancel_us && calm && table->cancel_us + CANCELLED_MS_MAX * SIM_MS < sim_now)
        sim_broken("what an operator ends is over", "table %lld is played %lld ms later",
                   (long long)row->table, (long long)(sim_now - table->cancel_us) / SIM_MS);
    if (move.type == ENG_TIME_OUT || (move.type == ENG_CLOSE && eng_phase(&table->game) == ENG_TO_GROUP))
        check_clock(table);
    check_bot(table, row, &move);
    bool groups = eng_phase(&table->game) == ENG_TO_GROUP;
    uint8_t mover = eng_seat_to_move(&table->game);
    bool played =
        mover != ENG_NO_SEAT && table->row.seats[mover].player != 0 && !eng_seat_is_away(&table->game, mover);
    int64_t whole_ms = mover != ENG_NO_SEAT ? clock_ms(table) : 0;
    enum eng_refusal refusal = eng_apply(&table->game, &move, &out);
    if (refusal != ENG_OK || eng_version(&table->game) != row->v || eng_hash(&table->game) != row->hash)
        sim_broken("the journal can be played", "table %lld: v %u, %s; it should be v %u",
                   (long long)row->table, row->v, refusal ? eng_refusal_name(refusal) : "another game",
                   eng_version(&table->game));
    check_once(table, row);
    uint32_t v = row->v - out.events_n;
    for (int i = 0; i < out.events_n; i++) {
        v++;
        if (out.events[i].type != ENG_EV_TURN)
            continue;
        if (mover != ENG_NO_SEAT)
            check_hand_clock(table, row, mover, whole_ms, played);
        table->turn_us = sim_now;
        table->turn_v = v;
    }
    if (!groups && eng_phase(&table->game) == ENG_TO_GROUP)
        table->turn_us = sim_now;
    table->moved_us = sim_now;
    sim_trace("table %lld: v %u by seat %u%s%s", (long long)row->table, row->v, row->seat,
              row->command[0] ? ", " : "", row->command);
}

static void check_chips(void)
{
    int64_t sum = store_house;
    for (size_t i = 0; i <= SIM_CLIENTS_MAX; i++)
        sum += store_purses[i];
    for (size_t t = 0; t < store_tables_n; t++) {
        const struct table_row *row = &store_tables[t].row;
        bool live = row->state <= ROW_PLAYING || row->state == ROW_LOST;
        for (size_t i = 0; i < row->seats_n; i++) {
            int64_t held = row->seats[i].held;
            sum += held;
            if (row->seats[i].player != 0 && (held != 0) != live)
                sim_broken("a stake is held while its table lives", "table %zu, seat %zu: %lld", t + 1, i,
                           (long long)held);
        }
    }
    if (sum != 0)
        sim_broken("chips are neither made nor lost", "%lld too many", (long long)sum);
}

static void check_changed(struct table *table, const struct table_row *before)
{
    static const char *const words[] = {"waits", "is played", "is finished", "is cancelled", "is lost"};
    const struct table_row *row = &table->row;
    for (size_t i = 0; i < row->hands_n; i++)
        if (row->hands[i].dealt_ms != 0 && (i >= before->hands_n || before->hands[i].dealt_ms == 0))
            check_dealt(table, &row->hands[i]);
    if (row->settled_n > 1)
        sim_broken("a game is settled once", "table %lld: %d times", (long long)row->id, row->settled_n);
    if (row->node != before->node) {
        table->handed_over_by &= ~(1u << before->node | 1u << row->node);
        if (strcmp(store_nodes[before->node].state, "gone") != 0)
            table->handed_over_by |= 1u << before->node;
    }
    if (row->state == before->state)
        return;
    sim_trace("table %lld %s", (long long)row->id, words[row->state]);
    if (row->state == ROW_LOST)
        sim_broken("no table is lost", "table %lld", (long long)row->id);
    if (row->state > ROW_PLAYING)
        table->ended_us = sim_now;
}

/* ---- What a node sends ---- */
static bool is_about_table(struct span type)
{
    static const char *const others[] = {"nack", "pong", "paused", "resumed", "restarting", "moved"};
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (span_is(type, others[i]))
            return false;
    return true;
}

/* Frames that are not about the game, but about presence and clocks. */
static bool is_weak(struct span type)
{
    return span_is(type, "presence") || span_is(type, "clock") || span_is(type, "waiting") ||
           span_is(type, "waiting_for");
}

/* A node may send frames about presence and clocks for a table that another node owns, if it was alone at
 * its last renewal, so that it kept its sockets, or while it has not learned yet that the table has been
 * handed over, possibly a second time meanwhile. When alone, it also replies to a repeated command.
 * check_acked detects it if the reply does not match the committed move. */
static bool may_send(const struct sim_node *node, const struct table *table, struct span type)
{
    bool hands_over = table->handed_over_by >> sim_node_index(node) & 1;
    bool alone = !srv_lease_has_peers(sim_node_lease(node));
    return is_weak(type) ? hands_over || alone : alone && span_is(type, "ack");
}

void check_spoken(struct sim_node *node, int64_t id, const char *text, size_t len)
{
    struct said said;
    const struct table *table = store_table(id);
    if (!frame_read(&said, text, len))
        sim_broken("frames can be read", "%.*s", (int)(len < 200 ? len : 200), text);
    if (table && table->row.node != sim_node_index(node) && is_about_table(said.type) &&
        !may_send(node, table, said.type))
        sim_broken("one node speaks for a table", "%s says of table %lld, which is %s's: %.*s",
                   sim_node_name(node), (long long)id, sim_node_name(sim_node(table->row.node)),
                   (int)(len < 120 ? len : 120), text);
}

/* ---- What a player receives ---- */
bool frame_read(struct said *said, const char *text, size_t len)
{
    struct span key, value, whole = span_of(text, len);
    whole.kind = len >= 2 && text[0] == '{' ? '{' : 0;
    struct scan scan = scan_into(whole);
    *said = (struct said){.v = -1, .seat = -1};
    while (scan_member(&scan, &key, &value)) {
        if (span_is(key, "t"))
            said->type = value;
        else if (span_is(key, "v"))
            said->v = span_int(value, -1);
        else if (span_is(key, "seat"))
            said->seat = (int)span_int(value, -1);
        else if (span_is(key, "d"))
            said->data = value;
        else if (span_is(key, "id"))
            said->id = value;
        else if (span_is(key, "code"))
            said->code = value;
    }
    said->is_event = said->v >= 0 && !span_is(said->type, "snapshot") && !span_is(said->type, "ack");
    return !scan.bad && said->type.kind == '"';
}

static uint32_t hash_of(const char *text, size_t len)
{
    uint64_t hash = 0xcbf29ce484222325ULL;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (uint8_t)text[i]) * 0x100000001b3ULL;
    return (uint32_t)(hash >> 32) | 1u;
}

static bool is_private(const struct said *said)
{
    return span_is(said->type, "dealt") || span_is(said->type, "grouped") ||
           (span_is(said->type, "drew") && span_is(scan_find(said->data, "from"), "stock"));
}

static bool names_cards(struct span data)
{
    return scan_find(data, "card").kind || scan_find(data, "cards").kind || scan_find(data, "groups").kind ||
           scan_find(data, "rest").kind;
}

/* A version has the same text for all who may see the same part of it, on any node and however often it is
 * sent. */
static void check_text(const struct table *table, int seat, const struct said *said, const char *text,
                       size_t len)
{
    uint32_t **told = &heard_of[table->row.id - 1], hash = hash_of(text, len);
    if (!*told)
        *told = calloc((size_t)V_MAX * (ENG_SEAT_MAX + 1), sizeof(**told));
    ASSERT(*told);
    if (said->v >= V_MAX)
        return;
    bool own = is_private(said) && said->seat == seat;
    if (is_private(said) && !own && names_cards(said->data))
        sim_broken("nothing hidden is shown", "table %lld, seat %d: %.*s", (long long)table->row.id, seat,
                   (int)len, text);
    uint32_t *slot = &(*told)[(size_t)said->v * (ENG_SEAT_MAX + 1) + (size_t)(own ? seat : EVERYBODY)];
    if (*slot != 0 && *slot != hash)
        sim_broken("a version has the same text for all", "table %lld, seat %d: %.*s",
                   (long long)table->row.id, seat, (int)len, text);
    *slot = hash;
}

void check_heard(const struct table *table, int seat, int64_t *told_v, int64_t known_v,
                 const struct said *said, const char *text, size_t len)
{
    uint32_t v = table->dealt ? eng_version(&table->game) : 0;
    if (said->v > v)
        sim_broken("only committed state is sent", "table %lld is at v %u, seat %d hears %.*s",
                   (long long)table->row.id, v, seat, (int)(len < 200 ? len : 200), text);
    if (span_is(said->type, "snapshot")) {
        if (said->v < known_v)
            sim_broken("no step back",
                       "table %lld, seat %d knows v %" PRId64 " and gets a snapshot of %" PRId64,
                       (long long)table->row.id, seat, known_v, said->v);
        *told_v = said->v;
    }
    if (!said->is_event)
        return;
    if (said->v != *told_v + 1)
        sim_broken("versions have no gap", "table %lld, seat %d received v %" PRId64 ", then %.*s",
                   (long long)table->row.id, seat, *told_v, (int)(len < 200 ? len : 200), text);
    *told_v = said->v;
    check_text(table, seat, said, text, len);
}

void check_acked(const struct table *table, int seat, const char *command)
{
    for (size_t i = table->moves_n; i-- > 0;)
        if (table->moves[i].seat == seat && strcmp(table->moves[i].command, command) == 0)
            return;
    sim_broken("what is acknowledged is committed", "table %lld, seat %d: %s", (long long)table->row.id, seat,
               command);
}

const struct store_watch check_store = {.moved = check_moved, .changed = check_changed, .chips = check_chips};
