/* Moves made by the table, not by a player: timeouts, leaving, and returning (docs/rules.md §3.5 and
 * §6.3). */
#include "engine/meld/system.h"

#include "base/bug.h"
#include "engine/core/piles.h"
#include "engine/meld/lay.h"
#include "engine/meld/score.h"
#include "engine/meld/turn.h"

/* Cards are ordered by points, then by rank with the ace above the king, then by suit and copy. */
static int throw_weight(const struct eng_params *params, uint8_t card)
{
    ASSERT(!eng_is_joker(card));
    int rank = eng_rank(card) == ENG_RANK_ACE ? ENG_PLACE_ACE_HIGH : eng_rank(card);
    return ((eng_card_points(params, card) * 16 + rank) * 4 + eng_suit(card)) * 2 + card / ENG_PACK_CARDS;
}

/* What a timeout discards: the drawn card or, if that is illegal, the highest legal one. If there are only
 * jokers, all are discarded together, or only one if jokers cannot be buried. Returns the number of
 * cards. */
static int clock_discard(const struct eng_game *g, uint8_t cards[ENG_JOKER_MAX])
{
    const struct eng_cards *hand = &g->hand[g->to_move];
    uint8_t held[ENG_HAND_MAX + 1], taken = eng_taken_discard(g);
    ASSERT(eng_cards_count(hand) <= ENG_HAND_MAX);
    int n = eng_cards_list(hand, held), best = -1;
    for (int i = 0; i < n; i++) {
        if (eng_is_joker(held[i]) || (held[i] == taken && !g->params.throw_back))
            continue;
        if (held[i] == g->drawn) {
            cards[0] = held[i];
            return 1;
        }
        if (best < throw_weight(&g->params, held[i])) {
            best = throw_weight(&g->params, held[i]);
            cards[0] = held[i];
        }
    }
    if (best >= 0)
        return 1;
    ASSERT(eng_cards_jokers(hand) == n && n >= 1);
    n = eng_cards_list(hand, cards);
    return g->params.joker_buried ? n : 1;
}

static void count_time_out(struct eng_game *g, uint8_t seat, struct eng_outcome *out)
{
    ASSERT(seat == g->to_move);
    if (g->timeouts[seat] < UINT8_MAX)
        g->timeouts[seat]++;
    eng_emit(g, out, ENG_EV_TIMED_OUT, seat)->timed_out.in_a_row = g->timeouts[seat];
    if (g->timeouts[seat] < g->params.timeouts_max || eng_seat_bit(g->away, seat))
        return;
    g->away |= (uint8_t)(1 << seat);
    eng_emit(g, out, ENG_EV_AWAY, seat);
}

static enum eng_refusal time_out(struct eng_game *g, uint8_t seat, struct eng_outcome *out)
{
    if (seat != g->to_move)
        return eng_refuse(out, ENG_NOT_YOUR_TURN, NULL, 0);
    count_time_out(g, seat, out);
    eng_return_staged(g, out);
    eng_undo_swaps(g, out);
    if (g->must_open)
        eng_put_discard_back(g, out);
    if (g->phase == ENG_TO_DRAW) {
        if (eng_may_flip(g))
            eng_flip(g, out);
        if (eng_stock_lasts(g)) {
            eng_draw_from_stock(g, out);
        } else if (g->params.last_discard_forced && eng_discard_is_free(g)) {
            eng_take_discard(g, out);
        } else {
            eng_hand_end(g, ENG_ENDED_NO_CARDS, ENG_NO_SEAT, out);
            return ENG_OK;
        }
    }
    ASSERT(g->phase == ENG_TO_PLAY);
    uint8_t cards[ENG_JOKER_MAX];
    int n = clock_discard(g, cards);
    eng_discard(g, cards, n, out);
    return ENG_OK;
}

enum eng_refusal eng_do_system(struct eng_game *g, const struct eng_move *m, struct eng_outcome *out)
{
    ASSERT(m->seat < g->players && eng_move_is_system(m->type));
    uint8_t bit = (uint8_t)(1 << m->seat);
    if (m->type == ENG_TIME_OUT)
        return time_out(g, m->seat, out);
    if ((g->left & bit) != 0)
        return eng_refuse(out, ENG_ALREADY_LEFT, NULL, 0);
    if (m->type == ENG_LEAVE) {
        g->left |= bit;
        g->away |= bit;
        eng_emit(g, out, ENG_EV_LEFT, m->seat);
        return ENG_OK;
    }
    ASSERT(m->type == ENG_RETURN);
    if ((g->away & bit) == 0)
        return eng_refuse(out, ENG_NOT_AWAY, NULL, 0);
    g->away &= (uint8_t)~bit;
    g->timeouts[m->seat] = 0;
    eng_emit(g, out, ENG_EV_RETURNED, m->seat);
    return ENG_OK;
}
