/* eng_legal and the questions below it; see legal.h. Called by the hub when a player asks what he
 * may do, and by the bots. */
#include "engine/legal.h"

#include <string.h>

#include "base/bug.h"

bool legal_scene_of(struct legal_scene *s, const struct eng_view *view)
{
    if ((view->phase != ENG_TO_DRAW && view->phase != ENG_TO_PLAY) || view->viewer != view->to_move)
        return false;
    ASSERT(view->viewer < view->players && view->melds_n <= ENG_MELD_MAX);
    const struct eng_params *p = view->params;
    *s = (struct legal_scene){.view = view, .params = p, .seat = view->viewer};
    for (int i = 0; i < view->hand_n; i++)
        eng_cards_add(&s->hand, view->hand[i]);
    for (int i = 0; i < view->melds_n; i++)
        eng_meld_of_view(&s->melds[i], &view->melds[i]);
    bool first_round = view->round[s->seat] == 1;
    s->opened = view->opened[s->seat];
    s->staged = view->staged_sum > 0;
    s->may_meld = (!first_round || p->meld_in_round_1) && !view->melds_spent;
    s->may_join = s->opened || p->lay_off_unopened;
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

bool legal_flip(const struct legal_scene *s)
{
    ASSERT(s->view->flips <= s->params->stock_flips);
    return s->view->phase == ENG_TO_DRAW && s->view->stock_n == 0 && s->view->discard_n > 1 &&
           s->view->flips < s->params->stock_flips;
}

bool legal_draw_stock(const struct legal_scene *s)
{
    ASSERT(s->view->phase == ENG_TO_DRAW);
    bool lasts = s->view->stock_n > 0 || (s->view->discard_n > 1 && s->params->stock_flips == 0);
    bool forced = s->params->last_discard_forced && s->discard_is_open && !s->discard_obliges;
    return lasts || (!forced && !legal_flip(s));
}

int legal_jokers_max(const struct legal_scene *s)
{
    return eng_jokers_max(s->params, s->opened, s->view->opening_turn);
}

/* Most cards fit nowhere: what a glance tells needs no judge. A joker may fit anywhere. */
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

bool legal_lay_off(const struct legal_scene *s, uint8_t card, int i, enum eng_end wanted)
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
    if (eng_swap_in_the_way(s->params, s->view->freed_meld, s->view->melds[i].id, card) != ENG_NO_CARD)
        return false;
    struct eng_cards rest = s->hand;
    eng_cards_remove(&rest, card);
    return eng_hand_can_discard(s->params, &rest, false, s->taken);
}

uint8_t legal_bound_joker(const struct legal_scene *s, const struct eng_cards *rest)
{
    ASSERT(rest != NULL);
    for (int j = 0; j < ENG_JOKER_MAX && !s->params->swapped_joker_kept; j++) {
        uint8_t joker = (uint8_t)(ENG_JOKER_FIRST + j);
        if (s->view->freed_meld[j] != ENG_NO_MELD && eng_cards_has(rest, joker))
            return joker;
    }
    return ENG_NO_CARD;
}

bool legal_swap(const struct legal_scene *s, uint8_t card, int i, uint8_t joker, uint8_t *freed)
{
    ASSERT(i >= 0 && i < s->view->melds_n && eng_cards_has(&s->hand, card));
    uint8_t place;
    struct eng_blame blame;
    const struct eng_meld *meld = &s->melds[i];
    if (eng_is_joker(card) || meld->jokers == 0 ||
        (meld->kind == ENG_SET ? eng_rank(card) != meld->low : eng_suit(card) != meld->suit))
        return false; /* a glance is enough */
    if (!s->opened || !eng_meld_frees(s->params, &s->melds[i], card, joker, &place, &blame))
        return false;
    *freed = s->melds[i].cards[place];
    struct eng_cards rest = s->hand;
    eng_cards_remove(&rest, card);
    eng_cards_add(&rest, *freed);
    return eng_hand_can_discard(s->params, &rest, false, s->taken);
}

bool legal_discard(const struct legal_scene *s, const uint8_t *cards, int n)
{
    ASSERT(n >= 1 && n <= s->view->hand_n);
    struct eng_cards rest = s->hand;
    for (int i = 0; i < n; i++)
        eng_cards_remove(&rest, cards[i]);
    if (s->view->must_open || (s->staged && s->params->below_minimum == ENG_BELOW_REFUSED))
        return false;
    if (!s->params->throw_back && memchr(cards, s->taken, (size_t)n) != NULL)
        return false;
    if (legal_bound_joker(s, &rest) != ENG_NO_CARD)
        return false;
    return eng_discard_shape(s->params, cards, n, &rest, s->staged) == ENG_OK;
}

/* ---- Melds --------------------------------------------------------------------------------- */

static void goal_to_meld(struct solver_goal *goal, const struct eng_params *params)
{
    solver_goal_points(goal, params);
    goal->joker_weight++; /* so that every card counts, even where jokers weigh nothing */
}

/* Of the cards that are left, the discard just taken may not be thrown, and there is no other natural one. */
static bool leaves_only_taken(const struct legal_scene *s, const struct solver_result *result)
{
    bool taken = false, other = false;
    ASSERT(result->left_n <= ENG_HAND_MAX);
    for (int i = 0; i < result->left_n && !s->params->throw_back; i++) {
        taken |= result->left[i] == s->taken;
        other |= result->left[i] != s->taken && !eng_is_joker(result->left[i]);
    }
    return taken && !other;
}

/* The solver's must_card is a natural one. A joker that must be in a meld takes the place of any other joker
 * there; without one nothing is found. */
static void best_with_joker(const struct solver_rules *rules, const struct solver_goal *goal,
                            const uint8_t *cards, int n, struct solver_result *result)
{
    struct solver_goal any = *goal;
    uint8_t must = goal->must_card, *left, *used = NULL;

    ASSERT(eng_is_joker(must) && n <= ENG_HAND_MAX);
    any.must_card = ENG_NO_CARD;
    solver_best(rules, &any, cards, n, result);
    left = memchr(result->left, must, result->left_n);
    for (int g = 0; g < result->groups_n; g++)
        for (int i = 0; i < result->groups[g].n; i++)
            if (eng_is_joker(result->groups[g].cards[i]))
                used = &result->groups[g].cards[i];
    if (left == NULL)
        return;
    if (used != NULL) {
        *left = *used;
        *used = must;
        return;
    }
    *result = (struct solver_result){.left_n = (uint8_t)n};
    memcpy(result->left, cards, (size_t)n);
}

void legal_best(const struct legal_scene *s, const struct solver_rules *rules, const struct solver_goal *goal,
                const uint8_t *cards, int n, struct solver_result *result)
{
    if (goal->must_card != ENG_NO_CARD && eng_is_joker(goal->must_card)) {
        best_with_joker(rules, goal, cards, n, result);
        return;
    }
    struct solver_goal with = *goal, beside = *goal;
    struct solver_result without;
    uint8_t rest[ENG_HAND_MAX];
    int rest_n = 0;

    solver_best(rules, goal, cards, n, result);
    ASSERT(n <= ENG_HAND_MAX && result->left_n <= n);
    if (goal->keep == SOLVER_KEEP_NOTHING || !leaves_only_taken(s, result))
        return;
    /* Either the taken card goes out too, or it stays beside another natural one. */
    for (int i = 0; i < n; i++)
        if (cards[i] != s->taken)
            rest[rest_n++] = cards[i];
    beside.keep = SOLVER_KEEP_A_NATURAL;
    solver_best(rules, &beside, rest, rest_n, &without);
    with.must_card = s->taken;
    result->found = false;
    if (!eng_is_joker(s->taken))
        solver_best(rules, &with, cards, n, result);
    if (result->found && !leaves_only_taken(s, result) && result->score >= without.score)
        return;
    *result = without;
    int at = result->left_n++;
    for (; at > 0 && result->left[at - 1] > s->taken; at--)
        result->left[at] = result->left[at - 1];
    result->left[at] = s->taken;
}

/* Three cards that could be a meld, jokers counted as anything: what is needed before the solver is asked. */
static bool might_meld(const struct legal_scene *s)
{
    uint64_t naturals = (s->hand.w[0] | s->hand.w[1]) & ENG_PACK_MASK;
    unsigned suits[ENG_SUITS], two = 0, three = 0, seen = 0;
    int jokers = eng_cards_jokers(&s->hand);
    ASSERT(jokers <= ENG_JOKER_MAX);
    for (int suit = 0; suit < ENG_SUITS; suit++) {
        unsigned ranks = (unsigned)(naturals >> (suit * ENG_RANKS)) & ((1U << ENG_RANKS) - 1);
        three |= two & ranks;
        two |= seen & ranks;
        seen |= ranks;
        suits[suit] = ranks | (ranks & 1U) << ENG_PLACE_ACE_HIGH;
    }
    if (jokers > 1 || three != 0 || (jokers == 1 && two != 0))
        return seen != 0;
    for (int suit = 0; suit < ENG_SUITS; suit++) {
        unsigned beside = suits[suit] & suits[suit] >> 1, apart = suits[suit] & suits[suit] >> 2;
        if (jokers == 1 ? (beside | apart) != 0 : (beside & apart) != 0)
            return true;
    }
    return false;
}

bool legal_melds(const struct legal_scene *s, bool *opens, struct solver_result *result)
{
    const struct eng_view *view = s->view;
    struct solver_rules rules;
    struct solver_goal goal;

    *opens = false;
    if (!s->may_meld || !might_meld(s))
        return false;
    solver_rules_of(&rules, s->params, legal_jokers_max(s));
    goal_to_meld(&goal, s->params);
    goal.keep = (uint8_t)solver_keep_of(s->params, false);
    if (!s->opened) {
        memset(goal.weight, 0, sizeof goal.weight);
        goal.joker_weight = 0;
        goal.worth_factor = 1;
        if (s->params->taken_discard_in_opening && view->must_open && eng_cards_has(&s->hand, s->taken))
            goal.must_card = s->taken;
    }
    legal_best(s, &rules, &goal, view->hand, view->hand_n, result);
    if (s->opened || (result->groups_n > 0 && view->staged_sum + result->worth >= view->opening_min)) {
        *opens = !s->opened;
        return result->groups_n > 0;
    }
    goal_to_meld(&goal, s->params);
    goal.keep = (uint8_t)solver_keep_of(s->params, true);
    legal_best(s, &rules, &goal, view->hand, view->hand_n, result);
    return result->groups_n > 0;
}

/* ---- The list -------------------------------------------------------------------------------- */

static void list_add(struct eng_legal *legal, const struct legal_scene *s, enum eng_move_type type,
                     uint8_t meld, enum eng_end end, const uint8_t *cards, int n)
{
    ASSERT(n >= 0 && n <= ENG_MOVE_CARDS_MAX);
    legal->types |= 1u << type;
    if (legal->n == ENG_LEGAL_MAX)
        return;
    struct eng_move *m = &legal->moves[legal->n++];
    *m = (struct eng_move){
        .type = (uint8_t)type, .seat = s->seat, .meld = meld, .end = (uint8_t)end, .n = (uint8_t)n};
    memcpy(m->cards, cards, (size_t)n);
}

static void list_melds(struct eng_legal *legal, const struct legal_scene *s)
{
    struct solver_result result;
    bool opens;

    if (!legal_melds(s, &opens, &result))
        return;
    legal->types |= 1u << ENG_MELD;
    for (int g = 0; g < result.groups_n && (s->opened || opens); g++)
        list_add(legal, s, ENG_MELD, ENG_NO_MELD, ENG_END_NONE, result.groups[g].cards, result.groups[g].n);
    legal->hints_n = legal->n;
}

static void list_discards(struct eng_legal *legal, const struct legal_scene *s)
{
    const uint8_t *hand = s->view->hand;
    int n = s->view->hand_n, jokers = eng_cards_jokers(&s->hand);

    for (int i = 0; i < n; i++) {
        if (legal_discard(s, &hand[i], 1))
            list_add(legal, s, ENG_DISCARD, ENG_NO_MELD, ENG_END_NONE, &hand[i], 1);
    }
    for (int i = 0; i < n - jokers; i++) { /* ascending: the jokers are the last ones */
        for (int j = n - jokers; j < n; j++) {
            const uint8_t buried[2] = {hand[j], hand[i]};
            if (legal_discard(s, buried, 2))
                list_add(legal, s, ENG_DISCARD, ENG_NO_MELD, ENG_END_NONE, buried, 2);
        }
    }
    if (jokers > 1 && jokers == n && legal_discard(s, hand, n))
        list_add(legal, s, ENG_DISCARD, ENG_NO_MELD, ENG_END_NONE, hand, n);
}

static void list_swaps(struct eng_legal *legal, const struct legal_scene *s)
{
    if (!s->opened)
        return;
    for (int i = 0; i < s->view->melds_n; i++) {
        const struct eng_view_meld *meld = &s->view->melds[i];
        for (int k = 0; s->melds[i].jokers > 0 && k < meld->n * s->view->hand_n; k++) {
            uint8_t pair[2] = {s->view->hand[k / meld->n], meld->cards[k % meld->n]}, freed;
            if (eng_is_joker(pair[1]) && legal_swap(s, pair[0], i, pair[1], &freed))
                list_add(legal, s, ENG_SWAP, meld->id, ENG_END_NONE, pair, 2);
        }
    }
}

static void list_lay_offs(struct eng_legal *legal, const struct legal_scene *s)
{
    if (!s->may_join)
        return;
    for (int i = 0; i < s->view->melds_n; i++) {
        const struct eng_view_meld *meld = &s->view->melds[i];
        int first = meld->kind == ENG_RUN ? ENG_END_LOW : ENG_END_NONE;
        int last = meld->kind == ENG_RUN ? ENG_END_HIGH : ENG_END_NONE;
        for (int k = 0; k < s->view->hand_n; k++) {
            for (int end = first; end <= last; end++) {
                if (legal_lay_off(s, s->view->hand[k], i, (enum eng_end)end))
                    list_add(legal, s, ENG_LAY_OFF, meld->id, (enum eng_end)end, &s->view->hand[k], 1);
            }
        }
    }
}

void eng_legal(const struct eng_view *view, struct eng_legal *legal)
{
    struct legal_scene s;

    legal->types = 0;
    legal->n = legal->hints_n = 0;
    if (view->params->family == ENG_FAMILY_DECLARE) {
        legal_list_declare(view, legal);
        return;
    }
    if (!legal_scene_of(&s, view))
        return;
    if (view->must_open)
        legal->types |= 1u << ENG_CANCEL_DRAW;
    if (view->phase == ENG_TO_DRAW) {
        if (legal_draw_stock(&s))
            legal->types |= 1u << ENG_DRAW_STOCK;
        if (s.discard_is_open)
            legal->types |= 1u << ENG_DRAW_DISCARD;
        if (legal_flip(&s))
            legal->types |= 1u << ENG_FLIP;
        return;
    }
    if (s.staged || legal_bound_joker(&s, &s.hand) != ENG_NO_CARD)
        legal->types |= 1u << ENG_TAKE_BACK;
    list_melds(legal, &s);
    list_discards(legal, &s);
    list_swaps(legal, &s);
    list_lay_offs(legal, &s);
    for (int j = 0; j < ENG_JOKER_MAX && !s.params->swapped_joker_kept; j++)
        if (view->freed_meld[j] != ENG_NO_MELD)
            list_add(legal, &s, ENG_TAKE_BACK, view->freed_meld[j], ENG_END_NONE, view->hand, 0);
    ASSERT(legal->hints_n <= legal->n);
}
