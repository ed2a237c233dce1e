/* The snapshot frame: all that a seat may see, from eng_view. Hub thread and REST loops. */
#include "base/bug.h"
#include "tables/wire_pieces.h"

static void put_table(struct buf *out, const struct tab_table *table)
{
    json_key(out, "table");
    json_open(out, '{');
    tab_wire_id(out, "id", table->id);
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
        json_kv_bool(out, "away", view->away[i]);
        json_kv_bool(out, "left", view->left[i]);
        json_kv_bool(out, "opened", view->opened[i]);
        json_kv_num(out, "cards_n", view->cards_n[i]);
        json_kv_num(out, "round", view->round[i]);
        json_kv_num(out, "points", view->points[i]);
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void put_melds(struct buf *out, const struct eng_view *view)
{
    static const char *const suits[] = {"C", "S", "H", "D"};
    json_key(out, "melds");
    json_open(out, '[');
    for (int i = 0; i < view->melds_n; i++) {
        const struct eng_view_meld *meld = &view->melds[i];
        ASSERT(meld->n <= ENG_RUN_MAX && meld->owner < view->players);
        json_open(out, '{');
        json_kv_num(out, "id", meld->id);
        json_kv_text(out, "kind", meld->kind == ENG_RUN ? "run" : "set");
        json_kv_num(out, "owner", meld->owner);
        json_kv_num(out, "low", meld->low);
        json_kv_text(out, "suit", meld->kind == ENG_RUN ? suits[meld->suit % 4] : NULL);
        json_kv_bool(out, "staged", meld->staged != 0);
        tab_wire_cards(out, "cards", meld->cards, meld->n);
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void put_turn(struct buf *out, const struct eng_view *view)
{
    json_key(out, "turn");
    json_open(out, '{');
    json_kv_bool(out, "drew", view->drew);
    json_key(out, "drawn");
    tab_wire_card(out, view->drawn_card);
    json_kv_bool(out, "may_cancel", view->may_cancel_draw);
    json_kv_bool(out, "must_open", view->must_open);
    json_kv_bool(out, "stock_only", view->stock_only);
    json_kv_bool(out, "opening_turn", view->opening_turn);
    json_kv_num(out, "staged_sum", view->staged_sum);
    json_kv_num(out, "opening_min", view->opening_min);
    json_kv_num(out, "freed_jokers", view->freed_jokers);
    json_key(out, "freed");
    json_open(out, '[');
    for (int i = 0; i < ENG_CARD_MAX - ENG_JOKER_FIRST; i++) {
        if (view->freed_meld[i] == ENG_NO_MELD)
            continue;
        json_open(out, '{');
        json_key(out, "joker");
        tab_wire_card(out, (uint8_t)(ENG_JOKER_FIRST + i));
        json_kv_num(out, "meld", view->freed_meld[i]);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_kv_num(out, "flips", view->flips);
    json_close(out, '}');
}

/* The row the table plays by, so that no client knows a number of a variant by heart. */
static void put_params(struct buf *out, const struct eng_params *params)
{
    json_key(out, "params");
    json_open(out, '{');
    for (int field = 0; field < ENG_PARAM_COUNT; field++)
        json_kv_num(out, eng_param_fields[field].name, eng_param_get(params, field));
    json_close(out, '}');
}

static void put_session(struct buf *out, const struct tab_table *table, const struct eng_view *view)
{
    json_kv_text(out, "variant", table->params.variant);
    put_params(out, &table->params);
    json_kv_num(out, "hand_no", table->dealt_no > 0 ? table->dealt_no : 1);
    json_key(out, "totals");
    json_open(out, '[');
    for (uint8_t i = 0; i < table->seats_n; i++)
        json_num(out, view->points[i]);
    json_close(out, ']');
    json_key(out, "bonus");
    json_open(out, '[');
    for (uint8_t i = 0; i < table->seats_n; i++)
        json_num(out, view->bonus[i]);
    json_close(out, ']');
}

static void put_seats_that(struct buf *out, const char *key, const bool seats[ENG_SEAT_MAX])
{
    uint8_t mask = 0;
    for (int i = 0; i < ENG_SEAT_MAX; i++)
        mask |= (uint8_t)(seats[i] << i);
    tab_wire_seats(out, key, mask);
}

/* What the declare family has besides; empty and null in the other one. */
static void put_declare(struct buf *out, const struct eng_view *view, uint8_t seat)
{
    json_key(out, "wild");
    if (view->wild_card == ENG_NO_CARD || view->params->family != ENG_FAMILY_DECLARE) {
        json_nil(out);
    } else {
        json_open(out, '{');
        json_key(out, "card");
        tab_wire_card(out, view->wild_card);
        tab_wire_rank(out, "rank", view->wild_rank);
        json_close(out, '}');
    }
    put_seats_that(out, "dropped", view->dropped);
    put_seats_that(out, "wrong", view->wrong);
    put_seats_that(out, "sat_out", view->sat_out);
    put_seats_that(out, "eliminated", view->eliminated);
    put_seats_that(out, "to_group", view->to_group);
    tab_wire_seat(out, "declarer", view->declarer);
    json_kv_bool(out, "may_take", view->may_take);
    json_kv_num(out, "drop_points", view->drop_points);
    json_kv_bool(out, "may_rejoin", view->may_rejoin);
    json_kv_num(out, "rejoin_total", view->rejoin_total);
    json_key(out, "grouping");
    const struct eng_view_grouping *own = seat < ENG_SEAT_MAX ? &view->grouping[seat] : NULL;
    if (!own || own->n == 0) {
        json_nil(out);
    } else {
        json_open(out, '{');
        tab_wire_groups(out, own->cards, own->n, own->groups, own->lens);
        json_close(out, '}');
    }
}

static void put_result(struct buf *out, const struct tab_table *table, const struct eng_view *view, bool over)
{
    json_key(out, "result");
    if (!over) {
        json_nil(out);
        return;
    }
    json_open(out, '{');
    tab_wire_seat(out, "winner", table->ended.seat);
    tab_wire_seats(out, "winners", view->winners);
    json_kv_text(out, "ending", eng_ending_name(table->ended.hand_ended.ending));
    json_kv_bool(out, "rummy", table->ended.hand_ended.rummy);
    json_key(out, "seats");
    json_open(out, '[');
    for (uint8_t i = 0; i < table->seats_n; i++) {
        struct eng_event scored = table->scored[i];
        scored.scored.total = view->points[i]; /* since then somebody may have joined again, or left */
        scored.scored.place = view->place[i];
        json_open(out, '{');
        json_kv_num(out, "seat", i);
        tab_wire_score(out, &scored);
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
    tab_wire_open_frame(out, TAB_FRAME_SNAPSHOT);
    json_kv_num(out, "v", view.v);
    json_key(out, "d");
    json_open(out, '{');
    put_table(out, table);
    put_session(out, table, &view);
    tab_wire_seat(out, "me", seat);
    json_kv_text(out, "phase", eng_phase_name(view.phase));
    tab_wire_seat(out, "to_move", running ? view.to_move : ENG_NO_SEAT);
    tab_wire_seat(out, "starter", view.phase == ENG_TO_DEAL ? ENG_NO_SEAT : view.starter);
    put_seats(out, table, &view);
    tab_wire_cards(out, "hand", view.hand, view.hand_n);
    json_kv_num(out, "stock_n", view.stock_n);
    tab_wire_cards(out, "discard", view.discard, view.discard_n);
    put_melds(out, &view);
    put_turn(out, &view);
    put_declare(out, &view, seat);
    json_key(out, "clock");
    if (running || grouping)
        tab_wire_clock_data(out, table, now_ms);
    else
        json_nil(out);
    put_result(out, table, &view, over);
    json_close(out, '}');
    json_close(out, '}');
}
