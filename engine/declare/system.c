/* The table's moves in the declare family (timeouts, leaving, returning, the end of the time to group), and
 * rejoining a pool (docs/rules.md §8.7, §8.8, and §8.10). See system.h. */
#include "engine/declare/system.h"

#include "base/bug.h"
#include "engine/core/piles.h"
#include "engine/core/session.h"
#include "engine/declare/score.h"
#include "engine/declare/seats.h"
#include "engine/declare/show.h"
#include "engine/declare/turn.h"

/* ---- The clock ---- */

/* The card that a timeout discards: the card just drawn, or the last card if a set-up position has no drawn
 * card. */
static uint8_t clock_card(const struct eng_game *g)
{
    uint8_t cards[ENG_CARD_MAX];
    ASSERT(g->phase == ENG_TO_PLAY);
    int n = eng_cards_list(&g->hand[g->to_move], cards);
    ASSERT(n >= 1);
    return g->drawn != ENG_NO_CARD ? g->drawn : cards[n - 1];
}

static enum eng_refusal time_out(struct eng_game *g, uint8_t seat, struct eng_outcome *out)
{
    if (g->phase == ENG_HAND_OVER)
        return eng_refuse(out, ENG_NOT_PLAYING, NULL, 0);
    if (g->phase == ENG_TO_GROUP)
        return eng_refuse(out, ENG_HAND_IS_DECLARED, NULL, 0);
    if (seat != g->to_move)
        return eng_refuse(out, ENG_NOT_YOUR_TURN, NULL, 0);
    uint8_t bit = (uint8_t)(1 << seat);
    if (g->timeouts[seat] < UINT8_MAX)
        g->timeouts[seat]++;
    eng_emit(g, out, ENG_EV_TIMED_OUT, seat)->timed_out.in_a_row = g->timeouts[seat];
    bool last = g->timeouts[seat] >= g->params.timeouts_max && (g->away & bit) == 0;
    bool drops = last && g->params.drop_middle > 0;
    if (last && !drops) {
        g->away |= bit;
        eng_emit(g, out, ENG_EV_AWAY, seat);
    }
    /* An absent player draws and discards until the hand ends. */
    if (g->phase == ENG_TO_DRAW && (g->away & bit) != 0) {
        eng_draw_from_stock(g, out);
        g->picked |= bit;
    }
    if (g->phase == ENG_TO_PLAY)
        eng_discard_one(g, clock_card(g), out);
    else if (!drops)
        g->turns[seat]++;
    if (drops)
        eng_drop_out(g, seat, ENG_DROP_MIDDLE, g->params.drop_middle, out);
    eng_pass_on(g, out);
    return ENG_OK;
}

/* ---- Leaving and returning ---- */

/* Removes a leaving player from the hand. After a valid declaration it is too late for a drop, so the last
 * saved grouping counts. */
static void leave_hand(struct eng_game *g, uint8_t seat, struct eng_outcome *out)
{
    bool shown = g->phase == ENG_TO_GROUP;
    int price = g->params.leave_points;
    ASSERT(eng_seat_bit(eng_seats_in(g), seat));
    if (!shown)
        eng_drop_out(g, seat, ENG_DROP_LEFT, price > 0 ? price : eng_drop_points(g, seat), out);
    uint8_t in = eng_seats_in(g);
    if (shown)
        eng_show_goes_on(g, out);
    else if (seat == g->to_move || (in & (in - 1)) == 0)
        eng_pass_on(g, out);
}

static enum eng_refusal leave(struct eng_game *g, uint8_t seat, struct eng_outcome *out)
{
    uint8_t bit = (uint8_t)(1 << seat);
    if ((g->left & bit) != 0)
        return eng_refuse(out, ENG_ALREADY_LEFT, NULL, 0);
    ASSERT(g->hand_no >= 1);
    g->left |= bit;
    g->away |= bit;
    if (g->out_at[seat] == 0)
        g->out_at[seat] = g->hand_no;
    eng_emit(g, out, ENG_EV_LEFT, seat);
    if (g->phase == ENG_HAND_OVER) {
        eng_declare_places(g);
        eng_session_hand_over(g, out);
    } else if (eng_seat_bit(eng_seats_in(g), seat)) {
        leave_hand(g, seat, out);
    }
    return ENG_OK;
}

static enum eng_refusal come_back(struct eng_game *g, uint8_t seat, struct eng_outcome *out)
{
    uint8_t bit = (uint8_t)(1 << seat);
    if ((g->left & bit) != 0)
        return eng_refuse(out, ENG_ALREADY_LEFT, NULL, 0);
    if ((g->away & bit) == 0)
        return eng_refuse(out, ENG_NOT_AWAY, NULL, 0);
    g->away &= (uint8_t)~bit;
    g->timeouts[seat] = 0;
    eng_emit(g, out, ENG_EV_RETURNED, seat);
    ASSERT(!eng_seat_bit(g->away, seat));
    return ENG_OK;
}

enum eng_refusal eng_declare_system(struct eng_game *g, const struct eng_move *m, struct eng_outcome *out)
{
    ASSERT(m->seat < g->players && eng_move_is_system(m->type));
    switch (m->type) {
    case ENG_TIME_OUT:
        return time_out(g, m->seat, out);
    case ENG_LEAVE:
        return leave(g, m->seat, out);
    case ENG_RETURN:
        return come_back(g, m->seat, out);
    default:
        break;
    }
    if (g->phase == ENG_HAND_OVER && !eng_may_deal(g)) {
        eng_session_close(g, out);
        return ENG_OK;
    }
    if (g->phase != ENG_TO_GROUP)
        return eng_refuse(out, ENG_NOTHING_DECLARED, NULL, 0);
    eng_declare_end(g, ENG_ENDED_OUT, g->declarer, out);
    return ENG_OK;
}

/* ---- Rejoining ---- */

int32_t eng_rejoin_total(const struct eng_game *g)
{
    ASSERT(g->players >= 2);
    return eng_session_highest_in(g) + 1;
}

enum eng_refusal eng_may_rejoin(const struct eng_game *g, uint8_t seat)
{
    ASSERT(seat < g->players);
    if (g->params.rejoin_max == 0 || g->players == 2)
        return ENG_NO_REJOIN_IN_THIS_VARIANT;
    if (!eng_seat_is_out(g, seat))
        return ENG_NOT_OUT_OF_THE_POOL;
    if (eng_seat_bit(g->left, seat))
        return ENG_ALREADY_LEFT;
    if (g->phase != ENG_HAND_OVER)
        return ENG_REJOIN_BETWEEN_HANDS;
    return eng_session_takes_back(g, seat) ? ENG_OK : ENG_REJOIN_TOO_LATE;
}

enum eng_refusal eng_do_rejoin(struct eng_game *g, const struct eng_move *m, struct eng_outcome *out)
{
    enum eng_refusal code = eng_may_rejoin(g, m->seat);
    ASSERT(m->type == ENG_REJOIN);
    if (code != ENG_OK)
        return eng_refuse(out, code, NULL, 0);
    g->points[m->seat] = eng_rejoin_total(g);
    g->out_at[m->seat] = 0;
    eng_declare_places(g);
    eng_emit(g, out, ENG_EV_REJOINED, m->seat)->rejoined.total = g->points[m->seat];
    return ENG_OK;
}
