/* Moves: of players, of bots, of the clock. Each is applied by the engine and handed to the
 * journal; nobody hears of it before it comes back (table.c). Hub thread. */
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/log.h"
#include "tables/table_in.h"
#include "tables/wire.h"

bool tab_keep_move(struct tab_table *table, const struct eng_move *move)
{
    if (table->moves_n == table->moves_cap) {
        uint32_t cap = table->moves_cap ? 2 * table->moves_cap : 256;
        if (table->moves_n >= TAB_MOVES_MAX)
            return false;
        struct eng_move *grown = realloc(table->moves, cap * sizeof(*grown));
        if (!grown)
            return false;
        table->moves = grown;
        table->moves_cap = cap;
    }
    table->moves[table->moves_n++] = *move;
    return true;
}

void tab_note(struct tab_table *table, const struct eng_outcome *outcome)
{
    uint32_t v = table->events.last_v;
    for (int i = 0; i < outcome->events_n; i++) {
        const struct eng_event *event = &outcome->events[i];
        v++;
        if (tab_starts_clock(event))
            table->turn_v = v;
        if (event->type == ENG_EV_HAND_ENDED)
            table->ended = *event;
        if (event->type == ENG_EV_SCORED)
            table->scored[event->seat] = *event;
        tab_achievement_facts_note(table->facts, event);
    }
    tab_events_put(&table->events, outcome);
    ASSERT(table->events.last_v == eng_version(&table->game));
}

void tab_note_move(struct tab_table *table, const struct eng_move *move, const char *id,
                   const struct eng_outcome *outcome)
{
    uint32_t v = table->events.last_v + 1;
    for (uint8_t i = 0; i < table->seats_n; i++)
        if (!table->seats[i].person.bot)
            tab_missed_moves_note(&table->seats[i].missed, i, move, id[0] != '\0', v, outcome);
    tab_note(table, outcome);
}

bool tab_deal(struct tab_table *table)
{
    struct eng_client_seed seeds[ENG_SEAT_MAX];
    for (uint8_t i = 0; i < table->seats_n; i++)
        seeds[i] = table->seats[i].person.seed;
    uint8_t key[ENG_KEY_BYTES];
    eng_deal_key(key, table->server_seed, (uint64_t)table->id, table->hand_no, seeds, table->seats_n);
    struct eng_outcome out;
    table->before = table->game;
    table->between = table->coming;
    table->coming.n = 0;
    eng_deal(&table->game, key, &out);
    if (out.code != ENG_OK)
        return false;
    table->dealt_no = table->hand_no;
    table->moves_n = 0;
    tab_note(table, &out);
    table->dealt_v = table->events.last_v;
    tab_spectators_dealt(table);
    return true;
}

/* ---- Making a move ---- */
/* The engine takes the move, or refuses it and nothing has changed. */
static enum eng_refusal begin_move(struct tab_table *table, const struct eng_move *move, const char *id,
                                   struct eng_outcome *out)
{
    ASSERT(!table->writing);
    bool between = tab_is_between_hands(table);
    if (eng_apply(&table->game, move, out) != ENG_OK)
        return out->code;
    tab_note_move(table, move, id, out);
    if (between)
        eng_between_add(&table->coming, move); /* for the record of the next hand */
    else if (!tab_keep_move(table, move))
        BUG("a hand without end, or memory is short");
    struct tab_write *write = &table->write;
    write->v = table->events.last_v;
    write->hash = eng_hash(&table->game);
    write->seat = move->seat;
    write->time_bank_ms = tab_time_bank_used(table, move->seat);
    write->move_n = (uint8_t)eng_move_encode(write->move, move);
    memcpy(write->command_id, id, strlen(id) + 1);
    table->bot_ms = TAB_NEVER;
    table->registry->counts.moves++;
    bool over = eng_phase(&table->game) == ENG_SESSION_OVER;
    bool hand_ended = !between && (over || tab_is_between_hands(table));
    if ((over || hand_ended) && !tab_hand_end_prepare(table, hand_ended, over))
        BUG("a finished hand has no record");
    tab_begin_write(table, over ? TAB_WRITE_SETTLE : hand_ended ? TAB_WRITE_HAND : TAB_WRITE_MOVE);
    return ENG_OK;
}

bool tab_make_move(struct tab_table *table, const struct eng_move *move)
{
    struct eng_outcome out;
    if (begin_move(table, move, "", &out) == ENG_OK)
        return true;
    log_error("move_refused", LOG_NUM("table", table->id), LOG_TEXT("code", eng_refusal_name(out.code)));
    return false;
}

/* ---- Commands ---- */
void tab_send_ack(struct tab_table *table, uint8_t seat, const char *id, uint32_t v)
{
    if (id[0] == '\0')
        return;
    char memory[256];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_ack(&frame, id, v);
    tab_send(table, seat, &frame);
}

static void send_nack(struct tab_table *table, uint8_t seat, const char *id, const char *code,
                      const char *text, const uint8_t *cards, int n)
{
    if (id[0] == '\0')
        return;
    char memory[1024];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_nack(&frame, id, code, text, cards, n);
    tab_send(table, seat, &frame);
    table->registry->counts.nacks++;
}

/* A refusal of the table, not of the rules. It is not remembered: the same command may be sent
 * again, and do, once its cause has passed. */
void tab_refuse(struct tab_table *table, uint8_t seat, const char *id, const char *code)
{
    const struct tab_ports *ports = &table->registry->ports;
    send_nack(table, seat, id, code, ports->code_text(ports->ctx, code), NULL, 0);
}

static void refuse(struct tab_table *table, const struct tab_command *command, const char *code)
{
    tab_refuse(table, command->seat, command->id, code);
}

static bool answered_before(struct tab_table *table, const struct tab_command *command)
{
    const struct tab_command_reply *answer =
        tab_command_replies_find(&table->seats[command->seat].replies, command->id);
    if (!answer)
        return false;
    table->registry->counts.repeats++;
    enum eng_refusal code = (enum eng_refusal)answer->code;
    if (code == ENG_OK)
        tab_send_ack(table, command->seat, answer->id, answer->v);
    else
        send_nack(table, command->seat, answer->id, eng_refusal_name(code), eng_refusal_text(code),
                  answer->cards, answer->cards_n);
    return true;
}

static void run_move(struct tab_table *table, const struct tab_command *command, const struct eng_move *move)
{
    struct eng_outcome out;
    if (begin_move(table, move, command->id, &out) == ENG_OK) {
        table->reply_to = command->seat;
        return;
    }
    if (command->id[0] == '\0')
        return;
    tab_command_replies_nack(&table->seats[command->seat].replies, command->id, &out);
    send_nack(table, command->seat, command->id, eng_refusal_name(out.code), eng_refusal_text(out.code),
              out.refused, out.refused_n);
}

/* A declaration names its groups and the finishing card, which comes last; what is in none of them stands
 * between. Cards that are not held stay for the engine to blame. */
static void complete_groups(const struct tab_table *table, struct eng_move *move)
{
    struct eng_view view;
    eng_view(&table->game, move->seat, &view);
    uint8_t named = move->n, finish = move->cards[named - 1];
    move->n--;
    for (int i = 0; i < view.hand_n && move->n < ENG_MOVE_CARDS_MAX - 1; i++)
        if (view.hand[i] != finish && !memchr(move->cards, view.hand[i], named - 1u))
            move->cards[move->n++] = view.hand[i];
    move->cards[move->n++] = finish;
}

static void run_in_game(struct tab_table *table, const struct tab_command *command)
{
    struct eng_move move = {.seat = command->seat, .meld = ENG_NO_MELD};
    bool away = eng_seat_is_away(&table->game, command->seat);
    switch (command->kind) {
    case TAB_DO_MOVE:
        if (command->has_base && command->base < table->turn_v) {
            refuse(table, command, "stale_base");
            return;
        }
        move = command->move;
        move.seat = command->seat;
        if (move.type == ENG_DECLARE)
            complete_groups(table, &move);
        break;
    case TAB_DO_LEAVE:
        move.type = ENG_LEAVE;
        break;
    case TAB_DO_RETURN:
        move.type = ENG_RETURN;
        if (!away && command->id[0] == '\0')
            return;
        break;
    case TAB_DO_READY:
        refuse(table, command, "not_between_hands");
        return;
    default:
        refuse(table, command, "seed_too_late");
        return;
    }
    if (away && command->kind == TAB_DO_MOVE) {
        /* Any own move brings an away player back: first that, then the move itself. */
        struct eng_move back = {.type = ENG_RETURN, .seat = command->seat, .meld = ENG_NO_MELD};
        struct eng_outcome out;
        if (begin_move(table, &back, "", &out) == ENG_OK) {
            table->queue_head = (uint8_t)((table->queue_head + TAB_QUEUE_MAX - 1) % TAB_QUEUE_MAX);
            table->queue[table->queue_head] = *command;
            table->queue_n++;
            return;
        }
    }
    run_move(table, command, &move);
}

static void run_in_waiting(struct tab_table *table, const struct tab_command *command)
{
    struct tab_seat *seat = &table->seats[command->seat];
    struct tab_write *write = &table->write;
    if (command->kind != TAB_DO_SEED && command->kind != TAB_DO_LEAVE) {
        refuse(table, command, "not_started");
        return;
    }
    write->seat = command->seat;
    write->player_id = seat->person.player_id;
    write->seeds[command->seat] = command->seed;
    memcpy(write->command_id, command->id, sizeof(write->command_id));
    table->reply_to = command->seat;
    tab_begin_write(table, command->kind == TAB_DO_SEED ? TAB_WRITE_SEED : TAB_WRITE_LEAVE);
}

static void run_legal(struct tab_table *table, const struct tab_command *command)
{
    char memory[TAB_FRAME_MAX];
    struct buf frame = buf_on(memory, sizeof(memory));
    struct eng_view view;
    eng_view(&table->game, command->seat, &view);
    tab_wire_legal(&frame, command->id, &view, command->hints);
    tab_send(table, command->seat, &frame);
}

void tab_run_command(struct tab_table *table, const struct tab_command *command)
{
    if (answered_before(table, command))
        return;
    if (table->registry->draining)
        refuse(table, command, "draining");
    else if (table->state == TAB_OVER && command->kind != TAB_DO_LEGAL)
        refuse(table, command, "table_over");
    else if (command->kind == TAB_DO_LEGAL)
        run_legal(table, command);
    else if (table->registry->outage)
        refuse(table, command, "paused");
    else if (table->state == TAB_WAITING)
        run_in_waiting(table, command);
    else if (tab_is_between_hands(table) && (command->kind == TAB_DO_SEED || command->kind == TAB_DO_READY))
        tab_between_hands_run(table, command);
    else
        run_in_game(table, command);
}

void tab_enqueue(struct tab_table *table, const struct tab_command *command)
{
    ASSERT(command->seat < table->seats_n);
    if (table->queue_n == TAB_QUEUE_MAX) {
        refuse(table, command, "busy");
        return;
    }
    table->queue[(table->queue_head + table->queue_n) % TAB_QUEUE_MAX] = *command;
    table->queue_n++;
}

void tab_command(struct tab_table *table, const struct tab_command *command)
{
    tab_enqueue(table, command);
    tab_pump(table);
}

/* ---- Bots and the clock ---- */
static uint64_t next_random(uint64_t *state)
{
    /* xorshift64*: only for how long a bot seems to think. */
    uint64_t x = *state ? *state : 1;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * 2685821657736338717ULL;
}

/* The first step of a turn takes a person longer than those that follow from it. */
static int64_t think_ms(struct tab_table *table)
{
    if (!tab_has_audience(table))
        return 0;
    int64_t longest = table->registry->limits.bot_think_ms;
    bool first = table->events.last_v == table->turn_v;
    int64_t part = (int64_t)(next_random(&table->bot_rng) % 50) + (first ? 50 : 25); /* percent */
    return longest * part / 100;
}

static void play_bot(struct tab_table *table, uint8_t seat)
{
    struct eng_view view;
    struct eng_move move;
    struct eng_outcome out;
    const struct tab_person *person = &table->seats[seat].person;
    enum eng_bot_level level = person->bot ? (enum eng_bot_level)person->bot_level : ENG_BOT_MEDIUM;
    eng_view(&table->game, seat, &view);
    eng_bot_move(&view, level, &table->bot_rng, &move);
    move.seat = seat;
    if (begin_move(table, &move, "", &out) == ENG_OK)
        return;
    /* A bot that errs must not stop the table: its turn is played like an expired one. */
    log_error("bot_refused", LOG_NUM("table", table->id), LOG_TEXT("code", eng_refusal_name(out.code)));
    move = (struct eng_move){.type = ENG_TIME_OUT, .seat = seat, .meld = ENG_NO_MELD};
    if (begin_move(table, &move, "", &out) != ENG_OK)
        BUG("the seat to move can neither play nor time out");
}

bool tab_rejoin_bots(struct tab_table *table)
{
    ASSERT(tab_is_between_hands(table));
    for (uint8_t seat = 0; seat < table->seats_n; seat++) {
        const struct tab_person *person = &table->seats[seat].person;
        const struct eng_move move = {.type = ENG_REJOIN, .seat = seat, .meld = ENG_NO_MELD};
        struct eng_outcome out;
        struct eng_view view;
        if (!person->bot)
            continue;
        eng_view(&table->game, seat, &view);
        if (eng_bot_rejoins(&view, (enum eng_bot_level)person->bot_level) &&
            begin_move(table, &move, "", &out) == ENG_OK)
            return true;
    }
    return false;
}

bool tab_play_drive(struct tab_table *table)
{
    enum eng_phase phase = eng_phase(&table->game);
    if (phase == ENG_TO_GROUP)
        return tab_grouping_drive(table);
    if (phase != ENG_TO_DRAW && phase != ENG_TO_PLAY)
        return false;
    uint8_t seat = eng_seat_to_move(&table->game);
    int64_t now = tab_now(table);
    if (table->seats[seat].person.bot || eng_seat_is_away(&table->game, seat)) {
        if (table->bot_ms == TAB_NEVER)
            table->bot_ms = now + think_ms(table);
        if (now < table->bot_ms)
            return false;
        play_bot(table, seat);
        return true;
    }
    if (now < table->turn_ms || tab_time_bank_begin(table, seat))
        return false;
    struct eng_move move = {.type = ENG_TIME_OUT, .seat = seat, .meld = ENG_NO_MELD};
    struct eng_outcome out;
    if (begin_move(table, &move, "", &out) != ENG_OK)
        BUG("the seat to move cannot time out");
    table->registry->counts.timeouts++;
    return true;
}
