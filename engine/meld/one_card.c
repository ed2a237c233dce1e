/* The one-card rule (docs/rules.md §7.4): a player who begins their turn with a single card may not take
 * the discard if they could go out with it. Called by the state machine and by eng_legal. */
#include "base/bug.h"
#include "engine/core/meld.h"

/* The two cards and the table after some swaps. */
struct line {
    const struct eng_params *params;
    struct eng_meld melds[ENG_MELD_MAX];
    int melds_n;
    uint8_t cards[2];
    uint8_t taken;
};

/* Whether one of the two cards can be laid off and the other one discarded. */
static bool lays_and_throws(const struct line *line, int which)
{
    uint8_t card = line->cards[which], other = line->cards[1 - which];
    struct eng_blame blame;
    enum eng_end end;
    ASSERT(card != other);
    if (other == line->taken && !line->params->throw_back)
        return false;
    for (int i = 0; i < line->melds_n; i++) {
        const struct eng_meld *meld = &line->melds[i];
        if (meld->n == 0)
            continue;
        bool run = meld->kind == ENG_RUN;
        for (int wanted = run ? ENG_END_LOW : ENG_END_NONE; wanted <= (run ? ENG_END_HIGH : ENG_END_NONE);
             wanted++)
            if (eng_meld_fits(line->params, meld, card, (enum eng_end)wanted, ENG_RUN_MAX, &end, &blame))
                return true;
    }
    return false;
}

/* A swap, like every step, must leave a card to discard. Two jokers do not count if jokers cannot be
 * buried. */
static bool leaves_a_discard(const struct line *line)
{
    struct eng_cards hand = {{0, 0}};
    ASSERT(line->cards[0] != line->cards[1]);
    eng_cards_add(&hand, line->cards[0]);
    eng_cards_add(&hand, line->cards[1]);
    return eng_hand_can_discard(line->params, &hand, false, line->taken);
}

/* Each swap turns one of the two cards into a joker, so at most two swaps are possible. */
static bool can_end(struct line *line, int swaps_left)
{
    ASSERT(swaps_left >= 0);
    if (lays_and_throws(line, 0) || lays_and_throws(line, 1))
        return true;
    for (int which = 0; which < 2 && swaps_left > 0; which++) {
        uint8_t card = line->cards[which];
        for (int i = 0; !eng_is_joker(card) && i < line->melds_n; i++) {
            struct eng_meld before = line->melds[i];
            struct eng_blame blame;
            uint8_t place;
            if (before.n == 0 || !eng_meld_frees(line->params, &before, card, ENG_NO_CARD, &place, &blame))
                continue;
            line->cards[which] = before.cards[place];
            eng_meld_put(&line->melds[i], place, card);
            bool ends = leaves_a_discard(line) && can_end(line, swaps_left - 1);
            line->melds[i] = before;
            line->cards[which] = card;
            if (ends)
                return true;
        }
    }
    return false;
}

bool eng_one_card_ends(const struct eng_params *params, const struct eng_meld *melds, int melds_n,
                       const struct eng_cards *hand, uint8_t discard, bool opened)
{
    ASSERT(melds_n >= 0 && melds_n <= ENG_MELD_MAX && discard < ENG_CARD_MAX);
    if (!params->one_card_rule || !opened || eng_cards_count(hand) != 1)
        return false;
    struct line line = {.params = params, .melds_n = melds_n, .taken = discard};
    for (int i = 0; i < melds_n; i++)
        line.melds[i] = melds[i];
    (void)eng_cards_list(hand, line.cards);
    line.cards[1] = discard;
    return can_end(&line, 2);
}
