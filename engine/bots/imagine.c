/* Imagines a game that agrees with what a seat sees, dealing the hidden cards at random. See master.h. */
#include <string.h>

#include "base/bug.h"
#include "engine/bots/bot.h"
#include "engine/bots/dice.h"
#include "engine/bots/master.h"

static uint8_t bits(const bool *of, int players)
{
    uint8_t mask = 0;

    for (int seat = 0; seat < players; seat++)
        mask |= (uint8_t)(of[seat] << seat);
    return mask;
}

/* Removes these visible cards from the hidden ones. */
static void claim(struct eng_cards *hidden, const uint8_t *cards, int n)
{
    for (int i = 0; i < n; i++)
        eng_cards_remove(hidden, cards[i]);
}

static void copy_turn(struct eng_game *g, const struct eng_view *view)
{
    g->phase = view->phase;
    g->to_move = view->to_move;
    g->drew = view->drew ? (uint8_t)(1 + (view->from_discard ? ENG_DISCARD_PILE : ENG_STOCK)) : 0;
    g->drawn = view->drew ? view->drawn_card : ENG_NO_CARD;
    g->must_open = view->must_open;
    g->stock_only = view->stock_only;
    g->opening_turn = view->opening_turn;
    g->turn_melds = view->melds_spent ? ENG_TURN_MOVES_MAX : 0;
}

static void copy_table(struct eng_game *g, const struct eng_view *view)
{
    for (int i = 0; i < view->melds_n; i++) {
        uint8_t id = view->melds[i].id;
        eng_meld_of_view(&g->melds[id], &view->melds[i]);
        g->melds_top = id >= g->melds_top ? (uint8_t)(id + 1) : g->melds_top;
    }
    memcpy(g->discard, view->discard, view->discard_n);
    g->discard_n = (uint8_t)view->discard_n;
    g->stock_n = (uint8_t)view->stock_n;
    g->flips = view->flips;
}

/* Copies the state of the declare family. Seats that have completed a turn have drawn. */
static void copy_declare(struct eng_game *g, const struct eng_view *view, struct eng_cards *hidden)
{
    g->wild_card = view->wild_card;
    claim(hidden, &view->wild_card, 1);
    g->sat_out = bits(view->sat_out, view->players);
    g->dropped = bits(view->dropped, view->players);
    g->wrong = bits(view->wrong, view->players);
    if (view->may_take && view->discard_n == 1)
        g->open_card = g->discard[0];
    for (uint8_t seat = 0; seat < view->players; seat++) {
        const struct eng_view_grouping *shown = &view->grouping[seat];
        g->lost[seat] = (uint8_t)view->lost[seat];
        g->picked |= (uint8_t)((view->round[seat] > 1) << seat);
        if (view->eliminated[seat])
            g->out_at[seat] = view->sat_out[seat] ? 1 : view->hand_no;
        if (shown->n == 0 || seat == view->viewer)
            continue;
        g->grouping[seat].n = shown->n;
        g->grouping[seat].groups = shown->groups;
        memcpy(g->grouping[seat].lens, shown->lens, sizeof shown->lens);
        memcpy(g->grouping[seat].cards, shown->cards, shown->n);
        for (int i = 0; i < shown->n; i++)
            eng_cards_add(&g->hand[seat], shown->cards[i]);
        claim(hidden, shown->cards, shown->n);
    }
    if (view->drew || (view->drop_points > 0 && view->drop_points != g->params.drop_first))
        g->picked |= (uint8_t)(1 << view->viewer);
}

void eng_master_set_view(struct eng_master *master, const struct eng_view *view)
{
    struct eng_game *g = &master->known;
    struct eng_cards hidden = eng_cards_pack(view->params->packs, view->params->jokers);

    ASSERT(view->viewer == view->to_move && view->staged_sum == 0 && view->freed_jokers == 0);
    eng_init(g, view->params, view->players);
    g->starter = view->starter;
    g->hand_no = view->hand_no;
    g->opened = bits(view->opened, view->players);
    g->away = bits(view->away, view->players);
    g->left = bits(view->left, view->players);
    for (int seat = 0; seat < view->players; seat++) {
        g->turns[seat] = (uint16_t)(view->round[seat] - 1);
        g->points[seat] = view->points[seat];
        g->bonus[seat] = view->bonus[seat];
    }
    copy_turn(g, view);
    copy_table(g, view);
    for (int i = 0; i < view->hand_n; i++)
        eng_cards_add(&g->hand[view->viewer], view->hand[i]);
    claim(&hidden, view->hand, view->hand_n);
    claim(&hidden, view->discard, view->discard_n);
    for (int i = 0; i < view->melds_n; i++)
        claim(&hidden, view->melds[i].cards, view->melds[i].n);
    if (view->params->family == ENG_FAMILY_DECLARE)
        copy_declare(g, view, &hidden);
    master->hidden_n = eng_cards_list(&hidden, master->hidden);
}

void eng_master_imagine(struct eng_master *master, const struct eng_view *view, uint64_t *rng)
{
    struct eng_game *g = &master->imagined;
    uint8_t cards[ENG_CARD_MAX];
    int n = master->hidden_n;

    *g = master->known;
    memcpy(cards, master->hidden, (size_t)n);
    for (int i = n - 1; i > 0; i--) {
        int k = (int)((eng_bot_dice(rng) >> 32) * (uint64_t)(i + 1) >> 32);
        uint8_t swap = cards[i];
        cards[i] = cards[k];
        cards[k] = swap;
    }
    for (uint8_t seat = 0; seat < view->players; seat++) {
        int held = view->cards_n[seat] - eng_cards_count(&g->hand[seat]);
        while (held-- > 0)
            eng_cards_add(&g->hand[seat], cards[--n]);
    }
    ASSERT(n == g->stock_n);
    memcpy(g->stock, cards, (size_t)n);
    for (int i = 0; i < ENG_KEY_BYTES; i += 8) {
        uint64_t word = eng_bot_dice(rng);
        memcpy(g->key + i, &word, sizeof word);
    }
    g->rare_hash = eng_hash_rare(g);
}
