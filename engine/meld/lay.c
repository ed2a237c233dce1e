/* Melding, staged openings, laying off, and swapping jokers (docs/rules.md §3.1, §4, and §5). */
#include "engine/meld/lay.h"

#include <string.h>

#include "base/bug.h"

static void pass_debt_on(struct eng_game *g, uint8_t id, uint8_t laid);

static enum eng_refusal refuse_blame(struct eng_outcome *out, const struct eng_blame *blame)
{
    ASSERT(blame->code != ENG_OK);
    return eng_refuse(out, blame->code, blame->cards, blame->n);
}

/* ---- Laying melds ---- */

static uint8_t free_meld_id(const struct eng_game *g)
{
    uint8_t id = 0;
    while (id < g->melds_top && g->melds[id].n > 0)
        id++;
    ASSERT(id < ENG_MELD_MAX);
    return id;
}

/* Makes the staged melds final, because the mover has opened. */
static void open_now(struct eng_game *g, uint16_t sum, struct eng_outcome *out)
{
    ASSERT(!eng_seat_bit(g->opened, g->to_move) && sum >= g->params.opening_min);
    for (int i = 0; i < g->melds_top; i++)
        g->melds[i].staged = 0;
    g->opened |= (uint8_t)(1 << g->to_move);
    g->opening_turn = 1;
    g->must_open = 0;
    g->staged_sum = 0;
    eng_emit(g, out, ENG_EV_OPENED, g->to_move)->opened.sum = sum;
}

static void lay_meld(struct eng_game *g, struct eng_meld *meld, int worth, bool staged,
                     struct eng_outcome *out)
{
    ASSERT(meld->n >= ENG_MELD_MIN && worth > 0);
    uint8_t id = free_meld_id(g);
    meld->owner = g->to_move;
    meld->staged = staged;
    g->melds[id] = *meld;
    if (id >= g->melds_top)
        g->melds_top = (uint8_t)(id + 1);
    g->turn_melds++;
    struct eng_event *e = eng_emit(g, out, ENG_EV_MELDED, g->to_move);
    e->meld = id;
    e->melded.kind = meld->kind;
    e->melded.low = meld->low;
    e->melded.staged = staged;
    e->melded.worth = worth;
    e->n = meld->n;
    memcpy(e->cards, meld->cards, meld->n);
}

/* Whether this sum would open and the taken discard is in a meld if it must be. */
static bool sum_opens(const struct eng_game *g, int sum, const struct eng_cards *rest)
{
    ASSERT(sum > 0);
    if (sum < g->params.opening_min)
        return false;
    return !g->must_open || !g->params.taken_discard_in_opening || !eng_cards_has(rest, g->drawn);
}

enum eng_refusal eng_do_meld(struct eng_game *g, const struct eng_move *m, struct eng_outcome *out)
{
    ASSERT(g->phase == ENG_TO_PLAY && m->seat == g->to_move);
    bool opened = eng_seat_bit(g->opened, m->seat);
    if (g->turns[m->seat] == 0 && !g->params.meld_in_round_1)
        return eng_refuse(out, ENG_NO_OPENING_IN_FIRST_ROUND, NULL, 0);
    struct eng_cards rest;
    if (!eng_hand_without(&g->hand[m->seat], m->cards, m->n, &rest, out))
        return out->code;
    struct eng_meld meld;
    struct eng_blame blame;
    int jokers_max = eng_jokers_max(&g->params, opened, g->opening_turn);
    if (!eng_meld_check(&g->params, m->cards, m->n, jokers_max, &meld, &blame))
        return refuse_blame(out, &blame);
    if (g->turn_melds >= ENG_TURN_MOVES_MAX)
        return eng_refuse(out, ENG_TURN_TOO_LONG, NULL, 0);
    int worth = eng_meld_points(&g->params, &meld);
    int sum = g->staged_sum + worth;
    bool opens = !opened && sum_opens(g, sum, &rest);
    bool staged = !opened && !opens;
    if (!eng_hand_can_discard(&g->params, &rest, staged, eng_taken_discard(g)))
        return eng_refuse(out, ENG_MUST_KEEP_A_DISCARD, m->cards, m->n);
    for (int i = 0; i < m->n; i++)
        eng_joker_used(g, m->cards[i]);
    g->hand[m->seat] = rest;
    lay_meld(g, &meld, worth, !opened, out);
    if (opens)
        open_now(g, (uint16_t)sum, out);
    else if (!opened)
        g->staged_sum = (uint16_t)sum;
    return ENG_OK;
}

/* ---- Taking back ---- */

static void take_back(struct eng_game *g, uint8_t id, struct eng_outcome *out)
{
    struct eng_meld *meld = &g->melds[id];
    ASSERT(meld->n > 0 && meld->staged && meld->owner == g->to_move);
    struct eng_event *e = eng_emit(g, out, ENG_EV_TAKEN_BACK, g->to_move);
    e->meld = id;
    e->n = meld->n;
    memcpy(e->cards, meld->cards, meld->n);
    g->staged_sum = (uint16_t)(g->staged_sum - eng_meld_points(&g->params, meld));
    for (int i = 0; i < meld->n; i++)
        eng_cards_add(&g->hand[g->to_move], meld->cards[i]);
    memset(meld, 0, sizeof *meld);
    while (g->melds_top > 0 && g->melds[g->melds_top - 1].n == 0)
        g->melds_top--;
}

void eng_return_staged(struct eng_game *g, struct eng_outcome *out)
{
    if (!eng_has_staged(g))
        return;
    for (uint8_t id = 0; id < g->melds_top; id++)
        if (g->melds[id].n > 0 && g->melds[id].staged)
            take_back(g, id, out);
    ASSERT(g->staged_sum == 0);
}

static void undo_swap(struct eng_game *g, int joker_no, uint8_t *settled, struct eng_outcome *out);

/* If freed jokers must be used in the same turn, taking back the meld of a swap undoes the swap. */
static bool undo_swaps_of(struct eng_game *g, uint8_t id, struct eng_outcome *out)
{
    bool undone = false;
    uint8_t settled = 0;
    ASSERT(id < g->melds_top);
    for (int j = 0; j < ENG_JOKER_MAX; j++) {
        if (g->params.swapped_joker_kept || g->freed_meld[j] != id)
            continue;
        undo_swap(g, j, &settled, out);
        undone = true;
    }
    return undone;
}

enum eng_refusal eng_do_take_back(struct eng_game *g, const struct eng_move *m, struct eng_outcome *out)
{
    ASSERT(m->type == ENG_TAKE_BACK && m->seat == g->to_move);
    if (m->meld == ENG_NO_MELD) {
        if (!eng_has_staged(g))
            return eng_refuse(out, ENG_NOT_STAGED, NULL, 0);
        eng_return_staged(g, out);
        return ENG_OK;
    }
    if (m->meld >= g->melds_top || g->melds[m->meld].n == 0)
        return eng_refuse(out, ENG_NO_SUCH_MELD, NULL, 0);
    const struct eng_meld *meld = &g->melds[m->meld];
    if (meld->staged) {
        take_back(g, m->meld, out);
        return ENG_OK;
    }
    if (undo_swaps_of(g, m->meld, out))
        return ENG_OK;
    return eng_refuse(out, ENG_NOT_STAGED, meld->cards, meld->n);
}

/* ---- Laying off and swapping ---- */

/* Both require that the mover has opened and that the meld exists. */
static bool may_touch_meld(const struct eng_game *g, const struct eng_move *m, bool unopened_too,
                           struct eng_outcome *out)
{
    ASSERT(m->seat == g->to_move);
    if (!eng_seat_bit(g->opened, m->seat) && !unopened_too) {
        eng_refuse(out, eng_has_staged(g) ? ENG_OPENING_BELOW_MINIMUM : ENG_MUST_OPEN_FIRST, NULL, 0);
        return false;
    }
    if (m->meld >= g->melds_top || g->melds[m->meld].n == 0) {
        eng_refuse(out, ENG_NO_SUCH_MELD, NULL, 0);
        return false;
    }
    ASSERT(!g->melds[m->meld].staged);
    return true;
}

enum eng_refusal eng_do_lay_off(struct eng_game *g, const struct eng_move *m, struct eng_outcome *out)
{
    ASSERT(g->phase == ENG_TO_PLAY && m->n == 1);
    struct eng_cards rest;
    if (!may_touch_meld(g, m, g->params.lay_off_unopened, out) ||
        !eng_hand_without(&g->hand[m->seat], m->cards, 1, &rest, out))
        return out->code;
    struct eng_meld *meld = &g->melds[m->meld];
    struct eng_blame blame;
    enum eng_end end;
    /* The joker limit of the opening turn also applies to cards laid off on the mover's own melds. */
    bool own = meld->owner == m->seat;
    int jokers_max = eng_jokers_max(&g->params, true, own && g->opening_turn);
    if (!eng_meld_fits(&g->params, meld, m->cards[0], (enum eng_end)m->end, jokers_max, &end, &blame))
        return refuse_blame(out, &blame);
    if (!eng_hand_can_discard(&g->params, &rest, false, eng_taken_discard(g)))
        return eng_refuse(out, ENG_MUST_KEEP_A_DISCARD, m->cards, 1);
    if (!eng_seat_bit(g->opened, m->seat)) { /* if no opening is required, laying off opens, too */
        g->opened |= (uint8_t)(1 << m->seat);
        g->opening_turn = 1;
        eng_emit(g, out, ENG_EV_OPENED, m->seat);
    }
    g->hand[m->seat] = rest;
    eng_meld_add(meld, m->cards[0], end);
    pass_debt_on(g, m->meld, m->cards[0]);
    eng_joker_used(g, m->cards[0]);
    struct eng_event *e = eng_emit(g, out, ENG_EV_LAID_OFF, m->seat);
    e->meld = m->meld;
    e->laid_off.end = (uint8_t)end;
    e->n = 1;
    e->cards[0] = m->cards[0];
    return ENG_OK;
}

enum eng_refusal eng_do_swap(struct eng_game *g, const struct eng_move *m, struct eng_outcome *out)
{
    ASSERT(g->phase == ENG_TO_PLAY && (m->n == 1 || m->n == 2));
    struct eng_cards rest;
    if (!may_touch_meld(g, m, false, out) || !eng_hand_without(&g->hand[m->seat], m->cards, 1, &rest, out))
        return out->code;
    struct eng_meld *meld = &g->melds[m->meld];
    struct eng_blame blame;
    uint8_t place = 0, wanted = m->n == 2 ? m->cards[1] : ENG_NO_CARD;
    if (!eng_meld_frees(&g->params, meld, m->cards[0], wanted, &place, &blame))
        return refuse_blame(out, &blame);
    uint8_t joker = meld->cards[place];
    eng_cards_add(&rest, joker);
    if (!eng_hand_can_discard(&g->params, &rest, false, eng_taken_discard(g)))
        return eng_refuse(out, ENG_MUST_KEEP_A_DISCARD, m->cards, 1);
    g->hand[m->seat] = rest;
    eng_meld_put(meld, place, m->cards[0]);
    g->freed_meld[joker - ENG_JOKER_FIRST] = m->meld;
    g->freed_by[joker - ENG_JOKER_FIRST] = m->cards[0];
    struct eng_event *e = eng_emit(g, out, ENG_EV_SWAPPED, m->seat);
    e->meld = m->meld;
    e->swapped.place = place;
    e->n = 2;
    e->cards[0] = m->cards[0];
    e->cards[1] = joker;
    return ENG_OK;
}

void eng_joker_used(struct eng_game *g, uint8_t card)
{
    ASSERT(card < ENG_CARD_MAX);
    if (!eng_is_joker(card))
        return;
    g->freed_meld[card - ENG_JOKER_FIRST] = ENG_NO_MELD;
    g->freed_by[card - ENG_JOKER_FIRST] = 0;
}

/* The place of the card that freed this joker. */
static uint8_t place_of_swap(const struct eng_game *g, int joker_no)
{
    const struct eng_meld *meld = &g->melds[g->freed_meld[joker_no]];
    uint8_t place = 0;
    while (place < meld->n && meld->cards[place] != g->freed_by[joker_no])
        place++;
    ASSERT(place < meld->n);
    return place;
}

/* Called when a joker freed in this turn has been laid on a meld from which another joker, still in hand,
 * was freed. If that other joker can no longer go back there, it takes over the origin of the laid one, so
 * that one of the two swaps can still be undone. */
static void pass_debt_on(struct eng_game *g, uint8_t id, uint8_t laid)
{
    int from = laid - ENG_JOKER_FIRST;
    ASSERT(id < g->melds_top);
    if (!eng_is_joker(laid) || g->freed_meld[from] == ENG_NO_MELD)
        return;
    for (int j = 0; j < ENG_JOKER_MAX; j++) {
        uint8_t joker = (uint8_t)(ENG_JOKER_FIRST + j);
        if (j == from || g->freed_meld[j] != id ||
            eng_meld_takes_back(&g->params, &g->melds[id], place_of_swap(g, j), joker))
            continue;
        g->freed_meld[j] = g->freed_meld[from];
        g->freed_by[j] = g->freed_by[from];
        return;
    }
}

/* If a freed joker cannot go back to its own place, it takes the place of another joker in this meld: the
 * last one, but preferably not one that has just gone back (settled: one bit per joker). */
static uint8_t place_to_exchange(const struct eng_meld *meld, uint8_t settled)
{
    uint8_t found = meld->n;
    for (uint8_t i = meld->n; i-- > 0;) {
        if (!eng_is_joker(meld->cards[i]))
            continue;
        if ((settled >> (meld->cards[i] - ENG_JOKER_FIRST) & 1) == 0)
            return i;
        found = i;
    }
    ASSERT(found < meld->n); /* only another joker can block the place */
    return found;
}

/* Puts the joker back in its place and returns the card that freed it to the hand. If that is impossible
 * because another joker was laid on the meld since, the freed joker takes that joker's place, and that
 * joker returns to the hand. */
static void undo_swap(struct eng_game *g, int joker_no, uint8_t *settled, struct eng_outcome *out)
{
    uint8_t joker = (uint8_t)(ENG_JOKER_FIRST + joker_no);
    uint8_t id = g->freed_meld[joker_no];
    ASSERT(id < g->melds_top && eng_cards_has(&g->hand[g->to_move], joker));
    struct eng_meld *meld = &g->melds[id];
    uint8_t place = place_of_swap(g, joker_no);
    bool back = eng_meld_takes_back(&g->params, meld, place, joker);
    if (!back)
        place = place_to_exchange(meld, *settled);
    uint8_t card = meld->cards[place];
    if (back)
        eng_meld_put(meld, place, joker);
    else
        meld->cards[place] = joker;
    *settled |= (uint8_t)(1 << joker_no);
    eng_cards_remove(&g->hand[g->to_move], joker);
    eng_cards_add(&g->hand[g->to_move], card);
    eng_joker_used(g, joker);
    struct eng_event *e = eng_emit(g, out, ENG_EV_SWAP_UNDONE, g->to_move);
    e->meld = id;
    e->swapped.place = place;
    e->n = 2;
    e->cards[0] = card;
    e->cards[1] = joker;
}

void eng_undo_swaps(struct eng_game *g, struct eng_outcome *out)
{
    uint8_t settled = 0;
    ASSERT(g->to_move < g->players);
    for (int j = 0; j < ENG_JOKER_MAX; j++)
        if (g->freed_meld[j] != ENG_NO_MELD)
            undo_swap(g, j, &settled, out);
}
