/* eng_legal: all legal moves of the seat to move, without the solver (see eng_hints for good moves). Card
 * masks quickly find candidates, and legal.c checks them. Called by the hub when a player requests their
 * legal moves. See legal.h. */
#include "base/bug.h"
#include "engine/play/legal_add.h"
#include "engine/play/legal_meld.h"

/* ---- Discards ---- */

static void list_discards(struct eng_legal *legal, const struct eng_legal_scene *s)
{
    const uint8_t *hand = s->view->hand;
    int n = s->view->hand_n, jokers = eng_cards_jokers(&s->hand);

    ASSERT(jokers <= n);
    if (n == 0 || !eng_legal_may_discard(s))
        return;
    bool bound = eng_legal_bound_joker(s, &s->hand) != ENG_NO_CARD;
    for (int i = 0; i < n; i++) {
        /* A single natural card may be discarded, with two exceptions. */
        bool natural = i < n - jokers; /* ascending order: jokers come last */
        if (natural ? !bound && (s->params->throw_back || hand[i] != s->taken)
                    : eng_legal_discard(s, &hand[i], 1))
            eng_legal_add(legal, ENG_DISCARD, ENG_NO_MELD, ENG_END_NONE, &hand[i], 1);
    }
    for (int k = 0; k < (n - jokers) * jokers && s->params->joker_buried; k++) {
        const uint8_t buried[2] = {hand[n - jokers + k % jokers], hand[k / jokers]};
        if (eng_legal_discard(s, buried, 2))
            eng_legal_add(legal, ENG_DISCARD, ENG_NO_MELD, ENG_END_NONE, buried, 2);
    }
    if (jokers > 1 && jokers == n && eng_legal_discard(s, hand, n))
        eng_legal_add(legal, ENG_DISCARD, ENG_NO_MELD, ENG_END_NONE, hand, n);
}

/* ---- Lay-offs and swaps ---- */

/* The hand's cards of these types, from both packs. */
static struct eng_cards held_of(const struct eng_legal_scene *s, uint64_t types)
{
    ASSERT((types & ~ENG_PACK_MASK) == 0);
    return (struct eng_cards){{s->hand.w[0] & types, s->hand.w[1] & types}};
}

static uint64_t type_at(const struct eng_meld *run, int place)
{
    ASSERT(run->kind == ENG_RUN && place >= -1 && place <= ENG_PLACE_ACE_HIGH + 1);
    if (place < 0 || place > ENG_PLACE_ACE_HIGH)
        return 0;
    return UINT64_C(1) << (run->suit * ENG_RANKS + place % ENG_RANKS);
}

/* The cards of the suits missing in a set. */
static uint64_t types_missing(const struct eng_meld *set)
{
    uint64_t types = 0;
    ASSERT(set->kind == ENG_SET && set->low < ENG_RANKS);
    for (int suit = 0; suit < ENG_SUITS; suit++)
        if ((set->suits >> suit & 1) == 0)
            types |= UINT64_C(1) << (suit * ENG_RANKS + set->low);
    return types;
}

static void list_lay_offs_at(struct eng_legal *legal, const struct eng_legal_scene *s, int i,
                             enum eng_end end, uint64_t types)
{
    struct eng_cards fit = held_of(s, types);
    uint8_t cards[ENG_CARD_MAX];

    ASSERT(i < s->view->melds_n);
    fit.w[1] |= s->hand.w[1] & ENG_JOKER_MASK;
    if ((fit.w[0] | fit.w[1]) == 0)
        return;
    int n = eng_cards_list(&fit, cards);
    for (int k = 0; k < n; k++)
        if (eng_legal_lay_off(s, cards[k], i, end))
            eng_legal_add(legal, ENG_LAY_OFF, s->view->melds[i].id, end, &cards[k], 1);
}

static void list_lay_offs(struct eng_legal *legal, const struct eng_legal_scene *s)
{
    ASSERT(s->view->melds_n <= ENG_MELD_MAX);
    for (int i = 0; s->may_join && i < s->view->melds_n; i++) {
        const struct eng_meld *meld = &s->melds[i];
        if (meld->kind == ENG_SET) {
            list_lay_offs_at(legal, s, i, ENG_END_NONE, types_missing(meld));
            continue;
        }
        list_lay_offs_at(legal, s, i, ENG_END_LOW, type_at(meld, meld->low - 1));
        list_lay_offs_at(legal, s, i, ENG_END_HIGH, type_at(meld, meld->low + meld->n));
    }
}

/* Lists swaps: cards in hand for each joker of the meld. */
static void list_swaps_of(struct eng_legal *legal, const struct eng_legal_scene *s, int i)
{
    const struct eng_meld *meld = &s->melds[i];
    uint8_t cards[ENG_CARD_MAX], freed;

    ASSERT(meld->jokers > 0);
    for (int place = 0; place < meld->n; place++) {
        if (!eng_is_joker(meld->cards[place]))
            continue;
        struct eng_cards fit =
            held_of(s, meld->kind == ENG_SET ? types_missing(meld) : type_at(meld, meld->low + place));
        int n = eng_cards_list(&fit, cards);
        for (int k = 0; k < n; k++) {
            const uint8_t pair[2] = {cards[k], meld->cards[place]};
            if (eng_legal_swap(s, pair[0], i, pair[1], &freed))
                eng_legal_add(legal, ENG_SWAP, s->view->melds[i].id, ENG_END_NONE, pair, 2);
        }
    }
}

static void list_swaps(struct eng_legal *legal, const struct eng_legal_scene *s)
{
    ASSERT(s->view->melds_n <= ENG_MELD_MAX);
    for (int i = 0; s->opened && i < s->view->melds_n; i++)
        if (s->melds[i].jokers > 0)
            list_swaps_of(legal, s, i);
}

/* ---- All ---- */

static void list_draws(struct eng_legal *legal, const struct eng_legal_scene *s)
{
    ASSERT(s->view->phase == ENG_TO_DRAW);
    if (eng_legal_draw_stock(s))
        eng_legal_add_plain(legal, ENG_DRAW_STOCK);
    if (s->discard_is_open)
        eng_legal_add_plain(legal, ENG_DRAW_DISCARD);
    if (eng_legal_flip(s))
        eng_legal_add_plain(legal, ENG_FLIP);
}

/* Lists taking back all staged melds together, each staged meld, and each swap. */
static void list_take_backs(struct eng_legal *legal, const struct eng_legal_scene *s)
{
    const struct eng_view *view = s->view;
    ASSERT(view->phase == ENG_TO_PLAY);
    if (s->staged)
        eng_legal_add_plain(legal, ENG_TAKE_BACK);
    for (int i = 0; s->staged && i < view->melds_n; i++)
        if (view->melds[i].staged)
            eng_legal_add(legal, ENG_TAKE_BACK, view->melds[i].id, ENG_END_NONE, NULL, 0);
    for (int j = 0; j < ENG_JOKER_MAX && !s->params->swapped_joker_kept; j++)
        if (view->freed_meld[j] != ENG_NO_MELD)
            eng_legal_add(legal, ENG_TAKE_BACK, view->freed_meld[j], ENG_END_NONE, NULL, 0);
}

void eng_legal(const struct eng_view *view, struct eng_legal *legal)
{
    struct eng_legal_scene s;

    legal->types = 0;
    legal->n = 0;
    legal->more = false;
    legal->seat = view->viewer;
    if (view->params->family == ENG_FAMILY_DECLARE) {
        eng_legal_list_declare(view, legal);
        return;
    }
    if (!eng_legal_scene_of(&s, view, false))
        return;
    if (view->must_open)
        eng_legal_add_plain(legal, ENG_CANCEL_DRAW);
    if (view->phase == ENG_TO_DRAW) {
        list_draws(legal, &s);
        return;
    }
    list_take_backs(legal, &s);
    list_discards(legal, &s);
    list_swaps(legal, &s);
    list_lay_offs(legal, &s);
    eng_legal_list_melds(legal, &s);
    ASSERT(legal->n <= ENG_LEGAL_MAX);
}
