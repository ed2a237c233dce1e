/* Compares the one-card rule with brute force: taking the discard is refused exactly if some sequence of
 * legal moves with it ends the hand in this turn. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/engine/play.h"
#include "tests/engine/table.h"

enum { TEXT_MAX = 64 };

static const char suits[] = "CSHD", ranks[] = "A23456789TJQKA";

/* A run with a minority of nonadjacent jokers, or a set of three with or without a joker. */
static void some_meld(uint64_t *rng, int number, int *jokers, char text[TEXT_MAX])
{
    char *at = text + snprintf(text, TEXT_MAX, "%u", play_below(rng, 2));
    uint32_t n = 3 + play_below(rng, 3), low = play_below(rng, 14 - n + 1), left = (n - 1) / 2;
    bool set = play_below(rng, 4) == 0, was_joker = false;
    for (uint32_t i = 0; i < (set ? 3 : n); i++) {
        bool joker = *jokers < 5 && left > 0 && !was_joker && !(set && i == 0) && play_below(rng, 3) == 0;
        if (joker)
            at += snprintf(at, 8, " X%d", ++*jokers);
        else if (set)
            at += snprintf(at, 8, " %c%c1", ranks[low], suits[i]);
        else
            at += snprintf(at, 8, " %c%c1", ranks[low + i], suits[number]);
        left -= joker;
        was_joker = joker;
    }
}

/* A card near the melds, or a joker. */
static void some_card(uint64_t *rng, const char *joker, char text[TEXT_MAX])
{
    if (play_below(rng, 4) == 0)
        snprintf(text, TEXT_MAX, "%s", joker);
    else
        snprintf(text, TEXT_MAX, "%c%c2", ranks[play_below(rng, 13)], suits[play_below(rng, 3)]);
}

/* Whether a sequence of lay-offs and swaps can end with discarding the last card. */
static bool ends(const struct eng_game *g)
{
    uint8_t held[ENG_HAND_MAX];
    int n = eng_cards_list(&g->hand[0], held);
    for (int i = 0; i < n; i++) {
        struct eng_move m = {.type = ENG_DISCARD, .meld = ENG_NO_MELD, .n = 1, .cards = {held[i]}};
        struct eng_game next = *g;
        struct eng_outcome out;
        if (eng_apply(&next, &m, &out) == ENG_OK && next.ending == ENG_ENDED_OUT)
            return true;
        for (int way = 0; way < 4 * g->melds_top; way++) {
            m.type = way % 4 == 3 ? ENG_SWAP : ENG_LAY_OFF;
            m.end = (uint8_t)(way % 4 == 3 ? 0 : way % 4);
            m.meld = (uint8_t)(way / 4);
            next = *g;
            if (eng_apply(&next, &m, &out) == ENG_OK && ends(&next))
                return true;
        }
    }
    return false;
}

Test(one_card, the_discard_is_refused_if_and_only_if_some_line_ends_the_hand)
{
    uint64_t rng = 51;
    int refused = 0, taken = 0;
    for (int round = 0; round < 6000; round++) {
        char hand[TEXT_MAX], discard[TEXT_MAX], melds[2][TEXT_MAX];
        int jokers = 0;
        struct table t;
        some_meld(&rng, 0, &jokers, melds[0]);
        some_meld(&rng, 1, &jokers, melds[1]);
        bool two = strstr(melds[1], "X") == NULL || strstr(melds[0], "X") == NULL;
        for (const char *c = melds[1] + 1; two && *c != '\0'; c++) /* the two must not name the same card */
            two = *c != ' ' ||
                  strstr(melds[0], (char[]){' ', c[1], c[2], c[1] == 'X' ? '\0' : '1', '\0'}) == NULL;
        some_card(&rng, "X6", hand);
        do
            some_card(&rng, "X6", discard);
        while (strcmp(hand, discard) == 0);
        PLACE(&t, .params = eng_params_find("rummy40"), .players = 2, .hands = {hand}, .opened = "0 1",
              .melds = {melds[0], two ? melds[1] : NULL}, .discard = discard);
        struct eng_game free_game = t.g;
        struct eng_outcome out;
        const struct eng_move take = {.type = ENG_DRAW_DISCARD, .meld = ENG_NO_MELD};
        free_game.params.one_card_rule = 0;
        if (eng_apply(&free_game, &take, &out) != ENG_OK)
            continue;
        bool wins = ends(&free_game);
        enum eng_refusal code = eng_apply(&t.g, &take, &out);
        cr_assert_eq(code, wins ? ENG_ONE_CARD_RULE : ENG_OK, "%s and %s at %s, %s: %s", hand, discard,
                     melds[0], two ? melds[1] : "-", eng_refusal_name(code));
        refused += wins;
        taken += !wins;
    }
    cr_assert(refused > 500 && taken > 500, "%d refused, %d taken", refused, taken);
}
