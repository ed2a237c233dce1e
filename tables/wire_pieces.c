/* Parts shared by several frames; see wire_pieces.h. */
#include "tables/wire_pieces.h"

#include "base/bug.h"
#include "tables/hand_clock.h"

/* ---- Parts of several frames ---- */
void tab_wire_about(struct buf *out, const struct tab_table *table)
{
    static const char *const visibilities[] = {"room", "public", "private", "house"};
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
    wire_hex(out, "commit", table->commit, sizeof(table->commit));
    json_kv_num(out, "stake", table->room.stake);
    json_kv_num(out, "reward", table->room.reward);
    json_kv_text(out, "multiplier", multiplier);
    if (table->room.turn_hours > 0)
        json_kv_num(out, "turn_hours", table->room.turn_hours);
    if (tab_deal_is_shared(&table->deal))
        json_kv_bool(out, "same_deal", true);
    if (tab_deal_is_shared(&table->deal) && table->practice)
        json_kv_bool(out, "daily", true);
    if (table->room.club_id != 0) {
        json_key(out, "club");
        json_open(out, '{');
        wire_id(out, "id", table->room.club_id);
        json_kv_text(out, "name", table->room.club[0] ? table->room.club : NULL);
        json_close(out, '}');
    }
}

void tab_wire_person(struct buf *out, const struct tab_table *table, uint8_t seat)
{
    const struct tab_person *person = &table->seats[seat].person;
    ASSERT(seat < table->seats_n);
    json_kv_num(out, "seat", seat);
    if (person->player_id != 0) {
        wire_id(out, "player_id", person->player_id);
    } else {
        json_key(out, "player_id");
        json_nil(out);
    }
    json_kv_text(out, "nick", person->nick);
    json_kv_text(out, "avatar", person->avatar);
    json_kv_bool(out, "bot", person->bot);
    if (person->bot)
        json_kv_text(out, "level", eng_bot_level_name((enum eng_bot_level)person->bot_level));
    if (person->program)
        json_kv_bool(out, "program", true);
    json_kv_bool(out, "on", table->sockets[seat] != NULL);
}

static void put_hand_clocks(struct buf *out, const struct tab_table *table)
{
    json_key(out, "hand_ms_left");
    json_open(out, '[');
    for (uint8_t i = 0; i < table->seats_n; i++)
        json_num(out, tab_hand_clock_left(table, i));
    json_close(out, ']');
}

void tab_wire_clock_data(struct buf *out, const struct tab_table *table, int64_t now_ms)
{
    int64_t whole = tab_clock_ms(table), left = table->turn_ms == TAB_NEVER ? whole : table->turn_ms - now_ms;
    ASSERT(whole > 0);
    json_open(out, '{');
    wire_seat(out, "seat", eng_seat_to_move(&table->game)); /* null: all who are grouping cards */
    json_kv_num(out, "ms_left", left > 0 ? left : 0);
    json_kv_num(out, "turn_ms", whole);
    if (table->slow.stopped)
        json_kv_bool(out, "stopped", true);
    if (tab_has_hand_clock(table) && table->turn_ms != TAB_NEVER)
        put_hand_clocks(out, table);
    json_close(out, '}');
}

/* ---- Frames without a version ---- */
void tab_wire_open_frame(struct buf *out, enum wire_frame frame)
{
    json_open(out, '{');
    json_kv_text(out, "t", wire_frame_name(frame));
}

void tab_wire_open_state(struct buf *out, enum wire_frame frame)
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
