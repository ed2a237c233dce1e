/* Checks what the seat to move may do; see legal.h. Called by eng_legal, which lists the moves, and by the
 * bots. */
#include "engine/play/legal.h"

#include <string.h>

#include "base/bug.h"

bool eng_legal_scene_of(struct eng_legal_scene *s, const struct eng_view *view, bool table)
{
    if ((view->phase != ENG_TO_DRAW && view->phase != ENG_TO_PLAY) || view->viewer != view->to_move)
        return false;
    ASSERT(view->viewer < view->players && view->melds_n <= ENG_MELD_MAX);
    const struct eng_params *p = view->params;
    s->view = view;
    s->params = p;
    s->seat = view->viewer;
    s->hand = (struct eng_cards){{0, 0}};
    for (int i = 0; i < view->hand_n; i++)
        eng_cards_add(&s->hand, view->hand[i]);
    bool first_round = view->round[s->seat] == 1;
    s->opened = view->opened[s->seat];
    s->staged = view->staged_sum > 0;
    s->may_meld = (!first_round || p->meld_in_round_1) && !view->melds_spent;
    s->may_join = s->opened || p->lay_off_unopened;
    table = table || (s->may_join && (view->phase == ENG_TO_PLAY || view->hand_n == 1));
    for (int i = 0; i < view->melds_n && table; i++)
        eng_meld_of_view(&s->melds[i], &view->melds[i]);
    s->discard_obliges = p->discard_obliges && !s->opened && !first_round;
    s->discard_is_open = view->discard_n > 0 && !view->stock_only;
    if (s->discard_is_open) {
        uint8_t top = view->discard[view->discard_n - 1];
        struct eng_cards with_top = s->hand;
        eng_cards_add(&with_top, top);
        s->discard_is_open = eng_hand_can_discard(p, &with_top, false, top) &&
                             !eng_one_card_ends(p, s->melds, view->melds_n, &s->hand, top, s->opened);
    }
    s->taken = view->from_discard ? view->drawn_card : ENG_NO_CARD;
    return true;
}

bool eng_legal_flip(const struct eng_legal_scene *s)
{
    ASSERT(s->view->flips <= s->params->stock_flips);
    return s->view->phase == ENG_TO_DRAW && s->view->stock_n == 0 && s->view->discard_n > 1 &&
           s->view->flips < s->params->stock_flips;
}

bool eng_legal_draw_stock(const struct eng_legal_scene *s)
{
    ASSERT(s->view->phase == ENG_TO_DRAW);
    bool lasts = s->view->stock_n > 0 || (s->view->discard_n > 1 && s->params->stock_flips == 0);
    bool forced = s->params->last_discard_forced && s->discard_is_open && !s->discard_obliges;
    return lasts || (!forced && !eng_legal_flip(s));
}

int eng_legal_jokers_max(const struct eng_legal_scene *s)
{
    return eng_jokers_max(s->params, s->opened, s->view->opening_turn);
}

/* A quick test that avoids the full check, because most cards fit nowhere. A joker may fit anywhere. */
static bool might_fit(const struct eng_meld *meld, uint8_t card, enum eng_end wanted)
{
    ASSERT(meld->n >= ENG_MELD_MIN);
    if (eng_is_joker(card))
        return true;
    if (meld->kind == ENG_SET)
        return eng_rank(card) == meld->low;
    if (eng_suit(card) != meld->suit)
        return false;
    int low = (meld->low + ENG_RANKS - 1) % ENG_RANKS, high = (meld->low + meld->n) % ENG_RANKS;
    return (wanted != ENG_END_HIGH && eng_rank(card) == low) ||
           (wanted != ENG_END_LOW && eng_rank(card) == high);
}

bool eng_legal_lay_off(const struct eng_legal_scene *s, uint8_t card, int i, enum eng_end wanted)
{
    ASSERT(i >= 0 && i < s->view->melds_n && eng_cards_has(&s->hand, card));
    const struct eng_meld *meld = &s->melds[i];
    if (!s->may_join || !might_fit(meld, card, wanted))
        return false;
    int jokers_max = eng_jokers_max(s->params, true, meld->owner == s->seat && s->view->opening_turn);
    enum eng_end end;
    struct eng_blame blame;
    if (!eng_meld_fits(s->params, meld, card, wanted, jokers_max, &end, &blame))
        return false;
    struct eng_cards rest = s->hand;
    eng_cards_remove(&rest, card);
    return eng_hand_can_discard(s->params, &rest, false, s->taken);
}

uint8_t eng_legal_bound_joker(const struct eng_legal_scene *s, const struct eng_cards *rest)
{
    ASSERT(rest != NULL);
    for (int j = 0; j < ENG_JOKER_MAX && !s->params->swapped_joker_kept; j++) {
        uint8_t joker = (uint8_t)(ENG_JOKER_FIRST + j);
        if (s->view->freed_meld[j] != ENG_NO_MELD && eng_cards_has(rest, joker))
            return joker;
    }
    return ENG_NO_CARD;
}

bool eng_legal_swap(const struct eng_legal_scene *s, uint8_t card, int i, uint8_t joker, uint8_t *freed)
{
    ASSERT(i >= 0 && i < s->view->melds_n && eng_cards_has(&s->hand, card));
    uint8_t place;
    struct eng_blame blame;
    const struct eng_meld *meld = &s->melds[i];
    if (eng_is_joker(card) || meld->jokers == 0 ||
        (meld->kind == ENG_SET ? eng_rank(card) != meld->low : eng_suit(card) != meld->suit))
        return false; /* quick test */
    if (!s->opened || !eng_meld_frees(s->params, &s->melds[i], card, joker, &place, &blame))
        return false;
    *freed = s->melds[i].cards[place];
    struct eng_cards rest = s->hand;
    eng_cards_remove(&rest, card);
    eng_cards_add(&rest, *freed);
    return eng_hand_can_discard(s->params, &rest, false, s->taken);
}

bool eng_legal_may_discard(const struct eng_legal_scene *s)
{
    ASSERT(s->view->phase == ENG_TO_PLAY);
    return !s->view->must_open && !(s->staged && s->params->below_minimum == ENG_BELOW_REFUSED);
}

bool eng_legal_discard(const struct eng_legal_scene *s, const uint8_t *cards, int n)
{
    ASSERT(n >= 1 && n <= s->view->hand_n);
    struct eng_cards rest = s->hand;
    for (int i = 0; i < n; i++)
        eng_cards_remove(&rest, cards[i]);
    if (!eng_legal_may_discard(s))
        return false;
    if (!s->params->throw_back && memchr(cards, s->taken, (size_t)n) != NULL)
        return false;
    if (eng_legal_bound_joker(s, &rest) != ENG_NO_CARD)
        return false;
    if (eng_is_joker(cards[0]) && s->may_join &&
        eng_joker_must_join(s->params, s->melds, s->view->melds_n, &s->hand, s->seat, s->view->opening_turn))
        return false;
    return eng_discard_shape(s->params, cards, n, &rest, s->staged) == ENG_OK;
}
