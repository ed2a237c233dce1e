/* Frames without a version: the current states of a table; see wire.h. */
#include <stdio.h>

#include "base/bug.h"
#include "base/clock.h"
#include "tables/wire_pieces.h"

void tab_wire_waiting(struct buf *out, const struct tab_table *table, int64_t now_ms)
{
    ASSERT(table->state == TAB_WAITING);
    tab_wire_open_state(out, WIRE_FRAME_WAITING);
    tab_wire_about(out, table);
    json_key(out, "seats");
    json_open(out, '[');
    for (uint8_t i = 0; i < table->seats_n; i++) {
        json_open(out, '{');
        tab_wire_person(out, table, i);
        if (table->ready >> i & 1)
            json_kv_bool(out, "ready", true);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_kv_bool(out, "bots", table->room.bots);
    json_kv_num(out, "bots_n", table->room.bots_n);
    uint8_t host = tab_host_seat(table);
    wire_number_or_null(out, "host", host, host != ENG_NO_SEAT);
    json_key(out, "starts_in_ms");
    /* A table opened by a player waits for players, not for a scheduled time. */
    bool timed = table->room.visibility == TAB_IN_ROOM || table->room.visibility == TAB_HOUSE;
    int64_t at = table->start_ms != TAB_NEVER ? table->start_ms : timed ? table->fill_ms : TAB_NEVER;
    if (at == TAB_NEVER)
        json_nil(out);
    else
        json_num(out, at > now_ms ? at - now_ms : 0);
    tab_wire_close_state(out);
}

void tab_wire_chat(struct buf *out, const struct tab_chat_line *line)
{
    char at[25];
    clock_rfc3339(at, line->unix_ms);
    tab_wire_open_state(out, line->emote ? WIRE_FRAME_EMOTE : WIRE_FRAME_CHAT);
    wire_id(out, "id", line->id);
    json_kv_num(out, "seat", line->seat);
    json_kv_text(out, line->emote ? "name" : "text", line->text);
    json_kv_text(out, "at", at);
    tab_wire_close_state(out);
}

void tab_wire_played_for_you(struct buf *out, const struct tab_table *table, uint8_t seat)
{
    const struct tab_missed_moves *missed = &table->seats[seat].missed;
    int64_t used = table->seats[seat].time_bank_used_ms, left = table->registry->limits.time_bank_ms - used;
    ASSERT(missed->from_v > 0 && missed->from_v <= missed->to_v && missed->to_v <= table->sent_v);
    tab_wire_open_state(out, WIRE_FRAME_PLAYED_FOR_YOU);
    json_kv_num(out, "from_v", missed->from_v);
    json_kv_num(out, "to_v", missed->to_v);
    json_kv_num(out, "turns", missed->turns);
    json_kv_num(out, "time_outs", missed->time_outs);
    json_kv_num(out, "melds", missed->melds);
    json_kv_num(out, "lay_offs", missed->lay_offs);
    wire_number_or_null(out, "opening", missed->opening, missed->opening > 0);
    wire_cards(out, "thrown", missed->discards, missed->discards_n);
    wire_number_or_null(out, "drop_points", missed->drop_points, missed->drop_points > 0);
    json_kv_num(out, "hands", missed->hands);
    json_kv_num(out, "points", missed->points);
    json_kv_num(out, "reserve_used_ms", used);
    json_kv_num(out, "reserve_left_ms", left > 0 ? left : 0);
    tab_wire_close_state(out);
}

void tab_wire_watchers(struct buf *out, size_t n)
{
    tab_wire_open_state(out, WIRE_FRAME_WATCHERS);
    json_kv_num(out, "n", (int64_t)n);
    tab_wire_close_state(out);
}

void tab_wire_presence(struct buf *out, uint8_t seat, bool on)
{
    tab_wire_open_state(out, WIRE_FRAME_PRESENCE);
    json_kv_num(out, "seat", seat);
    json_kv_bool(out, "on", on);
    tab_wire_close_state(out);
}

void tab_wire_clock(struct buf *out, const struct tab_table *table, int64_t now_ms)
{
    ASSERT(tab_is_in_hand(table));
    tab_wire_open_frame(out, WIRE_FRAME_CLOCK);
    json_key(out, "d");
    tab_wire_clock_data(out, table, now_ms);
    json_close(out, '}');
}

void tab_wire_settled(struct buf *out, const struct tab_table *table, uint8_t viewer)
{
    struct eng_view view;
    ASSERT(viewer < table->seats_n || viewer == ENG_SPECTATOR);
    eng_view(&table->game, ENG_SPECTATOR, &view);
    tab_wire_open_state(out, WIRE_FRAME_SETTLED);
    wire_id(out, "game_id", table->settled->game_id);
    json_key(out, "seats");
    json_open(out, '[');
    for (uint8_t i = 0; i < table->seats_n; i++) {
        const struct tab_settled *s = &table->settled->settled[i];
        bool own = s->person && i == viewer;
        json_open(out, '{');
        json_kv_num(out, "seat", i);
        json_kv_num(out, "place", view.place[i]);
        json_kv_num(out, "points", s->points);
        wire_number_or_null(out, "clover", s->clover, s->person);
        wire_number_or_null(out, "silver", s->silver, own);
        wire_number_or_null(out, "gold", s->gold, own);
        wire_number_or_null(out, "silver_lost", s->silver_lost, own);
        wire_number_or_null(out, "level_gold", s->level_gold, own);
        wire_number_or_null(out, "level", s->level, s->person);
        wire_number_or_null(out, "levels_gained", s->levels_gained, s->person);
        json_kv_text(out, "title", s->person ? s->title : NULL);
        wire_number_or_null(out, "rating", s->rating, s->person && s->rated);
        wire_number_or_null(out, "turns", table->settled->scores[i].turns, s->person);
        wire_number_or_null(out, "own_turns", table->settled->scores[i].own_turns, s->person);
        wire_bool_or_null(out, "took_part", s->took_part, s->person);
        wire_bool_or_null(out, "same_people", s->same_people, s->person);
        json_close(out, '}');
    }
    json_close(out, ']');
    tab_wire_close_state(out);
}

void tab_wire_fairness(struct buf *out, const struct tab_table *table)
{
    const struct tab_hand *hand = &table->last;
    /* The seed of a running or future hand remains secret. */
    ASSERT(hand->no <= table->dealt_no && !(tab_is_in_hand(table) && hand->no == table->dealt_no));
    tab_wire_open_state(out, WIRE_FRAME_FAIRNESS);
    wire_hex(out, "commit", hand->commit, sizeof(hand->commit));
    wire_hex(out, "server_seed", hand->server_seed, sizeof(hand->server_seed));
    json_key(out, "client_seeds");
    json_open(out, '[');
    for (uint8_t i = 0; i < table->seats_n; i++)
        wire_hex(out, NULL, hand->seeds[i].bytes, hand->seeds[i].len);
    json_close(out, ']');
    wire_id(out, "table_id", table->id);
    json_kv_num(out, "hand_no", hand->no);
    json_kv_text(out, "key_text", "rummy-deal-1");
    tab_wire_close_state(out);
}

/* A practice table has exactly one human player. */
void tab_wire_waiting_for(struct buf *out, const struct tab_table *table, int64_t now_ms)
{
    uint8_t seat = 0;
    ASSERT(table->wait_ms != TAB_NEVER);
    while (table->seats[seat].person.player_id == 0)
        seat++;
    ASSERT(seat < table->seats_n);
    tab_wire_open_state(out, WIRE_FRAME_WAITING_FOR);
    json_kv_num(out, "seat", seat);
    json_kv_num(out, "ends_in_ms", table->wait_ms > now_ms ? table->wait_ms - now_ms : 0);
    tab_wire_close_state(out);
}

void tab_wire_next_hand(struct buf *out, const struct tab_table *table, int64_t now_ms)
{
    ASSERT(tab_is_between_hands(table) && table->ready >> table->seats_n == 0);
    tab_wire_open_state(out, WIRE_FRAME_NEXT_HAND);
    json_kv_num(out, "hand_no", table->hand_no);
    wire_hex(out, "commit", table->commit, sizeof(table->commit));
    json_kv_num(out, "starts_in_ms", table->next_hand_ms > now_ms ? table->next_hand_ms - now_ms : 0);
    wire_seats(out, "asked", tab_seats_asked(table));
    wire_seats(out, "ready", table->ready);
    tab_wire_close_state(out);
}

void tab_wire_rematch(struct buf *out, const struct tab_table *table)
{
    ASSERT(table->state == TAB_OVER && table->rematch_seats >> table->seats_n == 0);
    tab_wire_open_state(out, WIRE_FRAME_REMATCH);
    wire_id(out, "table_id", table->rematch_id);
    wire_seats(out, "seats", table->rematch_seats);
    tab_wire_close_state(out);
}

void tab_wire_cancelled(struct buf *out, const char *reason)
{
    ASSERT(reason[0] != '\0');
    tab_wire_open_state(out, WIRE_FRAME_CANCELLED);
    json_kv_text(out, "reason", reason);
    tab_wire_close_state(out);
}

void tab_wire_restarting(struct buf *out, int64_t retry_ms)
{
    tab_wire_open_state(out, WIRE_FRAME_RESTARTING);
    json_kv_num(out, "retry_ms", retry_ms);
    tab_wire_close_state(out);
}

void tab_wire_moved(struct buf *out, const struct tab_table *table, const char *base)
{
    char url[TAB_URL_MAX + 40];
    ASSERT(base[0] != '\0');
    (void)snprintf(url, sizeof(url), "%s/ws/tables/%lld", base, (long long)table->id);
    tab_wire_open_state(out, WIRE_FRAME_MOVED);
    json_kv_text(out, "ws_url", url);
    tab_wire_close_state(out);
}

void tab_wire_paused(struct buf *out, bool paused)
{
    tab_wire_open_state(out, paused ? WIRE_FRAME_PAUSED : WIRE_FRAME_RESUMED);
    tab_wire_close_state(out);
}
