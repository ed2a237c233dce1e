/* What a seat may see: the only code outside the state machine that reads the game's hidden part. It works
 * as an allow-list: the view starts empty, and each public item is copied into it. Called by the hub for
 * snapshots, by bots, and by replay. */
#include <string.h>

#include "base/bug.h"
#include "engine/core/session.h"
#include "engine/declare/family.h"
#include "engine/declare/seats.h"
#include "engine/declare/system.h"

static void view_melds(const struct eng_game *g, struct eng_view *view)
{
    ASSERT(g->melds_top <= ENG_MELD_MAX);
    for (uint8_t id = 0; id < g->melds_top; id++) {
        const struct eng_meld *meld = &g->melds[id];
        if (meld->n == 0)
            continue;
        struct eng_view_meld *seen = &view->melds[view->melds_n++];
        seen->id = id;
        seen->kind = meld->kind;
        seen->owner = meld->owner;
        seen->staged = meld->staged;
        seen->low = meld->low;
        seen->suit = meld->kind == ENG_RUN ? meld->suit : 0;
        seen->n = meld->n;
        memcpy(seen->cards, meld->cards, meld->n);
    }
}

static void view_seats(const struct eng_game *g, struct eng_view *view)
{
    ASSERT(g->players <= ENG_SEAT_MAX);
    for (uint8_t seat = 0; seat < g->players; seat++) {
        view->cards_n[seat] = (uint8_t)eng_cards_count(&g->hand[seat]);
        view->opened[seat] = eng_seat_bit(g->opened, seat);
        view->away[seat] = eng_seat_bit(g->away, seat);
        view->left[seat] = eng_seat_bit(g->left, seat);
        view->round[seat] = (uint16_t)(g->turns[seat] + 1);
        view->points[seat] = g->points[seat];
        view->bonus[seat] = g->bonus[seat];
        view->place[seat] = g->place[seat];
    }
}

/* The current turn is public, except for a card drawn from the stock, because every step was a public
 * event. */
static void view_turn(const struct eng_game *g, struct eng_view *view)
{
    ASSERT(g->to_move < g->players || g->phase == ENG_TO_DEAL);
    view->drew = g->drew != 0;
    view->may_cancel_draw = g->must_open != 0;
    view->must_open = g->must_open != 0;
    view->stock_only = g->stock_only != 0;
    view->opening_turn = g->opening_turn != 0;
    view->staged_sum = g->staged_sum;
    view->from_discard = g->drew == 1 + ENG_DISCARD_PILE;
    view->melds_spent = g->turn_melds >= ENG_TURN_MOVES_MAX;
    if (view->from_discard || view->viewer == g->to_move)
        view->drawn_card = g->drawn;
    memcpy(view->freed_meld, g->freed_meld, sizeof view->freed_meld);
    for (int j = 0; j < ENG_JOKER_MAX; j++)
        view->freed_jokers = (uint8_t)(view->freed_jokers + (g->freed_meld[j] != ENG_NO_MELD));
}

/* A grouping is private until the hand is scored; a declaration is public at once. */
static void view_groupings(const struct eng_game *g, struct eng_view *view)
{
    bool over = g->ending != 0;
    ASSERT(g->players <= ENG_SEAT_MAX);
    for (uint8_t seat = 0; seat < g->players; seat++) {
        const struct eng_grouping *made = &g->grouping[seat];
        struct eng_view_grouping *seen = &view->grouping[seat];
        if (!over && seat != view->viewer && seat != g->declarer && !eng_seat_bit(g->wrong, seat))
            continue;
        seen->n = made->n;
        seen->groups = made->groups;
        memcpy(seen->lens, made->lens, sizeof seen->lens);
        memcpy(seen->cards, made->cards, made->n);
    }
}

/* The declare family; empty in the meld family. */
static void view_declare(const struct eng_game *g, struct eng_view *view)
{
    uint8_t viewer = view->viewer;
    ASSERT(g->params.family == ENG_FAMILY_DECLARE);
    view->wild_card = g->wild_card;
    view->wild_rank = g->wild_card == ENG_NO_CARD ? ENG_NO_CARD : eng_wild_rank(g->wild_card);
    view->declarer = g->declarer;
    view->may_take = eng_may_take(g);
    for (uint8_t seat = 0; seat < g->players; seat++) {
        view->eliminated[seat] = eng_seat_is_out(g, seat);
        view->sat_out[seat] = eng_seat_bit(g->sat_out, seat);
        view->dropped[seat] = eng_seat_bit(g->dropped, seat);
        view->wrong[seat] = eng_seat_bit(g->wrong, seat);
        view->lost[seat] = g->lost[seat];
        view->to_group[seat] = eng_seat_to_group(g, seat);
    }
    view_groupings(g, view);
    if (viewer == ENG_SPECTATOR)
        return;
    view->may_group = g->phase == ENG_TO_GROUP && viewer != g->declarer &&
                      eng_seat_bit(eng_seats_in(g) & ~g->grouped, viewer);
    bool runs = g->phase == ENG_TO_DRAW || g->phase == ENG_TO_PLAY;
    if (runs && g->params.drop_first > 0 && eng_seat_bit(eng_seats_in(g), viewer))
        view->drop_points = (int16_t)eng_drop_points(g, viewer);
    view->may_rejoin = eng_may_rejoin(g, viewer) == ENG_OK;
    view->rejoin_total = view->may_rejoin ? eng_rejoin_total(g) : 0;
}

void eng_view(const struct eng_game *g, uint8_t viewer, struct eng_view *view)
{
    ASSERT(viewer < g->players || viewer == ENG_SPECTATOR);
    memset(view, 0, sizeof *view);
    view->params = &g->params;
    view->v = g->v;
    view->viewer = viewer;
    view->players = g->players;
    view->phase = g->phase;
    view->to_move = g->to_move;
    view->hand_no = g->hand_no;
    view->starter = g->starter;
    view->winner = g->winner;
    view->winners = g->phase == ENG_SESSION_OVER ? eng_session_winners(g) : 0;
    view->flips = g->flips;
    view->drawn_card = ENG_NO_CARD;
    view->wild_card = view->wild_rank = ENG_NO_CARD;
    view->declarer = ENG_NO_SEAT;
    view->opening_min = (uint16_t)g->params.opening_min;
    if (viewer != ENG_SPECTATOR)
        view->hand_n = (uint8_t)eng_cards_list(&g->hand[viewer], view->hand);
    view->stock_n = g->stock_n;
    view->discard_n = g->discard_n;
    memcpy(view->discard, g->discard, g->discard_n);
    view_seats(g, view);
    view_melds(g, view);
    view_turn(g, view);
    if (g->params.family == ENG_FAMILY_DECLARE)
        view_declare(g, view);
    ASSERT(view->hand_n <= ENG_HAND_MAX);
}
