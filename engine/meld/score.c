/* The end of a hand: points and places (docs/rules.md §6 and §7). Called only by the state machine. */
#include "engine/meld/score.h"

#include "base/bug.h"
#include "engine/core/session.h"

struct result {
    uint8_t seat;
    bool left, unopened;
    int hand_points, cards;
    int order; /* number of turns after the one that ended the hand */
    int points;
};

/* Order of places: seats that have not left, then the better total. If equal totals do not share a place:
 * opened, fewer hand points, fewer cards, turn order. */
static bool ahead(const struct eng_params *params, const struct result *a, const struct result *b)
{
    ASSERT(a->order != b->order);
    if (a->left != b->left)
        return b->left;
    if (a->points != b->points)
        return eng_total_better(params, a->points, b->points);
    if (params->ties_share)
        return false;
    if (a->unopened != b->unopened)
        return b->unopened;
    if (a->hand_points != b->hand_points)
        return a->hand_points < b->hand_points;
    return a->cards != b->cards ? a->cards < b->cards : a->order < b->order;
}

/* The lowest hand, which wins in some variants if no player went out. */
static uint8_t lowest_hand(const struct eng_game *g, const struct result *results)
{
    uint8_t best = 0;
    for (uint8_t i = 1; i < g->players; i++) {
        const struct result *a = &results[i], *b = &results[best];
        if (a->hand_points != b->hand_points ? a->hand_points < b->hand_points
            : a->cards != b->cards           ? a->cards < b->cards
                                             : a->order < b->order)
            best = i;
    }
    ASSERT(best < g->players);
    return best;
}

/* Points that the winning seat takes: the sum by which the other hands exceed its own. */
static int taken_by(const struct eng_game *g, const struct result *results, uint8_t winner, bool rummy)
{
    int sum = 0;
    for (uint8_t seat = 0; seat < g->players; seat++)
        sum += results[seat].hand_points - results[winner].hand_points;
    ASSERT(sum >= 0);
    return sum * (rummy ? g->params.rummy_winner_factor : 1);
}

static int points_of(const struct eng_game *g, const struct result *results, uint8_t seat, uint8_t best,
                     bool rummy)
{
    const struct eng_params *p = &g->params;
    ASSERT(seat < g->players);
    if (p->winner_takes)
        return seat == best ? taken_by(g, results, best, rummy) : 0;
    if (seat == best)
        return rummy ? p->hand_win_points : p->win_points;
    int points = !eng_seat_bit(g->opened, seat) && p->never_opened_points > 0 ? p->never_opened_points
                                                                              : results[seat].hand_points;
    points *= rummy ? p->rummy_losers_factor : 1;
    return p->hands_negative ? -points : points;
}

static void set_places(struct eng_game *g, const struct result *results)
{
    ASSERT(g->players >= 2 && g->players <= ENG_SEAT_MAX);
    int sum = 0;
    for (int i = 0; i < g->players; i++) {
        uint8_t place = 1;
        for (int k = 0; k < g->players; k++)
            place = (uint8_t)(place + (k != i && ahead(&g->params, &results[k], &results[i])));
        g->place[i] = place;
        sum += place;
    }
    ASSERT(g->params.ties_share || sum == g->players * (g->players + 1) / 2);
}

static uint8_t first_placed(const struct eng_game *g)
{
    uint8_t first = 0;
    while (first < g->players && g->place[first] != 1)
        first++;
    ASSERT(first < g->players);
    return first;
}

/* The player who went out wins. If that was the bot of a player who left, the best of the remaining players
 * wins. If all have left, or no one went out, there is no winner. */
static uint8_t winner_of(const struct eng_game *g, uint8_t out_seat)
{
    if (out_seat == ENG_NO_SEAT || !eng_seat_bit(g->left, out_seat))
        return out_seat;
    uint8_t first = first_placed(g);
    return eng_seat_bit(g->left, first) ? ENG_NO_SEAT : first;
}

static void emit_score(struct eng_game *g, const struct result *r, int hand_points, bool rummy,
                       struct eng_outcome *out)
{
    ASSERT(r->seat < g->players && r->cards <= ENG_EVENT_CARDS_MAX);
    struct eng_event *e = eng_emit(g, out, ENG_EV_SCORED, r->seat);
    e->scored.points = hand_points;
    e->scored.total = g->points[r->seat];
    e->scored.bonus = g->bonus[r->seat];
    e->scored.place = g->place[r->seat];
    e->scored.cards_left = (uint8_t)r->cards;
    e->scored.flags =
        (uint8_t)((r->unopened ? 0 : ENG_SCORE_OPENED) | (r->seat == g->winner ? ENG_SCORE_WON : 0) |
                  (rummy ? ENG_SCORE_RUMMY : 0) | (r->left ? ENG_SCORE_LEFT : 0));
    e->n = (uint8_t)eng_cards_list(&g->hand[r->seat], e->cards);
}

void eng_hand_end(struct eng_game *g, enum eng_ending ending, uint8_t out_seat, struct eng_outcome *out)
{
    ASSERT((ending == ENG_ENDED_OUT) == (out_seat != ENG_NO_SEAT));
    ASSERT(!eng_has_staged(g));
    bool rummy = out_seat != ENG_NO_SEAT && g->opening_turn;
    /* The seat whose turn would be next, which is first in turn order. */
    uint8_t next =
        (uint8_t)(ending == ENG_ENDED_NO_CARDS && g->phase == ENG_TO_DRAW ? g->to_move
                                                                          : (g->to_move + 1) % g->players);
    struct result results[ENG_SEAT_MAX] = {0};
    int points[ENG_SEAT_MAX] = {0};
    for (uint8_t seat = 0; seat < g->players; seat++)
        results[seat] = (struct result){
            .seat = seat,
            .left = eng_seat_bit(g->left, seat),
            .unopened = !eng_seat_bit(g->opened, seat),
            .hand_points = eng_cards_points(&g->params, &g->hand[seat]),
            .cards = eng_cards_count(&g->hand[seat]),
            .order = (seat + g->players - next) % g->players,
        };
    uint8_t best = out_seat == ENG_NO_SEAT && g->params.lowest_wins ? lowest_hand(g, results) : out_seat;
    for (uint8_t seat = 0; seat < g->players; seat++) {
        points[seat] = points_of(g, results, seat, best, rummy);
        g->points[seat] += points[seat];
        g->bonus[seat] += seat == best ? points[seat] : 0;
        results[seat].points = g->points[seat];
    }
    set_places(g, results);
    g->winner = winner_of(g, best);
    g->ending = (uint8_t)ending;
    struct eng_event *e = eng_emit(g, out, ENG_EV_HAND_ENDED, g->winner);
    e->hand_ended.ending = (uint8_t)ending;
    e->hand_ended.rummy = rummy;
    for (uint8_t seat = 0; seat < g->players; seat++)
        emit_score(g, &results[seat], points[seat], rummy && seat == out_seat, out);
    eng_session_hand_over(g, out);
}
