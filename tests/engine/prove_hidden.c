/* See prove.h: a game that differs only in what a viewer may not know. */
#include "tests/engine/play.h"
#include "tests/engine/prove.h"

/* An open hand: a declaration, or what was scored. */
static bool lies_open(const struct eng_game *g, uint8_t seat)
{
    return g->grouping[seat].n > 0 && (g->ending != 0 || seat == g->declarer || eng_seat_bit(g->wrong, seat));
}

/* Replaces a private grouping with one of other cards. */
static void regroup(struct eng_game *g, uint8_t seat)
{
    struct eng_grouping *made = &g->grouping[seat];
    if (made->n > 0 && !lies_open(g, seat))
        made->n = (uint8_t)eng_cards_list(&g->hand[seat], made->cards);
}

/* Shuffles the cards that `viewer` may not know among their places. */
void prove_change_hidden(struct eng_game *g, uint8_t viewer, uint64_t *rng)
{
    uint8_t cards[ENG_CARD_MAX];
    uint8_t known = g->drew == 1 + ENG_DISCARD_PILE && eng_cards_has(&g->hand[g->to_move], g->drawn)
                        ? g->drawn
                        : ENG_NO_CARD; /* taken from the pile, so all players saw it */
    struct eng_cards keep[ENG_SEAT_MAX] = {{{0, 0}}};
    int n = 0, count[ENG_SEAT_MAX] = {0};
    for (uint8_t seat = 0; seat < g->players; seat++) {
        if (seat == viewer)
            continue;
        uint8_t list[ENG_CARD_MAX];
        int held = eng_cards_list(&g->hand[seat], list);
        for (int i = 0; i < held; i++) {
            bool seen = list[i] == known || lies_open(g, seat) ||
                        (eng_is_joker(list[i]) && seat == g->to_move &&
                         g->freed_meld[list[i] - ENG_JOKER_FIRST] != ENG_NO_MELD);
            if (seen) {
                eng_cards_add(&keep[seat], list[i]);
            } else {
                cards[n++] = list[i];
                count[seat]++;
            }
        }
    }
    for (int i = 0; i < g->stock_n; i++)
        cards[n++] = g->stock[i];
    for (int i = n - 1; i > 0; i--) {
        uint32_t j = play_below(rng, (uint32_t)i + 1);
        uint8_t card = cards[i];
        cards[i] = cards[j];
        cards[j] = card;
    }
    for (uint8_t seat = 0; seat < g->players; seat++) {
        if (seat == viewer)
            continue;
        g->hand[seat] = keep[seat];
        for (int i = 0; i < count[seat]; i++)
            eng_cards_add(&g->hand[seat], cards[--n]);
        regroup(g, seat);
    }
    for (int i = 0; i < g->stock_n; i++)
        g->stock[i] = cards[--n];
    for (int i = 0; i < ENG_KEY_BYTES; i++)
        g->key[i] = (uint8_t)play_random(rng);
    g->stream_used += play_below(rng, 100);
    if (g->drew == 1 + ENG_STOCK && g->to_move != viewer)
        g->drawn = (uint8_t)play_below(rng, 108);
}
