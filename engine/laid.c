/* Entry of the laid-down state machine (RULES.md, all laid-down variants; rummy51): who may move
 * at all, and the small things that every step uses. */
#include "engine/laid.h"

#include <string.h>

#include "base/bug.h"

void eng_outcome_clear(struct eng_outcome *out)
{
    ASSERT(out != NULL);
    out->code = ENG_OK;
    out->refused_n = 0;
    out->events_n = 0;
}

struct eng_event *eng_emit(struct eng_game *g, struct eng_outcome *out, enum eng_event_type type,
                           uint8_t seat)
{
    ASSERT(out->events_n < ENG_EVENTS_MAX && type < ENG_EV_TYPE_END);
    struct eng_event *e = &out->events[out->events_n++];
    *e = (struct eng_event){
        .type = (uint8_t)type, .seat = seat, .private_to = ENG_NO_SEAT, .meld = ENG_NO_MELD};
    g->v++;
    ASSERT(g->v != 0);
    return e;
}

enum eng_refusal eng_refuse(struct eng_outcome *out, enum eng_refusal code, const uint8_t *cards, int n)
{
    ASSERT(code != ENG_OK && code < ENG_REFUSAL_END);
    ASSERT(n >= 0 && n <= ENG_MOVE_CARDS_MAX);
    out->code = code;
    out->refused_n = (uint8_t)n;
    if (n > 0)
        memcpy(out->refused, cards, (size_t)n);
    return code;
}

bool eng_hand_without(const struct eng_cards *hand, const uint8_t *cards, int n, struct eng_cards *rest,
                      struct eng_outcome *out)
{
    ASSERT(n >= 0 && n <= ENG_MOVE_CARDS_MAX);
    uint8_t missing[ENG_MOVE_CARDS_MAX];
    int missing_n = 0;
    *rest = *hand;
    for (int i = 0; i < n; i++) {
        if (eng_cards_has(rest, cards[i]))
            eng_cards_remove(rest, cards[i]);
        else
            missing[missing_n++] = cards[i];
    }
    if (missing_n > 0)
        eng_refuse(out, ENG_CARD_NOT_HELD, missing, missing_n);
    return missing_n == 0;
}

uint8_t eng_taken_discard(const struct eng_game *g)
{
    ASSERT(g->drew <= 1 + ENG_DISCARD_PILE);
    return g->drew == 1 + ENG_DISCARD_PILE ? g->drawn : ENG_NO_CARD;
}

bool eng_has_staged(const struct eng_game *g)
{
    ASSERT(g->staged_sum == 0 || !eng_seat_bit(g->opened, g->to_move));
    return g->staged_sum > 0;
}

void eng_init(struct eng_game *g, const struct eng_params *params, int players)
{
    ASSERT(eng_params_ok(params, players));
    memset(g, 0, sizeof *g);
    g->params = *params;
    g->players = (uint8_t)players;
    g->phase = ENG_TO_DEAL;
    g->winner = ENG_NO_SEAT;
    g->drawn = ENG_NO_CARD;
    memset(g->freed_meld, ENG_NO_MELD, sizeof g->freed_meld);
}

/* Can this be a move at all? */
static bool well_formed(const struct eng_game *g, const struct eng_move *m)
{
    if (m->type == 0 || m->type >= ENG_MOVE_TYPE_END || m->seat >= g->players)
        return false;
    if (m->n > ENG_MOVE_CARDS_MAX || m->end > ENG_END_HIGH)
        return false;
    for (int i = 0; i < m->n; i++)
        if (m->cards[i] >= ENG_CARD_MAX)
            return false;
    switch (m->type) {
    case ENG_MELD:
    case ENG_DISCARD:
        return m->n >= 1;
    case ENG_LAY_OFF:
        return m->n == 1;
    case ENG_SWAP:
        return m->n == 1 || m->n == 2;
    case ENG_DECLARE:
    case ENG_GROUP:
    case ENG_DROP:
    case ENG_REJOIN:
    case ENG_CLOSE:
        return false; /* moves of the other family */
    default:
        return m->n == 0;
    }
}

static enum eng_refusal player_move(struct eng_game *g, const struct eng_move *m, struct eng_outcome *out)
{
    ASSERT(m->seat == g->to_move && !eng_move_is_system(m->type));
    switch (m->type) {
    case ENG_DRAW_STOCK:
    case ENG_DRAW_DISCARD:
        return eng_do_draw(g, m, out);
    case ENG_FLIP:
        return eng_do_flip(g, out);
    case ENG_CANCEL_DRAW:
        return eng_do_cancel_draw(g, out);
    case ENG_TAKE_BACK:
        return eng_do_take_back(g, m, out);
    default:
        break;
    }
    if (g->phase == ENG_TO_DRAW)
        return eng_refuse(out, ENG_MUST_DRAW_FIRST, NULL, 0);
    switch (m->type) {
    case ENG_MELD:
        return eng_do_meld(g, m, out);
    case ENG_LAY_OFF:
        return eng_do_lay_off(g, m, out);
    case ENG_SWAP:
        return eng_do_swap(g, m, out);
    default:
        return eng_do_discard(g, m, out);
    }
}

enum eng_refusal eng_apply(struct eng_game *g, const struct eng_move *m, struct eng_outcome *out)
{
    eng_outcome_clear(out);
    if (!well_formed(g, m))
        return eng_refuse(out, ENG_BAD_MOVE, NULL, 0);
    if (g->phase != ENG_TO_DRAW && g->phase != ENG_TO_PLAY)
        return eng_refuse(out, ENG_NOT_PLAYING, NULL, 0);
    enum eng_refusal code;
    if (eng_move_is_system(m->type)) {
        code = eng_do_system(g, m, out);
    } else {
        if (m->seat != g->to_move)
            return eng_refuse(out, ENG_NOT_YOUR_TURN, NULL, 0);
        code = player_move(g, m, out);
        if (code == ENG_OK && !eng_seat_bit(g->away, m->seat))
            g->timeouts[m->seat] = 0; /* any own move: he is there */
    }
    ASSERT((code == ENG_OK) == (out->events_n > 0));
#ifdef RUMMYD_DEBUG
    eng_check(g);
#endif
    return code;
}
