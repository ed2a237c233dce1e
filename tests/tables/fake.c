/* See fake.h. */
#include "tests/tables/fake.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void port_send(void *ctx, tab_socket *const *sockets, size_t n, const char *json, size_t len)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++) {
        struct srv_socket *socket = sockets[i];
        cr_assert_eq(socket->close_code, 0, "a closed socket is sent nothing");
        cr_assert_lt(socket->n, FAKE_FRAMES_MAX);
        char *text = malloc(len + 1);
        memcpy(text, json, len);
        text[len] = '\0';
        socket->frames[socket->n++] = text;
    }
}

static void port_close(void *ctx, tab_socket *socket, int code)
{
    (void)ctx;
    cr_assert_eq(socket->close_code, 0, "closed once");
    socket->close_code = code;
}

static bool port_write(void *ctx, struct tab_write *write)
{
    struct fake *fake = ctx;
    cr_assert_null(fake->pending, "at most one pending write");
    fake->pending = write;
    return true;
}

static bool port_think(void *ctx, const struct tab_thought *thought)
{
    struct fake *fake = ctx;
    if (fake->thinkers_full)
        return false;
    fake->thought = *thought;
    fake->thoughts_n++;
    return true;
}

static int64_t port_now(void *ctx)
{
    return ((struct fake *)ctx)->now_ms;
}

static int64_t port_unix(void *ctx)
{
    const struct fake *fake = ctx;
    return 1795200000000 + fake->now_ms + fake->wall_off_ms;
}

static uint64_t port_random(void *ctx)
{
    (void)ctx;
    return 0x123456789abcdef1ULL;
}

static void port_secret(void *ctx, uint8_t bytes[32])
{
    memset(bytes, ++((struct fake *)ctx)->secrets, 32);
}

static const char *port_text(void *ctx, const char *code)
{
    (void)ctx;
    (void)code;
    return "A sentence.";
}

static void make_world(struct fake *fake, int64_t table_max)
{
    *fake = (struct fake){.now_ms = 1000000};
    const struct tab_ports ports = {.ctx = fake,
                                    .send = port_send,
                                    .close = port_close,
                                    .write = port_write,
                                    .think = port_think,
                                    .now_ms = port_now,
                                    .unix_ms = port_unix,
                                    .random = port_random,
                                    .secret = port_secret,
                                    .code_text = port_text};
    const struct tab_limits limits = {.table_max = (size_t)table_max,
                                      .seed_wait_ms = 1500,
                                      .hand_pause_ms = 8000,
                                      .practice_wait_ms = 1800000,
                                      .sleep_after_ms = 60000,
                                      .bot_think_ms = 1000,
                                      .linger_ms = 60000};
    cr_assert(tab_registry_init(&fake->registry, &ports, &limits));
    fake->load = (struct tab_load){
        .id = 7,
        .state = "waiting",
        .params = "",
        .room = {.name = "Desert",
                 .variant = "rummy51",
                 .stake = 10,
                 .reward = 10,
                 .multiplier_tenths = 10,
                 .bots = true,
                 .bot_level = 1},
        .seats_n = 4,
        .hand_no = 1,
        .fill_in_ms = 5000,
    };
    for (uint8_t i = 0; i < 32; i++)
        fake->load.server_seed[i] = i;
    eng_seed_commit(fake->load.commit, fake->load.server_seed);
}

static struct tab_table *load_table(struct fake *fake, int people)
{
    for (int i = 0; i < people; i++) {
        fake->load.taken[i] = true;
        fake->load.people[i].player_id = 101 + i;
        (void)snprintf(fake->load.people[i].nick, TAB_NICK_MAX, "Player %d", i);
    }
    struct tab_table *table;
    cr_assert_eq(tab_registry_load(&fake->registry, &fake->load, &table), TAB_LOADED);
    return table;
}

struct tab_table *fake_open(struct fake *fake, int people, int64_t table_max)
{
    make_world(fake, table_max);
    return load_table(fake, people);
}

struct tab_table *fake_open_as(struct fake *fake, const char *variant, int people, uint64_t seed)
{
    make_world(fake, 4);
    (void)snprintf(fake->load.room.variant, sizeof(fake->load.room.variant), "%s", variant);
    fake->load.seats_n = (uint8_t)people;
    for (size_t i = 0; i < sizeof(seed); i++)
        fake->load.server_seed[8 + i] = (uint8_t)(seed >> (8 * i));
    eng_seed_commit(fake->load.commit, fake->load.server_seed);
    return load_table(fake, people);
}

struct tab_table *fake_open_variant(struct fake *fake, const char *variant, const char *params, int seats,
                                    int people)
{
    make_world(fake, 4);
    (void)snprintf(fake->load.room.variant, sizeof(fake->load.room.variant), "%s", variant);
    fake->load.params = params;
    fake->load.seats_n = (uint8_t)seats;
    return load_table(fake, people);
}

struct tab_table *fake_open_slow(struct fake *fake, const char *variant, int people, uint8_t hours)
{
    make_world(fake, 4);
    (void)snprintf(fake->load.room.variant, sizeof(fake->load.room.variant), "%s", variant);
    fake->load.seats_n = (uint8_t)people;
    fake->load.room.turn_hours = hours;
    return load_table(fake, people);
}

void fake_close(struct fake *fake)
{
    for (int i = 0; i < FAKE_SOCKETS; i++)
        fake_forget(fake, i);
    free(fake->record);
    tab_registry_free(&fake->registry);
}

void fake_forget(struct fake *fake, int socket)
{
    for (int i = 0; i < fake->sockets[socket].n; i++)
        free(fake->sockets[socket].frames[i]);
    fake->sockets[socket].n = 0;
}

static void keep_row(struct fake *fake, const struct tab_write *write)
{
    cr_assert_lt(fake->rows_n, FAKE_ROWS_MAX);
    struct fake_row *row = &fake->rows[fake->rows_n++];
    memcpy(row->bytes, write->move, write->move_n);
    memcpy(row->command_id, write->command_id, sizeof(row->command_id));
    row->row = (struct tab_load_move){.hand_no = write->hand_no,
                                      .v = write->v,
                                      .seat = write->seat,
                                      .bytes = row->bytes,
                                      .len = write->move_n,
                                      .hash = write->hash,
                                      .unix_ms = port_unix(fake),
                                      .command_id = row->command_id,
                                      .time_bank_ms = write->time_bank_ms,
                                      .hand_clock_ms = write->hand_clock_ms};
}

/* Commits a deal of the hand with these seeds. */
static void commit_deal(struct fake *fake, const struct tab_write *write)
{
    struct tab_hand *hand = &fake->hands[write->hand_no - 1];
    cr_assert_eq(hand->no, write->hand_no);
    hand->dealt_unix_ms = port_unix(fake);
    for (int i = 0; i < write->more->seats_n; i++)
        hand->seeds[i] = write->more->seeds[i];
}

/* Commits the end of the hand and the promise of the next one; clears the seats' seeds. */
static void commit_hand(struct fake *fake, const struct tab_write *write)
{
    struct tab_hand *next = &fake->hands[fake->load.hands_n++];
    cr_assert_eq(fake->load.hands_n, write->hand_no + 1);
    *next = (struct tab_hand){.no = write->hand_no + 1};
    memcpy(next->server_seed, write->more->next_seed, 32);
    memcpy(next->commit, write->more->next_commit, 32);
    for (int i = 0; i < write->more->seats_n; i++)
        fake->load.people[i].seed = (struct eng_client_seed){0};
    free(fake->record);
    fake->record = strndup(write->more->record_len > 0 ? write->more->record : "", write->more->record_len);
}

static void commit_start(struct fake *fake, struct tab_write *write)
{
    fake->hands[0] = (struct tab_hand){.no = 1};
    memcpy(fake->hands[0].server_seed, fake->load.server_seed, 32);
    memcpy(fake->hands[0].commit, fake->load.commit, 32);
    fake->load.hands = fake->hands;
    fake->load.hands_n = 1;
    commit_deal(fake, write);
    fake->load.state = "playing";
    fake->load.started_unix_ms = port_unix(fake);
    write->more->practice = fake->load.practice;
    for (int i = 0; i < write->more->seats_n; i++) {
        struct tab_person *person = &fake->load.people[i];
        person->seed = write->more->seeds[i];
        if (!fake->load.taken[i]) {
            person->bot = true;
            person->bot_level = write->more->bot_level;
            memcpy(person->nick, write->more->bot_nicks[i], sizeof(person->nick));
            fake->load.taken[i] = true;
        }
        write->more->people[i] = *person;
    }
}

struct eng_move fake_think(const struct tab_thought *thought)
{
    static struct eng_master master;
    struct tab_thought own = *thought;
    own.view.params = &own.params;
    eng_master_move(&own.view, &master, &own.dice, &own.move);
    return own.move;
}

void fake_answer(struct fake *fake)
{
    fake->thought.move = fake_think(&fake->thought);
    tab_registry_answer(&fake->registry, &fake->thought);
}

static void commit_turn(struct fake *fake, struct tab_write *write)
{
    struct tab_load *load = &fake->load;
    bool known = load->turn_v == write->more->turn_v && load->turn_seats == write->more->turn_seats;
    if (!known)
        load->turn_due_unix_ms =
            fake->vacation ? INT64_MAX : port_unix(fake) + load->room.turn_hours * (int64_t)3600000;
    load->turn_v = write->more->turn_v;
    load->turn_seats = write->more->turn_seats;
    write->more->due_unix_ms = load->turn_due_unix_ms;
}

bool fake_commit(struct fake *fake)
{
    struct tab_write *write = fake->pending;
    if (!write)
        return false;
    fake->pending = NULL;
    write->result = fake->next_result;
    if (fake->next_result != TAB_WRITTEN) {
        (void)snprintf(write->code, sizeof(write->code), "%s",
                       fake->next_code ? fake->next_code : "internal");
        fake->next_result = TAB_WRITTEN;
    } else {
        fake->writes[write->kind]++;
        if (write->kind == TAB_WRITE_START)
            commit_start(fake, write);
        if (write->kind == TAB_WRITE_MOVE || write->kind == TAB_WRITE_HAND || write->kind == TAB_WRITE_SETTLE)
            keep_row(fake, write);
        if (write->kind == TAB_WRITE_HAND)
            commit_hand(fake, write);
        if (write->kind == TAB_WRITE_DEAL)
            commit_deal(fake, write);
        if (write->kind == TAB_WRITE_TURN)
            commit_turn(fake, write);
        if (write->kind == TAB_WRITE_LOSE)
            fake->load.state = "lost";
        if (write->kind == TAB_WRITE_SEED)
            fake->load.people[write->seat].seed = write->more->seeds[write->seat];
        if (write->kind == TAB_WRITE_SETTLE) {
            fake->load.state = "finished";
            free(fake->record);
            fake->record =
                strndup(write->more->record_len > 0 ? write->more->record : "", write->more->record_len);
            write->more->game_id = 77;
            for (int i = 0; i < write->more->seats_n; i++)
                write->more->settled[i] = (struct tab_settled){.person = fake->load.people[i].player_id != 0,
                                                               .points = 50 + i,
                                                               .silver = 20,
                                                               .level = 2,
                                                               .title = "Ant"};
        }
    }
    tab_written(write->table);
    return true;
}

void fake_settle_down(struct fake *fake)
{
    int n = 0;
    while (fake_commit(fake))
        cr_assert_lt(++n, 10000);
}

void fake_pass(struct fake *fake, int64_t ms)
{
    fake->now_ms += ms;
    (void)tab_registry_tick(&fake->registry);
}

void fake_start(struct fake *fake, struct tab_table *table, int people)
{
    for (uint8_t i = 0; i < people; i++) {
        tab_join(table, i, &fake->sockets[i], -1);
        struct tab_command seed = {
            .kind = TAB_DO_SEED, .seat = i, .id = "seed", .seed = {.len = 16, .bytes = {i}}};
        tab_command(table, &seed);
        while (fake->pending && fake->pending->kind == TAB_WRITE_SEED)
            (void)fake_commit(fake);
    }
    if (!fake->pending)
        fake_pass(fake, 5000);
    cr_assert_eq(fake->pending->kind, TAB_WRITE_START);
    (void)fake_commit(fake);
    cr_assert_eq(table->state, TAB_PLAYING);
}

void fake_expect_same_events(const struct tab_events *a, const struct tab_events *b)
{
    struct eng_event x, y;
    cr_assert(a->last_v == b->last_v && a->held == b->held);
    struct tab_events_at p = tab_events_since(a, a->last_v - a->held), q = tab_events_since(b, p.v);
    while (tab_events_next(&p, &x)) {
        cr_assert(tab_events_next(&q, &y));
        cr_assert_eq(memcmp(&x, &y, sizeof(x)), 0, "version %u", p.v);
    }
}

const char *fake_last(const struct fake *fake, int socket)
{
    const struct srv_socket *s = &fake->sockets[socket];
    return s->n > 0 ? s->frames[s->n - 1] : "";
}

int fake_count(const struct fake *fake, int socket, const char *text)
{
    int n = 0;
    for (int i = 0; i < fake->sockets[socket].n; i++)
        n += strstr(fake->sockets[socket].frames[i], text) != NULL;
    return n;
}

struct tab_command fake_move(uint8_t seat, const char *id, enum eng_move_type type)
{
    struct tab_command command = {
        .kind = TAB_DO_MOVE, .seat = seat, .move = {.type = (uint8_t)type, .meld = ENG_NO_MELD}};
    (void)snprintf(command.id, sizeof(command.id), "%s", id);
    return command;
}

struct tab_command fake_next(const struct tab_table *table, const char *id)
{
    uint8_t seat = eng_seat_to_move(&table->game);
    if (eng_phase(&table->game) == ENG_TO_DRAW)
        return fake_move(seat, id, ENG_DRAW_STOCK);
    struct eng_view view;
    eng_view(&table->game, seat, &view);
    struct tab_command command = fake_move(seat, id, ENG_DISCARD);
    command.move.n = 1;
    for (int i = 0; i < view.hand_n; i++)
        if (!eng_card_is_joker(view.hand[i])) {
            command.move.cards[0] = view.hand[i];
            break;
        }
    return command;
}

void fake_play_to_seat(struct fake *fake, struct tab_table *table, uint8_t seat)
{
    static unsigned id;
    while (eng_seat_to_move(&table->game) != seat || fake->pending) {
        if (!fake->pending) {
            char name[24];
            (void)snprintf(name, sizeof(name), "p-%u", id++);
            struct tab_command next = fake_next(table, name);
            tab_command(table, &next);
        }
        cr_assert(fake_commit(fake));
    }
}
