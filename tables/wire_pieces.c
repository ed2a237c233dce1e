/* Pieces that several frames are made of; see wire_pieces.h. */
#include "tables/wire_pieces.h"

#include "base/bug.h"
#include "base/text.h"

/* ---- Values ---- */
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
    ASSERT(n >= 0 && n <= ENG_CARD_MAX);
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

void tab_wire_groups(struct buf *out, const uint8_t *cards, int n, int groups, const uint8_t *lens)
{
    int at = 0;
    ASSERT(n >= 0 && groups >= 0 && groups <= ENG_GROUPS_MAX);
    json_key(out, "groups");
    json_open(out, '[');
    for (int i = 0; i < groups; i++) {
        json_open(out, '[');
        for (int k = 0; k < lens[i]; k++)
            tab_wire_card(out, cards[at++]);
        json_close(out, ']');
    }
    json_close(out, ']');
    ASSERT(at <= n);
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

void tab_wire_number_or_null(struct buf *out, const char *key, int64_t number, bool shown)
{
    json_key(out, key);
    if (shown)
        json_num(out, number);
    else
        json_nil(out);
}

/* ---- What several frames tell ---- */
void tab_wire_about(struct buf *out, const struct tab_table *table)
{
    static const char *const visibilities[] = {"room", "public", "private"};
    char multiplier[16];
    struct buf m = buf_on(multiplier, sizeof(multiplier) - 1);
    ASSERT(table->room.visibility < ARRAY_LEN(visibilities));
    buf_int(&m, table->room.multiplier_tenths / 10);
    buf_put(&m, ".", 1);
    buf_int(&m, table->room.multiplier_tenths % 10);
    ASSERT(!m.full);
    multiplier[m.len] = '\0';

    json_kv_text(out, "variant", table->room.variant);
    json_kv_text(out, "room", table->room.name[0] ? table->room.name : NULL);
    json_kv_text(out, "visibility", visibilities[table->room.visibility]);
    tab_wire_hex(out, "commit", table->commit, sizeof(table->commit));
    json_kv_num(out, "stake", table->room.stake);
    json_kv_num(out, "reward", table->room.reward);
    json_kv_text(out, "multiplier", multiplier);
}

void tab_wire_person(struct buf *out, const struct tab_table *table, uint8_t seat)
{
    const struct tab_person *person = &table->seats[seat].person;
    ASSERT(seat < table->seats_n);
    json_kv_num(out, "seat", seat);
    if (person->player_id != 0) {
        tab_wire_id(out, "player_id", person->player_id);
    } else {
        json_key(out, "player_id");
        json_nil(out);
    }
    json_kv_text(out, "nick", person->nick);
    json_kv_text(out, "avatar", person->avatar);
    json_kv_bool(out, "bot", person->bot);
    if (person->program)
        json_kv_bool(out, "program", true);
    json_kv_bool(out, "on", table->sockets[seat] != NULL);
}

void tab_wire_score(struct buf *out, const struct eng_event *scored)
{
    ASSERT(scored->private_to == ENG_NO_SEAT); /* what was scored is open */
    json_kv_num(out, "points", scored->scored.points);
    json_kv_num(out, "total", scored->scored.total);
    json_kv_num(out, "bonus", scored->scored.bonus);
    json_kv_num(out, "place", scored->scored.place);
    tab_wire_cards(out, "cards", scored->cards, scored->n);
    json_kv_bool(out, "opened", (scored->scored.flags & ENG_SCORE_OPENED) != 0);
    json_kv_bool(out, "won", (scored->scored.flags & ENG_SCORE_WON) != 0);
    json_kv_bool(out, "rummy", (scored->scored.flags & ENG_SCORE_RUMMY) != 0);
    json_kv_bool(out, "left", (scored->scored.flags & ENG_SCORE_LEFT) != 0);
    json_kv_bool(out, "dropped", (scored->scored.flags & ENG_SCORE_DROPPED) != 0);
    json_kv_bool(out, "wrong", (scored->scored.flags & ENG_SCORE_WRONG) != 0);
    json_kv_bool(out, "out", (scored->scored.flags & ENG_SCORE_OUT) != 0);
    json_kv_bool(out, "sat_out", (scored->scored.flags & ENG_SCORE_SAT_OUT) != 0);
    if (scored->groups > 0)
        tab_wire_groups(out, scored->cards, scored->n, scored->groups, scored->lens);
}

void tab_wire_clock_data(struct buf *out, const struct tab_table *table, int64_t now_ms)
{
    int64_t whole = tab_clock_ms(table), left = table->turn_ms == TAB_NEVER ? whole : table->turn_ms - now_ms;
    ASSERT(whole > 0);
    json_open(out, '{');
    tab_wire_seat(out, "seat", eng_seat_to_move(&table->game)); /* null: all who group their cards */
    json_kv_num(out, "ms_left", left > 0 ? left : 0);
    json_kv_num(out, "turn_ms", whole);
    json_close(out, '}');
}

/* ---- Frames without a version ---- */
void tab_wire_open_frame(struct buf *out, enum tab_frame frame)
{
    json_open(out, '{');
    json_kv_text(out, "t", tab_frame_name(frame));
}

void tab_wire_open_state(struct buf *out, enum tab_frame frame)
{
    tab_wire_open_frame(out, frame);
    json_key(out, "d");
    json_open(out, '{');
}

void tab_wire_close_state(struct buf *out)
{
    json_close(out, '}');
    json_close(out, '}');
}
