/* The snapshot frame: everything a seat may see, from eng_view. Hub thread and REST loops. */
#include "base/bug.h"
#include "tables/wire_pieces.h"

static void put_table(struct buf *out, const struct tab_table *table)
{
    json_key(out, "table");
    json_open(out, '{');
    wire_id(out, "id", table->id);
    json_kv_num(out, "hand_no", table->hand_no);
    tab_wire_about(out, table);
    json_close(out, '}');
}

static void put_seats(struct buf *out, const struct tab_table *table, const struct eng_view *view)
{
    json_key(out, "seats");
    json_open(out, '[');
    for (uint8_t i = 0; i < table->seats_n; i++) {
        json_open(out, '{');
        tab_wire_person(out, table, i);
        wire_view_seat(out, view, i);
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void put_result(struct buf *out, const struct tab_table *table, const struct eng_view *view, bool over)
{
    json_key(out, "result");
    if (!over) {
        json_nil(out);
        return;
    }
    json_open(out, '{');
    wire_seat(out, "winner", table->ended.seat);
    wire_seats(out, "winners", view->winners);
    json_kv_text(out, "ending", eng_ending_name(table->ended.hand_ended.ending));
    json_kv_bool(out, "rummy", table->ended.hand_ended.rummy);
    json_key(out, "seats");
    json_open(out, '[');
    for (uint8_t i = 0; i < table->seats_n; i++) {
        struct eng_event scored = table->scored[i];
        scored.scored.total = view->points[i]; /* a player may have rejoined or left since then */
        scored.scored.place = view->place[i];
        json_open(out, '{');
        json_kv_num(out, "seat", i);
        wire_score(out, &scored);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_close(out, '}');
}

void tab_wire_snapshot(struct buf *out, const struct tab_table *table, uint8_t seat, int64_t now_ms)
{
    struct eng_view view;
    ASSERT(seat < table->seats_n || seat == ENG_SPECTATOR);
    eng_view(&table->game, seat, &view);
    ASSERT(view.viewer == seat && (seat != ENG_SPECTATOR || view.hand_n == 0));
    bool running = view.phase == ENG_TO_DRAW || view.phase == ENG_TO_PLAY;
    bool grouping = view.phase == ENG_TO_GROUP;
    bool over = view.phase == ENG_HAND_OVER || view.phase == ENG_SESSION_OVER;
    tab_wire_open_frame(out, WIRE_FRAME_SNAPSHOT);
    json_kv_num(out, "v", view.v);
    json_key(out, "d");
    json_open(out, '{');
    put_table(out, table);
    wire_view_session(out, &view);
    put_seats(out, table, &view);
    wire_view_table(out, &view);
    json_key(out, "clock");
    if ((running || grouping) && table->wait_ms == TAB_NEVER)
        tab_wire_clock_data(out, table, now_ms);
    else
        json_nil(out);
    put_result(out, table, &view, over);
    json_close(out, '}');
    json_close(out, '}');
}
