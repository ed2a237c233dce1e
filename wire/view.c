/* What a seat sees, as members of a snapshot; see game.h. */
#include "base/bug.h"
#include "wire/game.h"
#include "wire/values.h"

/* The parameters of the table's variant, so that clients need not hard-code them. */
void wire_params(struct buf *out, const struct eng_params *params)
{
    json_key(out, "params");
    json_open(out, '{');
    for (int field = 0; field < ENG_PARAM_COUNT; field++)
        json_kv_num(out, eng_param_fields[field].name, eng_param_get(params, field));
    json_close(out, '}');
}

static void put_numbers(struct buf *out, const char *key, const int32_t *numbers, int n)
{
    json_key(out, key);
    json_open(out, '[');
    for (int i = 0; i < n; i++)
        json_num(out, numbers[i]);
    json_close(out, ']');
}

void wire_view_session(struct buf *out, const struct eng_view *view)
{
    bool running = view->phase == ENG_TO_DRAW || view->phase == ENG_TO_PLAY;
    ASSERT(view->players >= 2 && view->players <= ENG_SEAT_MAX);
    json_kv_text(out, "variant", view->params->variant);
    wire_params(out, view->params);
    json_kv_num(out, "hand_no", view->hand_no > 0 ? view->hand_no : 1);
    put_numbers(out, "totals", view->points, view->players);
    put_numbers(out, "bonus", view->bonus, view->players);
    wire_seat(out, "me", view->viewer);
    json_kv_text(out, "phase", eng_phase_name(view->phase));
    wire_seat(out, "to_move", running ? view->to_move : ENG_NO_SEAT);
    wire_seat(out, "starter", view->phase == ENG_TO_DEAL ? ENG_NO_SEAT : view->starter);
}

void wire_view_seat(struct buf *out, const struct eng_view *view, uint8_t seat)
{
    ASSERT(seat < view->players);
    json_kv_bool(out, "away", view->away[seat]);
    json_kv_bool(out, "left", view->left[seat]);
    json_kv_bool(out, "opened", view->opened[seat]);
    json_kv_num(out, "cards_n", view->cards_n[seat]);
    json_kv_num(out, "round", view->round[seat]);
    json_kv_num(out, "points", view->points[seat]);
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
        json_kv_text(out, "kind", wire_kind(meld->kind));
        json_kv_num(out, "owner", meld->owner);
        json_kv_num(out, "low", meld->low);
        json_kv_text(out, "suit", meld->kind == ENG_RUN ? suits[meld->suit % 4] : NULL);
        json_kv_bool(out, "staged", meld->staged != 0);
        wire_cards(out, "cards", meld->cards, meld->n);
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
    wire_card(out, view->drawn_card);
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
        wire_card(out, (uint8_t)(ENG_JOKER_FIRST + i));
        json_kv_num(out, "meld", view->freed_meld[i]);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_kv_num(out, "flips", view->flips);
    json_close(out, '}');
}

static void put_seats_that(struct buf *out, const char *key, const bool seats[ENG_SEAT_MAX])
{
    uint8_t mask = 0;
    for (int i = 0; i < ENG_SEAT_MAX; i++)
        mask |= (uint8_t)(seats[i] << i);
    wire_seats(out, key, mask);
}

/* Additional members of the declare family; empty or null in the meld family. */
static void put_declare(struct buf *out, const struct eng_view *view)
{
    json_key(out, "wild");
    if (view->wild_card == ENG_NO_CARD || view->params->family != ENG_FAMILY_DECLARE) {
        json_nil(out);
    } else {
        json_open(out, '{');
        json_key(out, "card");
        wire_card(out, view->wild_card);
        wire_rank(out, "rank", view->wild_rank);
        json_close(out, '}');
    }
    put_seats_that(out, "dropped", view->dropped);
    put_seats_that(out, "wrong", view->wrong);
    put_seats_that(out, "sat_out", view->sat_out);
    put_seats_that(out, "eliminated", view->eliminated);
    put_seats_that(out, "to_group", view->to_group);
    wire_seat(out, "declarer", view->declarer);
    json_kv_bool(out, "may_take", view->may_take);
    json_kv_num(out, "drop_points", view->drop_points);
    json_kv_bool(out, "may_rejoin", view->may_rejoin);
    json_kv_num(out, "rejoin_total", view->rejoin_total);
    json_key(out, "grouping");
    const struct eng_view_grouping *own = view->viewer < ENG_SEAT_MAX ? &view->grouping[view->viewer] : NULL;
    if (!own || own->n == 0) {
        json_nil(out);
    } else {
        json_open(out, '{');
        wire_groups(out, own->cards, own->n, own->groups, own->lens);
        json_close(out, '}');
    }
}

void wire_view_table(struct buf *out, const struct eng_view *view)
{
    ASSERT(view->viewer != ENG_SPECTATOR || view->hand_n == 0);
    wire_cards(out, "hand", view->hand, view->hand_n);
    json_kv_num(out, "stock_n", view->stock_n);
    wire_cards(out, "discard", view->discard, view->discard_n);
    put_melds(out, view);
    put_turn(out, view);
    put_declare(out, view);
}
