/* Players: how they get to their seats, what the SDKs do for them when a connection breaks, and how they
 * play. See people.h. */
#include "tests/simulate/people.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/core/token.h"
#include "base/bug.h"
#include "server/hub/hub.h"
#include "tests/simulate/check.h"
#include "tests/simulate/rows.h"
#include "wire/frames.h"
#include "wire/game.h"

enum {
    PENDING_MAX = 6,
    TEXT_MAX = 512,
    LATE_MS = 4000,
    PURSE = 10000,
    STAKE = 120,
    SEATS_MAX = 4,
    FILL_MS_MAX = 12000,
};

enum kind { QUICK, CAREFUL, SLEEPY, RESTLESS, HOSTILE, LEAVER, KINDS_N };

struct pending {
    char id[COMMAND_MAX];
    char text[TEXT_MAX];
    bool move, again;
    int64_t sent_us; /* when it was first sent; 0: not yet */
};

struct person {
    int64_t player; /* from 1 on */
    int64_t table;
    uint8_t seat;
    enum kind kind;
    struct sim_conn *conn;
    bool open, over, away, paused, thinks, waits, left;
    int64_t asks;         /* number of attempts; an answer to an earlier attempt is ignored */
    int64_t v, told_v;    /* version that the player has; last version received on this connection */
    int64_t told_wait_ms; /* as sent by the server; 0: not sent */
    int tries, commands_n;
    uint32_t seeded;
    struct pending pending[PENDING_MAX];
    size_t pending_n;
    uint64_t rng;
    char last_id[COMMAND_MAX];
};

static struct person people[SIM_CLIENTS_MAX];
static size_t people_n;
static uint64_t moves_n;
static struct api_token_keys keys;
static bool all_well; /* no more faults or absences from now on */

static void connect_now(void *arg, int64_t nth);
static void think_later(struct person *person);

/* ---- Connections ---- */
static void try_later(struct person *person, bool reached)
{
    static const int server_ms[] = {300, 700, 1000, 2000, 4000}, line_ms[] = {300, 600, 800};
    size_t n = reached ? ARRAY_LEN(server_ms) : ARRAY_LEN(line_ms);
    size_t step = (size_t)person->tries < n ? (size_t)person->tries : n - 1;
    int64_t ms = person->told_wait_ms ? person->told_wait_ms : reached ? server_ms[step] : line_ms[step];
    person->told_wait_ms = 0;
    person->tries++;
    person->waits = true;
    sim_after(ms * sim_between(&sim_people, 750, 1250), NULL, connect_now, person, ++person->asks);
}

static void drop(struct person *person)
{
    struct sim_conn *conn = person->conn;
    person->conn = NULL;
    person->open = false;
    if (conn)
        sim_hang_up(conn);
}

static void end(struct person *person, const char *why)
{
    sim_trace("player %lld stops: %s", (long long)person->player, why);
    drop(person);
    person->over = true;
    person->asks++;
}

static void transmit(struct person *person, struct pending *pending)
{
    if (pending->sent_us == 0)
        pending->sent_us = sim_now;
    sim_send(person->conn, pending->text, strlen(pending->text));
}

static void on_opened(void *ctx, struct sim_conn *conn)
{
    struct person *person = ctx;
    size_t kept = 0;
    if (conn != person->conn)
        return;
    person->open = true;
    person->paused = false;
    for (size_t i = 0; i < person->pending_n; i++)
        if (person->pending[i].again)
            person->pending[kept++] = person->pending[i];
    person->pending_n = kept;
    for (size_t i = 0; i < person->pending_n; i++)
        transmit(person, &person->pending[i]);
    think_later(person);
}

static void on_closed(void *ctx, struct sim_conn *conn, int code)
{
    struct person *person = ctx;
    if (conn != person->conn)
        return;
    person->conn = NULL;
    person->open = false;
    sim_trace("player %lld: its line ends with %d", (long long)person->player, code);
    if (code == WIRE_CLOSE_LEFT || code == WIRE_CLOSE_FORBIDDEN) {
        if (!person->left)
            sim_broken("who has a seat keeps it", "player %lld is sent away from table %lld with %d",
                       (long long)person->player, (long long)person->table, code);
        end(person, "it left its seat");
        return;
    }
    if (code == WIRE_CLOSE_LOST) {
        end(person, "the table is lost");
        return;
    }
    bool later = code == WIRE_CLOSE_TRY_LATER || code == 1011;
    if (later)
        person->told_wait_ms = 1000LL << (person->tries < 6 ? person->tries : 6);
    try_later(person, code != 1006);
}

/* ---- Commands ---- */
static void sent_late(void *arg, int64_t nth)
{
    struct person *person = arg;
    if (person->over || !person->open || person->paused || person->asks != nth)
        return;
    for (size_t i = 0; i < person->pending_n; i++) {
        const struct pending *pending = &person->pending[i];
        if (pending->sent_us == 0 || sim_now - pending->sent_us < LATE_MS * SIM_MS)
            continue;
        drop(person);
        try_later(person, true);
        return;
    }
}

/* json: {"t":…,"d":{…}}, which gets its id and base. */
static void command(struct person *person, const char *json, bool move, int64_t base)
{
    if (person->pending_n == PENDING_MAX || person->over)
        return;
    struct pending *pending = &person->pending[person->pending_n++];
    *pending = (struct pending){.move = move, .again = true};
    (void)snprintf(pending->id, sizeof(pending->id), "p%lld-%d", (long long)person->player,
                   ++person->commands_n);
    memcpy(person->last_id, pending->id, sizeof(person->last_id));
    char head[96];
    int n = snprintf(head, sizeof(head), "{\"id\":\"%s\",", pending->id);
    if (base >= 0)
        n += snprintf(head + n, sizeof(head) - (size_t)n, "\"base\":%lld,", (long long)base);
    ASSERT((size_t)n + strlen(json) < TEXT_MAX);
    (void)snprintf(pending->text, sizeof(pending->text), "%s%s", head, json + 1);
    if (person->open)
        transmit(person, pending);
    sim_after((LATE_MS + 1) * SIM_MS, NULL, sent_late, person, person->asks);
}

static void send_seed(struct person *person, uint32_t hand)
{
    if (person->seeded >= hand)
        return;
    person->seeded = hand;
    char json[128];
    (void)snprintf(json, sizeof(json), "{\"t\":\"seed\",\"d\":{\"seed\":\"%016llx%016llx\"}}",
                   (unsigned long long)sim_roll(&sim_people), (unsigned long long)sim_roll(&sim_people));
    command(person, json, false, -1);
    if (hand > 1 || sim_chance(&sim_people, 300))
        command(person, "{\"t\":\"ready\",\"d\":{}}", false, -1);
}

/* A player who is out of a pool may rejoin between hands. Towards the end no player rejoins, so that the
 * pool ends. */
static void rejoin(struct person *person, const struct table *table)
{
    if (!all_well && table->params.pool && eng_seat_is_out(&table->game, person->seat) &&
        sim_chance(&sim_people, 300))
        command(person, "{\"t\":\"rejoin\",\"d\":{}}", true, -1);
}

static void answered(struct person *person, const struct said *said)
{
    for (size_t i = 0; i < person->pending_n; i++) {
        struct pending *pending = &person->pending[i];
        if (said->id.kind != '"' || said->id.n != strlen(pending->id) ||
            memcmp(said->id.at, pending->id, said->id.n) != 0)
            continue;
        if (span_is(said->type, "ack") && pending->move)
            check_acked(store_table(person->table), person->seat, pending->id);
        *pending = person->pending[--person->pending_n];
        return;
    }
}

/* ---- Frames ---- */
static void on_frame(void *ctx, struct sim_conn *conn, const char *text, size_t len)
{
    struct person *person = ctx;
    struct said said;
    if (conn != person->conn)
        return;
    ASSERT(frame_read(&said, text, len));
    person->tries = 0;
    const struct table *table = store_table(person->table);
    check_heard(table, person->seat, &person->told_v, person->v, &said, text, len);
    if (said.is_event || span_is(said.type, "snapshot"))
        person->v = said.v;
    else if (span_is(said.type, "ack") || span_is(said.type, "nack"))
        answered(person, &said);
    else if (span_is(said.type, "restarting"))
        person->told_wait_ms = span_int(scan_find(said.data, "retry_ms"), 1000);
    else if (span_is(said.type, "moved")) {
        connect_now(person, ++person->asks);
        return;
    } else if (span_is(said.type, "paused") || span_is(said.type, "resumed"))
        person->paused = span_is(said.type, "paused");
    else if (span_is(said.type, "waiting"))
        send_seed(person, 1);
    else if (span_is(said.type, "next_hand")) {
        rejoin(person, table);
        send_seed(person, (uint32_t)span_int(scan_find(said.data, "hand_no"), 0));
    }
    think_later(person);
}

static const struct sim_line_ports ports = {.opened = on_opened, .frame = on_frame, .closed = on_closed};

/* ---- Tickets: REST, which any node that reaches PostgreSQL serves ---- */
static bool rest_answers(void)
{
    for (int i = 0; store_up && i < sim_nodes_n(); i++) {
        struct sim_node *node = sim_node(i);
        if (sim_node_serves(node) && sim_node_frozen_until(node) <= sim_now && !sim_net_is_cut(node) &&
            !db_is_cut(node))
            return true;
    }
    return false;
}

static void ticket_comes(void *arg, int64_t nth)
{
    struct person *person = arg;
    if (person->over || person->asks != nth)
        return;
    const struct table *table = store_table(person->table);
    if (!rest_answers()) {
        try_later(person, false);
        return;
    }
    if (table->row.state > ROW_PLAYING) {
        end(person, "the table is over");
        return;
    }
    if (table->row.seats[person->seat].player != person->player) {
        end(person, "it has no seat");
        return;
    }
    const struct ticket_row *ticket = tickets_put(person->table, person->player, person->seat);
    char text[API_TICKET_TEXT_MAX];
    api_ticket_write(&keys, ticket->id, person->player, 0xff, text);
    if (person->kind == HOSTILE && sim_chance(&sim_people, 100))
        text[8] ^= 1;
    person->told_v = person->v < 0 ? 0 : person->v;
    person->waits = false;
    sim_trace("player %lld connects to %s with v %lld", (long long)person->player,
              sim_node_name(sim_node(table->row.node)), (long long)person->v);
    person->conn = sim_connect(sim_node(table->row.node), person->table, text, person->v, &ports, person);
}

static void connect_now(void *arg, int64_t nth)
{
    struct person *person = arg;
    if (person->over || person->away || person->asks != nth)
        return;
    drop(person);
    sim_after(sim_between(&sim_people, 3, 40) * SIM_MS, NULL, ticket_comes, person, nth);
}

static void comes_back(void *arg, int64_t number)
{
    struct person *person = arg;
    (void)number;
    if (person->over || !person->away)
        return;
    person->away = false;
    connect_now(person, ++person->asks);
}

static void goes_away(struct person *person, int64_t ms)
{
    sim_trace("player %lld is away for %lld ms", (long long)person->player, (long long)ms);
    person->away = true;
    person->asks++;
    drop(person);
    sim_after(ms * SIM_MS, NULL, comes_back, person, 0);
}

/* ---- Thinking ---- */
static void misbehave(struct person *person)
{
    static const char *const texts[] = {"",
                                        "{",
                                        "[]",
                                        "{\"t\":\"draw\"}",
                                        "{\"t\":\"draw\",\"id\":\"x\",\"d\":{\"from\":\"sleeve\"}}",
                                        "{\"t\":\"discard\",\"id\":\"y\",\"d\":{\"cards\":[\"X1\",\"X1\"]}}",
                                        "{\"t\":\"time_out\",\"id\":\"z\",\"d\":{}}",
                                        "{\"t\":\"close\",\"id\":\"z\",\"d\":{}}",
                                        "{\"t\":\"draw\",\"id\":\"\",\"d\":{\"from\":\"stock\"}}",
                                        "{\"t\":\"seed\",\"id\":\"s\",\"d\":{\"seed\":\"zz\"}}"};
    char text[TEXT_MAX];
    const char *say = texts[sim_between(&sim_people, 0, (int64_t)ARRAY_LEN(texts) - 1)];
    if (sim_chance(&sim_people, 300)) { /* an id that was already used for another command */
        (void)snprintf(text, sizeof(text), "{\"t\":\"draw\",\"id\":\"%s\",\"d\":{\"from\":\"discard\"}}",
                       person->last_id[0] ? person->last_id : "none");
        say = text;
    }
    sim_send(person->conn, say, strlen(say));
}

static bool is_to_act(const struct person *person, const struct table *table)
{
    if (!table->dealt || table->row.state != ROW_PLAYING || person->v != eng_version(&table->game))
        return false;
    if (eng_phase(&table->game) == ENG_TO_GROUP)
        return eng_seat_to_group(&table->game, person->seat);
    return eng_seat_to_move(&table->game) == person->seat;
}

static void move(struct person *person, const struct table *table)
{
    struct eng_view view;
    struct eng_move best;
    char memory[TEXT_MAX];
    struct buf out = buf_on(memory, sizeof(memory));
    eng_view(&table->game, person->seat, &view);
    eng_bot_move(&view, ENG_BOT_EASY, &person->rng, &best);
    wire_move(&out, &best);
    buf_put(&out, "", 1);
    ASSERT(!out.full);
    moves_n++;
    command(person, memory, true, sim_chance(&sim_people, 500) ? person->v : -1);
}

static void think(void *arg, int64_t number)
{
    struct person *person = arg;
    (void)number;
    person->thinks = false;
    if (person->over || !person->open || person->paused)
        return;
    const struct table *table = store_table(person->table);
    if (person->kind == HOSTILE && sim_chance(&sim_people, 60))
        misbehave(person);
    if (person->kind == RESTLESS && sim_chance(&sim_people, 40)) {
        goes_away(person, sim_between(&sim_people, 50, 9000));
        return;
    }
    if (person->kind == SLEEPY && sim_chance(&sim_people, 30)) {
        goes_away(person, sim_between(&sim_people, 5000, 150000));
        return;
    }
    if (person->kind == LEAVER && !person->left && sim_chance(&sim_people, 15)) {
        person->left = true;
        command(person, "{\"t\":\"leave\",\"d\":{}}", false, -1);
        return;
    }
    if (person->pending_n == 0 && is_to_act(person, table))
        move(person, table);
}

static void think_later(struct person *person)
{
    if (person->thinks || person->over)
        return;
    int64_t ms = person->kind == CAREFUL  ? sim_between(&sim_people, 500, 6000)
                 : person->kind == SLEEPY ? sim_between(&sim_people, 300, 45000)
                                          : sim_between(&sim_people, 100, 1500);
    person->thinks = true;
    sim_after(ms * SIM_MS, NULL, think, person, 0);
}

/* ---- Tables ---- */
static void sit_down(struct table *table, uint8_t seat)
{
    ASSERT(people_n < SIM_CLIENTS_MAX);
    struct person *person = &people[people_n++];
    *person = (struct person){.player = (int64_t)people_n,
                              .table = table->row.id,
                              .seat = seat,
                              .kind = (enum kind)sim_between(&sim_people, 0, KINDS_N - 1),
                              .v = -1,
                              .rng = sim_roll(&sim_people)};
    struct seat_row *row = &table->row.seats[seat];
    *row = (struct seat_row){.taken = true, .player = person->player, .held = STAKE};
    (void)snprintf(row->nick, sizeof(row->nick), "player%lld", (long long)person->player);
    store_purses[person->player] -= STAKE; /* equal initial amounts cancel out */
    table->row.people_n++;
    sim_after(sim_between(&sim_people, 1, 300) * SIM_MS, NULL, connect_now, person, person->asks);
}

static int ready_node(void)
{
    for (int tries = 0; tries < 8; tries++) {
        int i = (int)sim_between(&sim_people, 0, sim_nodes_n() - 1);
        if (strcmp(store_nodes[i].state, "ready") == 0)
            return i;
    }
    return -1;
}

static void notify_owner(void *arg, int64_t table)
{
    struct sim_node *node = arg;
    if (sim_node_serves(node))
        srv_hub_table_changed(sim_node_hub(node), table);
}

static void open_table(void *arg, int64_t number)
{
    static const char *const variants[] = {"rummy51", "rummy40", "treff", "rami",
                                           "points",  "pool101", "deals2"};
    int node = store_up ? ready_node() : -1;
    (void)arg;
    if (node < 0) {
        sim_after(500 * SIM_MS, NULL, open_table, NULL, number);
        return;
    }
    struct table *table = &store_tables[store_tables_n++];
    table->variant = variants[sim_between(&sim_people, 0, (int64_t)ARRAY_LEN(variants) - 1)];
    table->bots = true;
    table->stake = STAKE;
    struct table_row *row = &table->row;
    row->id = (int64_t)store_tables_n;
    row->node = node;
    row->seats_n = (uint8_t)sim_between(&sim_people, 2, SEATS_MAX);
    row->hand_no = 1;
    row->created_ms = store_unix_ms();
    row->fill_ms = row->created_ms + sim_between(&sim_people, 0, FILL_MS_MAX);
    for (size_t i = 0; i < sizeof(row->server_seed); i++)
        row->server_seed[i] = (uint8_t)sim_roll(&sim_secrets);
    eng_seed_commit(row->commit, row->server_seed);
    uint8_t sit = (uint8_t)sim_between(&sim_people, 1, row->seats_n);
    for (uint8_t seat = 0; seat < sit; seat++)
        sit_down(table, seat);
    sim_trace("table %lld of %s is opened at %s by %u people", (long long)row->id, table->variant,
              sim_node_name(sim_node(node)), sit);
    if (sim_chance(&sim_people, 500)) /* the node itself handled the request */
        sim_at(sim_now, sim_node(node), notify_owner, sim_node(node), row->id);
    sim_bus_publish(BUS_TABLE_CHANGED, row->id);
    if (sim_chance(&sim_people, 100))
        sim_operator_ends(row->id, sim_between(&sim_people, 0, 240) * SIM_S);
}

static int to_open;

void people_begin(int tables, int64_t within_us)
{
    char secret[33];
    memset(secret, 's', 32);
    secret[32] = '\0';
    ASSERT(api_token_keys_add(&keys, "k1", secret) && tables <= SIM_TABLES_MAX);
    to_open = tables;
    for (int i = 0; i < tables; i++)
        sim_after(SIM_S + sim_between(&sim_people, 0, within_us), NULL, open_table, NULL, i);
}

void people_heal(void)
{
    all_well = true;
    for (size_t i = 0; i < people_n; i++) {
        people[i].kind = QUICK;
        comes_back(&people[i], 0);
    }
}

/* A tie leads to further hands, and bots that stall may tie for a day. */
static bool ties(const struct table *table)
{
    return table->dealt && table->params.tie_hands &&
           table->row.hand_no > (uint32_t)table->params.session_hands + 1;
}

int people_tables_left(void)
{
    int left = to_open - (int)store_tables_n;
    for (size_t i = 0; i < store_tables_n; i++)
        left += store_tables[i].row.state <= ROW_PLAYING && !ties(&store_tables[i]);
    return left;
}

uint64_t people_moves(void)
{
    return moves_n;
}
