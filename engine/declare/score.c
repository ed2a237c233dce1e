/* The end of a hand of the declare family: points, totals, eliminations, and places (docs/rules.md §8.6,
 * §8.9, and §8.10). See score.h. */
#include "engine/declare/score.h"

#include <string.h>

#include "base/bug.h"
#include "engine/core/session.h"
#include "engine/declare/seats.h"
#include "engine/solver/arrange.h"

/* ---- Points ---- */

/* Uses the solver's best arrangement for a player who never grouped. */
static void arrange_seat(struct eng_game *g, uint8_t seat, const struct eng_wild *wild)
{
    struct eng_arrangement best;
    struct eng_grouping *made = &g->grouping[seat];
    uint8_t cards[ENG_CARD_MAX];
    int n = eng_cards_list(&g->hand[seat], cards);
    ASSERT(made->n == 0 && n == ENG_GROUPING_CARDS);
    eng_arrange(wild, cards, n, &best);
    ASSERT(best.n == n && best.groups <= ENG_GROUPS_MAX);
    made->n = best.n;
    made->groups = best.groups;
    memcpy(made->lens, best.lens, best.groups);
    memcpy(made->cards, best.cards, best.n);
}

/* Penalty points of this seat for the hand. */
static int points_of(struct eng_game *g, uint8_t seat, uint8_t winner)
{
    struct eng_wild wild = eng_wild_of(&g->params, g->wild_card);
    ASSERT(seat < g->players);
    if (seat == winner || eng_seat_bit(g->sat_out, seat))
        return 0;
    if (!eng_seat_bit(eng_seats_in(g), seat))
        return g->lost[seat];
    if (g->grouping[seat].n == 0)
        arrange_seat(g, seat, &wild);
    return eng_grouping_points(&wild, &g->grouping[seat], g->params.points_cap);
}

/* ---- Places ---- */

/* If places are not shared, the winner of the hand is first, and turn order breaks ties. */
static bool ahead(const struct eng_game *g, uint8_t a, uint8_t b)
{
    ASSERT(a != b);
    bool left_a = eng_seat_bit(g->left, a), left_b = eng_seat_bit(g->left, b);
    if (!g->params.ties_share && (a == g->winner || b == g->winner))
        return a == g->winner;
    if (left_a != left_b)
        return left_b;
    if (g->out_at[a] != g->out_at[b])
        return g->out_at[a] == 0 || (g->out_at[b] != 0 && g->out_at[a] > g->out_at[b]);
    if (g->points[a] != g->points[b])
        return eng_total_better(&g->params, g->points[a], g->points[b]);
    int next = (g->to_move + 1) % g->players;
    return !g->params.ties_share &&
           (a + g->players - next) % g->players < (b + g->players - next) % g->players;
}

void eng_declare_places(struct eng_game *g)
{
    ASSERT(g->players >= 2 && g->ending != 0);
    for (uint8_t i = 0; i < g->players; i++) {
        g->place[i] = 1;
        for (uint8_t k = 0; k < g->players; k++)
            g->place[i] = (uint8_t)(g->place[i] + (k != i && ahead(g, k, i)));
    }
}

/* ---- Elimination ---- */

/* Seats to eliminate: in a pool, those that have reached the target; in a match that would end in a tie,
 * those that are not tied. */
static uint8_t newly_out(const struct eng_game *g)
{
    uint8_t reached = 0, beaten = 0;
    int32_t best = 0;
    int tied = 0;
    for (uint8_t seat = 0; seat < g->players; seat++) {
        if (g->out_at[seat] != 0)
            continue;
        if (tied == 0 || eng_total_better(&g->params, g->points[seat], best)) {
            best = g->points[seat];
            tied = 0;
        }
        tied += g->points[seat] == best;
    }
    for (uint8_t seat = 0; seat < g->players; seat++) {
        if (g->out_at[seat] != 0)
            continue;
        reached |= (uint8_t)((g->points[seat] >= g->params.target) << seat);
        beaten |= (uint8_t)((g->points[seat] != best) << seat);
    }
    ASSERT((reached | beaten) < 1 << g->players);
    if (g->params.pool)
        return reached;
    return g->params.tie_hands && g->hand_no >= g->params.session_hands && tied > 1 ? beaten : 0;
}

/* ---- The end ---- */

static void emit_score(struct eng_game *g, uint8_t seat, int points, struct eng_outcome *out)
{
    const struct eng_grouping *made = &g->grouping[seat];
    struct eng_event *e = eng_emit(g, out, ENG_EV_SCORED, seat);
    int flags = (seat == g->winner ? ENG_SCORE_WON : 0) | (eng_seat_bit(g->left, seat) ? ENG_SCORE_LEFT : 0) |
                (eng_seat_bit(g->dropped, seat) ? ENG_SCORE_DROPPED : 0) |
                (eng_seat_bit(g->wrong, seat) ? ENG_SCORE_WRONG : 0) |
                (g->out_at[seat] != 0 ? ENG_SCORE_OUT : 0) |
                (eng_seat_bit(g->sat_out, seat) ? ENG_SCORE_SAT_OUT : 0);
    e->scored.points = points;
    e->scored.total = g->points[seat];
    e->scored.bonus = g->bonus[seat];
    e->scored.place = g->place[seat];
    e->scored.cards_left = (uint8_t)eng_cards_count(&g->hand[seat]);
    e->scored.flags = (uint8_t)flags;
    e->n = (uint8_t)eng_cards_list(&g->hand[seat], e->cards);
    ASSERT(e->n <= ENG_EVENT_CARDS_MAX && (made->n == 0 || made->n == e->n));
    if (made->n == 0)
        return;
    memcpy(e->cards, made->cards, made->n);
    e->groups = made->groups;
    memcpy(e->lens, made->lens, sizeof e->lens);
}

/* Losers get their own points. The sum of these points is the winner's bonus, which is added to the
 * winner's total in variants where the winner takes all. */
static void add_points(struct eng_game *g, uint8_t winner, int points[ENG_SEAT_MAX])
{
    int sum = 0;
    for (uint8_t seat = 0; seat < g->players; seat++) {
        points[seat] = points_of(g, seat, winner);
        sum += points[seat];
    }
    ASSERT(sum >= 0);
    for (uint8_t seat = 0; seat < g->players; seat++) {
        if (winner == ENG_NO_SEAT && g->params.winner_takes)
            points[seat] = 0; /* no one takes the points */
        if (g->params.hands_negative)
            points[seat] = -points[seat];
    }
    if (winner != ENG_NO_SEAT) {
        g->bonus[winner] += sum;
        points[winner] = g->params.winner_takes ? sum : 0;
    }
    for (uint8_t seat = 0; seat < g->players; seat++)
        g->points[seat] += points[seat];
}

void eng_declare_end(struct eng_game *g, enum eng_ending ending, uint8_t winner, struct eng_outcome *out)
{
    int points[ENG_SEAT_MAX] = {0};
    ASSERT((ending == ENG_ENDED_STALLED) == (winner == ENG_NO_SEAT));
    add_points(g, winner, points);
    g->winner = winner;
    g->ending = (uint8_t)ending;
    g->phase = ENG_HAND_OVER;
    g->drew = 0;
    g->drawn = ENG_NO_CARD;
    uint8_t now_out = newly_out(g);
    for (uint8_t seat = 0; seat < g->players; seat++)
        if (eng_seat_bit(now_out, seat))
            g->out_at[seat] = g->hand_no;
    eng_declare_places(g);
    eng_emit(g, out, ENG_EV_HAND_ENDED, winner)->hand_ended.ending = (uint8_t)ending;
    for (uint8_t seat = 0; seat < g->players; seat++)
        emit_score(g, seat, points[seat], out);
    for (uint8_t seat = 0; seat < g->players; seat++)
        if (eng_seat_bit(now_out, seat))
            eng_emit(g, out, ENG_EV_ELIMINATED, seat)->eliminated.total = g->points[seat];
    eng_session_hand_over(g, out);
}
