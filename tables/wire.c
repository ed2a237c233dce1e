/* Frames: answers and small states; see wire.h. Events are in wire_events.c, the snapshot in wire_snapshot.c.
 */
#include "tables/wire.h"

#include "base/bug.h"
#include "base/clock.h"
#include "base/text.h"
#include "tables/wire_in.h"

const char *const tab_wire_state_names[] = {
    "snapshot",  "waiting", "presence", "clock",    "paused",    "resumed",        "restarting",
    "cancelled", "settled", "fairness", "watchers", "chat",      "rematch",        "emote",
    "ack",       "nack",    "pong",     "legal",    "next_hand", "played_for_you", NULL};

/* ---- Pieces ---- */
void tab_wire_card(struct buf *out, uint8_t card)
{
    if (card == ENG_NO_CARD) {
        json_nil(out);
        return;
    }
    char name[ENG_CARD_NAME_MAX];
    (void)eng_card_name(name, card);
    json_text(out, name);
}

void tab_wire_cards(struct buf *out, const char *key, const uint8_t *cards, int n)
{
    json_key(out, key);
    json_open(out, '[');
    for (int i = 0; i < n; i++)
        tab_wire_card(out, cards[i]);
    json_close(out, ']');
}

void tab_wire_seat(struct buf *out, const char *key, uint8_t seat)
{
    json_key(out, key);
    if (seat >= ENG_SEAT_MAX)
        json_nil(out);
    else
        json_num(out, seat);
}

void tab_wire_seats(struct buf *out, const char *key, uint8_t mask)
{
    json_key(out, key);
    json_open(out, '[');
    for (int seat = 0; seat < ENG_SEAT_MAX; seat++)
        if (mask >> seat & 1)
            json_num(out, seat);
    json_close(out, ']');
}

void tab_wire_hex(struct buf *out, const char *key, const uint8_t *bytes, size_t len)
{
    char hex[2 * 32 + 1];
    ASSERT(len <= 32);
    text_hex(hex, bytes, len);
    if (key)
        json_key(out, key);
    json_text(out, hex);
}

void tab_wire_id(struct buf *out, const char *key, int64_t id)
{
    json_key(out, key);
    buf_put(out, "\"", 1);
    buf_int(out, id);
    buf_put(out, "\"", 1);
}

const char *tab_wire_phase(uint8_t phase)
{
    static const char *const names[] = {"waiting", "draw", "play", "hand_over", "over", "group"};
    ASSERT(phase < ARRAY_LEN(names));
    return names[phase];
}

void tab_wire_groups(struct buf *out, const uint8_t *cards, int n, int groups, const uint8_t *lens)
{
    int at = 0;
    json_key(out, "groups");
    json_open(out, '[');
    for (int i = 0; i < groups; i++) {
        json_open(out, '[');
        for (int k = 0; k < lens[i]; k++)
            tab_wire_card(out, cards[at++]);
        json_close(out, ']');
    }
    json_close(out, ']');
    tab_wire_cards(out, "rest", cards + at, n - at);
}

void tab_wire_rank(struct buf *out, const char *key, uint8_t rank)
{
    char name[2] = {"A23456789TJQK"[rank % 13], '\0'};
    json_kv_text(out, key, name);
}

const char *tab_wire_end(uint8_t end)
{
    return end == ENG_END_LOW ? "low" : end == ENG_END_HIGH ? "high" : NULL;
}

static void open_frame(struct buf *out, const char *type)
{
    json_open(out, '{');
    json_kv_text(out, "t", type);
}

static void open_state(struct buf *out, const char *type)
{
    open_frame(out, type);
    json_key(out, "d");
    json_open(out, '{');
}

static void close_state(struct buf *out)
{
    json_close(out, '}');
    json_close(out, '}');
}

/* ---- States ---- */
void tab_wire_waiting(struct buf *out, const struct tab_table *table, int64_t now_ms)
{
    open_state(out, "waiting");
    tab_wire_about(out, table);
    json_key(out, "seats");
    json_open(out, '[');
    for (uint8_t i = 0; i < table->seats_n; i++) {
        const struct tab_seat *seat = &table->seats[i];
        json_open(out, '{');
        json_kv_num(out, "seat", i);
        if (seat->person.player_id != 0) {
            tab_wire_id(out, "player_id", seat->person.player_id);
        } else {
            json_key(out, "player_id");
            json_nil(out);
        }
        json_kv_text(out, "nick", seat->person.nick);
        json_kv_text(out, "avatar", seat->person.avatar);
        json_kv_bool(out, "bot", seat->person.bot);
        json_kv_bool(out, "on", seat->socket != NULL);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_kv_num(out, "bots_n", table->room.bots_n);
    json_key(out, "starts_in_ms");
    /* A table that a player opened waits for people, not for its time. */
    int64_t at = table->start_ms != TAB_NEVER            ? table->start_ms
                 : table->room.visibility == TAB_IN_ROOM ? table->fill_ms
                                                         : TAB_NEVER;
    if (at == TAB_NEVER)
        json_nil(out);
    else
        json_num(out, at > now_ms ? at - now_ms : 0);
    close_state(out);
}

void tab_wire_said(struct buf *out, const struct tab_said *said)
{
    char at[25];
    clock_rfc3339(at, said->unix_ms);
    open_state(out, said->emote ? "emote" : "chat");
    tab_wire_id(out, "id", said->id);
    json_kv_num(out, "seat", said->seat);
    json_kv_text(out, said->emote ? "name" : "text", said->text);
    json_kv_text(out, "at", at);
    close_state(out);
}

static void put_number_or_null(struct buf *out, const char *key, int64_t number, bool shown)
{
    json_key(out, key);
    if (shown)
        json_num(out, number);
    else
        json_nil(out);
}

void tab_wire_played_for_you(struct buf *out, const struct tab_table *table, uint8_t seat)
{
    const struct tab_missed_moves *missed = &table->seats[seat].missed;
    int64_t used = table->seats[seat].time_bank_used_ms, left = table->registry->limits.time_bank_ms - used;
    open_state(out, "played_for_you");
    json_kv_num(out, "from_v", missed->from_v);
    json_kv_num(out, "to_v", missed->to_v);
    json_kv_num(out, "turns", missed->turns);
    json_kv_num(out, "time_outs", missed->time_outs);
    json_kv_num(out, "melds", missed->melds);
    json_kv_num(out, "lay_offs", missed->lay_offs);
    put_number_or_null(out, "opening", missed->opening, missed->opening > 0);
    tab_wire_cards(out, "thrown", missed->discards, missed->discards_n);
    put_number_or_null(out, "drop_points", missed->drop_points, missed->drop_points > 0);
    json_kv_num(out, "hands", missed->hands);
    json_kv_num(out, "points", missed->points);
    json_kv_num(out, "reserve_used_ms", used);
    json_kv_num(out, "reserve_left_ms", left > 0 ? left : 0);
    close_state(out);
}

void tab_wire_watchers(struct buf *out, size_t n)
{
    open_state(out, "watchers");
    json_kv_num(out, "n", (int64_t)n);
    close_state(out);
}

void tab_wire_presence(struct buf *out, uint8_t seat, bool on)
{
    open_state(out, "presence");
    json_kv_num(out, "seat", seat);
    json_kv_bool(out, "on", on);
    close_state(out);
}

void tab_wire_clock_data(struct buf *out, const struct tab_table *table, int64_t now_ms)
{
    int64_t whole = tab_clock_ms(table), left = table->turn_ms == TAB_NEVER ? whole : table->turn_ms - now_ms;
    json_open(out, '{');
    tab_wire_seat(out, "seat", eng_seat_to_move(&table->game)); /* null: all who group their cards */
    json_kv_num(out, "ms_left", left > 0 ? left : 0);
    json_kv_num(out, "turn_ms", whole);
    json_close(out, '}');
}

void tab_wire_clock(struct buf *out, const struct tab_table *table, int64_t now_ms)
{
    open_frame(out, "clock");
    json_key(out, "d");
    tab_wire_clock_data(out, table, now_ms);
    json_close(out, '}');
}

void tab_wire_settled(struct buf *out, const struct tab_table *table, uint8_t viewer)
{
    struct eng_view view;
    eng_view(&table->game, ENG_SPECTATOR, &view);
    open_state(out, "settled");
    tab_wire_id(out, "game_id", table->game_id);
    json_key(out, "seats");
    json_open(out, '[');
    for (uint8_t i = 0; i < table->seats_n; i++) {
        const struct tab_settled *s = &table->settled[i];
        bool own = s->person && i == viewer;
        json_open(out, '{');
        json_kv_num(out, "seat", i);
        json_kv_num(out, "place", view.place[i]);
        json_kv_num(out, "points", s->points);
        put_number_or_null(out, "clover", s->clover, s->person);
        put_number_or_null(out, "silver", s->silver, own);
        put_number_or_null(out, "gold", s->gold, own);
        put_number_or_null(out, "silver_lost", s->silver_lost, own);
        put_number_or_null(out, "level_gold", s->level_gold, own);
        put_number_or_null(out, "level", s->level, s->person);
        put_number_or_null(out, "levels_gained", s->levels_gained, s->person);
        json_kv_text(out, "title", s->person ? s->title : NULL);
        put_number_or_null(out, "rating", s->rating, s->person && s->rated);
        json_close(out, '}');
    }
    json_close(out, ']');
    close_state(out);
}

void tab_wire_fairness(struct buf *out, const struct tab_table *table)
{
    const struct tab_hand *hand = &table->last;
    open_state(out, "fairness");
    tab_wire_hex(out, "commit", hand->commit, sizeof(hand->commit));
    tab_wire_hex(out, "server_seed", hand->server_seed, sizeof(hand->server_seed));
    json_key(out, "client_seeds");
    json_open(out, '[');
    for (uint8_t i = 0; i < table->seats_n; i++)
        tab_wire_hex(out, NULL, hand->seeds[i].bytes, hand->seeds[i].len);
    json_close(out, ']');
    tab_wire_id(out, "table_id", table->id);
    json_kv_num(out, "hand_no", hand->no);
    json_kv_text(out, "key_text", "rummy-deal-1");
    close_state(out);
}

void tab_wire_next_hand(struct buf *out, const struct tab_table *table, int64_t now_ms)
{
    open_state(out, "next_hand");
    json_kv_num(out, "hand_no", table->hand_no);
    tab_wire_hex(out, "commit", table->commit, sizeof(table->commit));
    json_kv_num(out, "starts_in_ms", table->next_hand_ms > now_ms ? table->next_hand_ms - now_ms : 0);
    tab_wire_seats(out, "ready", table->ready);
    close_state(out);
}

void tab_wire_cancelled(struct buf *out, const char *reason)
{
    open_state(out, "cancelled");
    json_kv_text(out, "reason", reason);
    close_state(out);
}

void tab_wire_restarting(struct buf *out, int64_t retry_ms)
{
    open_state(out, "restarting");
    json_kv_num(out, "retry_ms", retry_ms);
    close_state(out);
}

void tab_wire_paused(struct buf *out, bool paused)
{
    open_state(out, paused ? "paused" : "resumed");
    close_state(out);
}

/* ---- Answers ---- */
void tab_wire_ack(struct buf *out, const char *id, uint32_t v)
{
    open_frame(out, "ack");
    json_kv_text(out, "id", id);
    json_kv_num(out, "v", v);
    json_close(out, '}');
}

void tab_wire_nack(struct buf *out, const char *id, const char *code, const char *text, const uint8_t *cards,
                   int n)
{
    open_frame(out, "nack");
    json_kv_text(out, "id", id);
    json_kv_text(out, "code", code);
    tab_wire_cards(out, "cards", cards, n);
    json_kv_text(out, "text", text);
    json_close(out, '}');
}

void tab_wire_pong(struct buf *out, const char *id, int64_t unix_ms)
{
    char now[25];
    clock_rfc3339(now, unix_ms);
    open_frame(out, "pong");
    json_kv_text(out, "id", id);
    json_key(out, "d");
    json_open(out, '{');
    json_kv_text(out, "now", now);
    close_state(out);
}

static const char *move_name(uint8_t type)
{
    static const char *const names[ENG_MOVE_TYPE_END] = {
        [ENG_DRAW_STOCK] = "draw",         [ENG_DRAW_DISCARD] = "draw", [ENG_MELD] = "meld",
        [ENG_CANCEL_DRAW] = "cancel_draw", [ENG_LAY_OFF] = "lay_off",   [ENG_SWAP] = "swap",
        [ENG_TAKE_BACK] = "take_back",     [ENG_DISCARD] = "discard",   [ENG_FLIP] = "flip",
        [ENG_DECLARE] = "declare",         [ENG_GROUP] = "group",       [ENG_DROP] = "drop",
        [ENG_REJOIN] = "rejoin",
    };
    return type < ENG_MOVE_TYPE_END ? names[type] : NULL;
}

/* As the commands name them: what is in no group is not told. */
static void put_groups(struct buf *out, const struct eng_move *move)
{
    int at = 0;
    json_key(out, "groups");
    json_open(out, '[');
    for (int i = 0; i < move->groups; i++) {
        json_open(out, '[');
        for (int k = 0; k < move->lens[i]; k++)
            tab_wire_card(out, move->cards[at++]);
        json_close(out, ']');
    }
    json_close(out, ']');
    if (move->type == ENG_DECLARE && move->n > 0) {
        json_key(out, "finish");
        tab_wire_card(out, move->cards[move->n - 1]);
    }
}

static void put_move(struct buf *out, const struct eng_move *move)
{
    open_state(out, move_name(move->type));
    switch (move->type) {
    case ENG_DRAW_STOCK:
    case ENG_DRAW_DISCARD:
        json_kv_text(out, "from", move->type == ENG_DRAW_STOCK ? "stock" : "discard");
        break;
    case ENG_MELD:
    case ENG_DISCARD:
        tab_wire_cards(out, "cards", move->cards, move->n);
        break;
    case ENG_TAKE_BACK:
        if (move->meld != ENG_NO_MELD)
            json_kv_num(out, "meld", move->meld);
        break;
    case ENG_LAY_OFF:
    case ENG_SWAP:
        json_key(out, "card");
        tab_wire_card(out, move->cards[0]);
        json_kv_num(out, "meld", move->meld);
        if (move->type == ENG_SWAP && move->n > 1) {
            json_key(out, "joker");
            tab_wire_card(out, move->cards[1]);
        }
        if (move->type == ENG_LAY_OFF && tab_wire_end(move->end))
            json_kv_text(out, "end", tab_wire_end(move->end));
        break;
    case ENG_DECLARE:
    case ENG_GROUP:
        put_groups(out, move);
        break;
    default:
        break;
    }
    close_state(out);
}

void tab_wire_legal(struct buf *out, const char *id, const struct eng_view *view, bool hints)
{
    struct eng_legal legal;
    struct eng_hints good = {0};
    eng_legal(view, &legal);
    if (hints)
        eng_hints(view, &good);
    open_frame(out, "legal");
    json_kv_text(out, "id", id);
    json_kv_num(out, "v", view->v);
    json_key(out, "d");
    json_open(out, '{');
    json_key(out, "types");
    json_open(out, '[');
    const uint32_t draws = 1u << ENG_DRAW_STOCK | 1u << ENG_DRAW_DISCARD;
    if (legal.types & draws)
        json_text(out, "draw");
    for (int type = ENG_CANCEL_DRAW; type < ENG_MOVE_TYPE_END; type++)
        if (legal.types >> type & 1 && move_name((uint8_t)type))
            json_text(out, move_name((uint8_t)type));
    json_close(out, ']');
    json_key(out, "moves");
    json_open(out, '[');
    for (int i = 0; i < good.n; i++)
        put_move(out, &good.moves[i]);
    for (int i = 0; i < legal.n; i++)
        if (legal.moves[i].type != ENG_MELD) /* of melds there are too many to tell all */
            put_move(out, &legal.moves[i]);
    json_close(out, ']');
    close_state(out);
}
