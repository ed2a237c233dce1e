/* Event frames; see game.h. */
#include "base/bug.h"
#include "wire/game.h"
#include "wire/values.h"

static bool is_of_no_seat(uint8_t type)
{
    return type == ENG_EV_RESHUFFLED || type == ENG_EV_HAND_ENDED || type == ENG_EV_SESSION_ENDED ||
           type == ENG_EV_WILD;
}

/* Writes `card` of an event that may hide it. */
static void put_card(struct buf *out, const char *key, const struct eng_event *event, int i)
{
    if (i >= event->n)
        return;
    json_key(out, key);
    wire_card(out, event->cards[i]);
}

static void put_meld_data(struct buf *out, const struct eng_event *event)
{
    ASSERT(event->meld < ENG_MELD_MAX);
    json_kv_num(out, "meld", event->meld);
    switch (event->type) {
    case ENG_EV_MELDED:
        json_kv_text(out, "kind", wire_kind(event->melded.kind));
        wire_cards(out, "cards", event->cards, event->n);
        json_kv_num(out, "low", event->melded.low);
        json_kv_bool(out, "staged", event->melded.staged);
        json_kv_num(out, "worth", event->melded.worth);
        break;
    case ENG_EV_TAKEN_BACK:
        wire_cards(out, "cards", event->cards, event->n);
        break;
    case ENG_EV_LAID_OFF:
        put_card(out, "card", event, 0);
        json_kv_text(out, "end", wire_end(event->laid_off.end));
        break;
    default: /* swapped, swap_undone */
        put_card(out, "card", event, 0);
        put_card(out, "joker", event, 1);
        json_kv_num(out, "place", event->swapped.place);
    }
}

/* Writes the data of events of the declare family. */
static void put_declare_data(struct buf *out, const struct eng_event *event)
{
    switch (event->type) {
    case ENG_EV_WILD:
        put_card(out, "card", event, 0);
        wire_rank(out, "rank", event->wild.rank);
        break;
    case ENG_EV_DROPPED:
        json_kv_num(out, "points", event->dropped.points);
        json_kv_text(out, "kind", eng_drop_name(event->dropped.how));
        break;
    case ENG_EV_DECLARED:
        json_kv_bool(out, "valid", event->declared.refusal == ENG_OK);
        wire_groups(out, event->cards, event->n - 1, event->groups, event->lens);
        put_card(out, "finish", event, event->n - 1);
        if (event->declared.refusal != ENG_OK) {
            json_kv_num(out, "points", event->declared.points);
            json_kv_text(out, "code", eng_refusal_name((enum eng_refusal)event->declared.refusal));
        }
        break;
    case ENG_EV_GROUPED:
        json_kv_bool(out, "done", event->grouped.for_good);
        if (event->n > 0)
            wire_groups(out, event->cards, event->n, event->groups, event->lens);
        break;
    default: /* rejoined, eliminated */
        json_kv_num(out, "total", event->rejoined.total);
        break;
    }
}

/* Writes the totals at the end of the session, which may end between two hands, after a player rejoined. */
static void put_totals(struct buf *out, const struct eng_game *game)
{
    struct eng_view view;
    eng_view(game, ENG_SPECTATOR, &view);
    ASSERT(view.phase == ENG_SESSION_OVER);
    json_key(out, "totals");
    json_open(out, '[');
    for (uint8_t i = 0; i < view.players; i++)
        json_num(out, view.points[i]);
    json_close(out, ']');
}

void wire_score(struct buf *out, const struct eng_event *scored)
{
    ASSERT(scored->private_to == ENG_NO_SEAT); /* scores are public */
    json_kv_num(out, "points", scored->scored.points);
    json_kv_num(out, "total", scored->scored.total);
    json_kv_num(out, "bonus", scored->scored.bonus);
    json_kv_num(out, "place", scored->scored.place);
    wire_cards(out, "cards", scored->cards, scored->n);
    json_kv_bool(out, "opened", (scored->scored.flags & ENG_SCORE_OPENED) != 0);
    json_kv_bool(out, "won", (scored->scored.flags & ENG_SCORE_WON) != 0);
    json_kv_bool(out, "rummy", (scored->scored.flags & ENG_SCORE_RUMMY) != 0);
    json_kv_bool(out, "left", (scored->scored.flags & ENG_SCORE_LEFT) != 0);
    json_kv_bool(out, "dropped", (scored->scored.flags & ENG_SCORE_DROPPED) != 0);
    json_kv_bool(out, "wrong", (scored->scored.flags & ENG_SCORE_WRONG) != 0);
    json_kv_bool(out, "out", (scored->scored.flags & ENG_SCORE_OUT) != 0);
    json_kv_bool(out, "sat_out", (scored->scored.flags & ENG_SCORE_SAT_OUT) != 0);
    if (scored->groups > 0)
        wire_groups(out, scored->cards, scored->n, scored->groups, scored->lens);
}

static void put_event_data(struct buf *out, const struct eng_game *game, const struct eng_event *event)
{
    switch (event->type) {
    case ENG_EV_DEALT:
        if (event->n > 0)
            wire_cards(out, "cards", event->cards, event->n);
        json_kv_num(out, "n", event->dealt.cards_n);
        json_kv_num(out, "hand_no", event->dealt.hand_no);
        json_kv_num(out, "stock_n", event->dealt.stock_n);
        break;
    case ENG_EV_TURN:
        json_kv_num(out, "round", event->turn.round);
        json_kv_text(out, "phase", eng_phase_name(event->turn.phase));
        break;
    case ENG_EV_DREW:
        json_kv_text(out, "from", event->drew.pile == ENG_DISCARD_PILE ? "discard" : "stock");
        put_card(out, "card", event, 0);
        json_kv_bool(out, "must_open", event->drew.must_open);
        break;
    case ENG_EV_DRAW_CANCELLED:
        put_card(out, "card", event, 0);
        break;
    case ENG_EV_MELDED:
    case ENG_EV_TAKEN_BACK:
    case ENG_EV_LAID_OFF:
    case ENG_EV_SWAPPED:
    case ENG_EV_SWAP_UNDONE:
        put_meld_data(out, event);
        break;
    case ENG_EV_OPENED:
        json_kv_num(out, "sum", event->opened.sum);
        break;
    case ENG_EV_DISCARDED:
        wire_cards(out, "cards", event->cards, event->n);
        json_kv_bool(out, "buried", event->discarded.buried);
        break;
    case ENG_EV_RESHUFFLED:
        json_kv_num(out, "stock_n", event->renewed.stock_n);
        break;
    case ENG_EV_FLIPPED:
        json_kv_num(out, "stock_n", event->renewed.stock_n);
        put_card(out, "card", event, 0);
        break;
    case ENG_EV_TIMED_OUT:
        json_kv_num(out, "in_a_row", event->timed_out.in_a_row);
        break;
    case ENG_EV_HAND_ENDED:
        wire_seat(out, "winner", event->seat);
        json_kv_text(out, "ending", eng_ending_name(event->hand_ended.ending));
        json_kv_bool(out, "rummy", event->hand_ended.rummy != 0);
        break;
    case ENG_EV_SCORED:
        wire_score(out, event);
        break;
    case ENG_EV_SESSION_ENDED:
        wire_seat(out, "winner", event->seat);
        wire_seats(out, "winners", event->session_ended.winners);
        put_totals(out, game);
        break;
    case ENG_EV_WILD:
    case ENG_EV_DROPPED:
    case ENG_EV_DECLARED:
    case ENG_EV_GROUPED:
    case ENG_EV_REJOINED:
    case ENG_EV_ELIMINATED:
        put_declare_data(out, event);
        break;
    default: /* away, returned, left: there is no data except the seat */
        break;
    }
}

void wire_event(struct buf *out, const struct eng_game *game, uint32_t v, const struct eng_event *event,
                uint8_t viewer)
{
    struct eng_event seen;
    eng_event_view(event, viewer, &seen);
    ASSERT(viewer < ENG_SEAT_MAX || viewer == ENG_SPECTATOR);
    ASSERT(seen.private_to == ENG_NO_SEAT || seen.private_to == viewer || (seen.n == 0 && seen.groups == 0));
    json_open(out, '{');
    json_kv_num(out, "v", v);
    json_kv_text(out, "t", eng_event_name(seen.type));
    if (!is_of_no_seat(seen.type))
        wire_seat(out, "seat", seen.seat); /* null for the card turned up at the deal */
    json_key(out, "d");
    json_open(out, '{');
    put_event_data(out, game, &seen);
    json_close(out, '}');
    json_close(out, '}');
}
